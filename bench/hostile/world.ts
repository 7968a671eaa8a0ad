/** A gateway in production mode as a process of its own, over a real Postgres and a chain, with claims to read. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { mnemonicToAccount } from 'viem/accounts'
import { createPool } from '../../api/projection/session/database.ts'
import { makeClaims } from '../../test/projection/large.ts'
import { type Requestable, signIn, TEST_SITE } from '../../test/support/sign-in.ts'
import { CHAIN_ID, startDeployedChain } from '../deployed-chain.ts'
import { startPostgres } from '../indexer/postgres.ts'
import type { Held } from './gateway.ts'

const CLAIMS = 20_000
const GATEWAY = join(import.meta.dirname, 'gateway.ts')
export const account = mnemonicToAccount('test test test test test test test test test test test junk')

/** No limit is met: each request is measured, none is turned away for its number. */
const UNLIMITED = '1000000000'

type Options = {
  /** Makes the rows. Default: 20,000 claims. @param router its address */
  fill?: (pool: ReturnType<typeof createPool>, router: string) => Promise<void>
  /** Settings of Postgres, as `name=value`. */
  settings?: readonly string[]
  /** Settings of the gateway. */
  env?: Readonly<Record<string, string>>
}

export async function startWorld({ fill = (pool) => makeClaims(pool, CLAIMS), settings, env }: Options = {}) {
  const postgres = await startPostgres(settings)
  const chain = await startDeployedChain()
  const { gateway: databaseUrl, indexer } = await postgres.database('hostile')
  const pool = createPool(indexer, 2)
  await fill(pool, chain.router)
  await pool.end()
  const child = fork(GATEWAY, {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: '0',
      LOG_LEVEL: 'info',
      SITE_ORIGINS: TEST_SITE,
      AUTH_SECRETS: 'a secret of the benchmark with well over 32 bytes',
      DATABASE_URL: databaseUrl,
      RPC_URLS: chain.rpcUrl,
      CHAIN_ID: `${CHAIN_ID}`,
      DEPLOYMENTS_DIR: chain.deployments,
      RATE_LIMIT_DEFAULT: UNLIMITED,
      RATE_LIMIT_COST: UNLIMITED,
      RATE_LIMIT_PREPARE: UNLIMITED,
      RATE_LIMIT_QUOTE: UNLIMITED,
      RATE_LIMIT_SIGN_IN: UNLIMITED,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = await listening(child)
  const app: Requestable = { request: (path, init) => fetch(url + path, init) }
  return {
    url,
    databaseUrl,
    app,
    token: await signIn(app, account),
    /** Measures how long the gateway's event loop was held since the last call. */
    takeHeld: async (): Promise<Held> => {
      child.send('report')
      const [held]: Held[] = await once(child, 'message')
      if (!held) throw new Error('the gateway reported nothing')
      return held
    },
    stop: async () => {
      // An open channel to this process would keep the gateway alive.
      child.disconnect()
      child.kill('SIGTERM')
      await once(child, 'exit')
      await chain.stop()
      await postgres.stop()
    },
  }
}

export type BenchWorld = Awaited<ReturnType<typeof startWorld>>

function listening(child: ReturnType<typeof fork>): Promise<string> {
  const { stdout } = child
  if (!stdout) throw new Error('the gateway has no output')
  return new Promise((resolve, reject) => {
    createInterface({ input: stdout }).on('line', (line) => {
      const { msg, port } = JSON.parse(line)
      if (msg === 'listening') resolve(`http://127.0.0.1:${port}`)
    })
    child.once('exit', (code) => reject(new Error(`the gateway ended with code ${code}`)))
  })
}
