/** The gateway as the process that production runs, with its log read line by line. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { INHERITED } from '../support/inherited.ts'
import { TEST_SITE } from '../support/sign-in.ts'
import { findLeak } from './leaks.ts'

const SERVER = join(import.meta.dirname, '../../api/server.ts')
const AUTH_SECRET = 'a secret of the fuzz test that no answer and no log may hold'
const NODE_KEY = 'key-of-the-node-that-nobody-may-see'
const PINO_WARN = 40

/** Above what any run sends: this is about what is answered, not about how often. */
const UNLIMITED = Object.fromEntries(
  ['DEFAULT', 'PREPARE', 'QUOTE', 'SIGN_IN', 'COST'].map((policy) => [`RATE_LIMIT_${policy}`, '1000000000']),
)

/** Nothing is down, so no request may be answered as if it were: these only end what hangs. */
const PATIENT = {
  DATABASE_TIMEOUT_MS: '120000',
  READ_TIMEOUT_MS: '120000',
  RPC_TIMEOUT_MS: '120000',
  DRAIN_LEAD_MS: '0',
}

export async function startGatewayProcess({ databaseUrl, rpcUrl }: { databaseUrl: string; rpcUrl: string }) {
  const node = new URL(rpcUrl)
  node.searchParams.set('key', NODE_KEY)
  const { username, password } = new URL(databaseUrl)
  const secrets = [AUTH_SECRET, NODE_KEY, databaseUrl, `${username}:${password}`]
  const child = spawn(process.execPath, [SERVER], {
    env: {
      ...{
        ...INHERITED,
        NODE_ENV: 'production',
        PORT: '0',
        CHAIN_ID: '31337',
        SITE_ORIGINS: TEST_SITE,
      },
      ...{
        DATABASE_URL: databaseUrl,
        RPC_URLS: node.href,
        AUTH_SECRETS: AUTH_SECRET,
        MIN_BLOCK_WAIT_MS: '10',
        // The shared world gets no further blocks.
        PLANNING_DELAY_SECONDS: '7200',
      },
      ...{ SUBSCRIPTIONS_PER_CLIENT: '1000', EXPORTS_PER_CLIENT: '1000' },
      ...UNLIMITED,
      ...PATIENT,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const faults: string[] = []
  let errors = ''
  let lines = 0
  child.stderr.on('data', (chunk) => {
    errors += chunk
    faults.push(`standard error: ${chunk}`)
  })
  const ended = once(child, 'close')
  const url = new Promise<URL>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines += 1
      const fault = faultOf(line, secrets)
      if (fault) faults.push(fault)
      else if (line.includes('"msg":"listening"'))
        resolve(new URL(`http://127.0.0.1:${JSON.parse(line).port}`))
    })
    void ended.then(() => reject(new Error(`the gateway did not listen: ${errors}`)))
  })
  return {
    url: await url,
    /** They grow: the tokens of a run are secrets of the log, too. */
    secrets,
    /**
     * Faults since the last call: lines that the log must not hold, standard error of the process, and its end.
     */
    takeFaults: () => [
      ...faults.splice(0),
      ...(child.exitCode === null && child.signalCode === null ? [] : ['the process has ended']),
    ],
    logLines: () => lines,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export type GatewayProcess = Awaited<ReturnType<typeof startGatewayProcess>>

/** A line that is no JSON, that leaks, or that reports a failure. */
function faultOf(line: string, secrets: readonly string[]): string | undefined {
  const level: unknown = levelOf(line)
  if (typeof level !== 'number') return `no JSON: ${line}`
  if (level > PINO_WARN) return `a failure: ${line}`
  const leak = findLeak(line.replaceAll(String.raw`\n`, '\n'), secrets)
  return leak && `a leak of ${leak}: ${line}`
}

function levelOf(line: string): unknown {
  try {
    return JSON.parse(line).level
  } catch {
    return undefined
  }
}
