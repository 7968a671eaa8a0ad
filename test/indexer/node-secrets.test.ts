/** The URL of a node may hold a key, which must not appear in the log of the indexer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIndexedDatabase, type IndexedDatabase, until, writeTestManifest } from '../support/indexer.ts'
import { INHERITED } from '../support/inherited.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { startWorld } from '../support/protocol.ts'

const SERVICE = join(import.meta.dirname, '../../scripts/start-indexer.ts')
const SECRETS = '/v2/k3y-in-path?token=k3y-in-query'
const SECRET = /k3y-in-path|k3y-in-query/

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
beforeAll(async () => {
  world = await startWorld()
  database = await createIndexedDatabase(world)
})
afterAll(async () => {
  await database.remove()
  await world.stop()
})

/** Runs the service with this node until a line of its output matches. @returns all lines until it has ended */
async function logUntil(rpcUrl: string, pattern: RegExp, env = {}): Promise<string[]> {
  const manifest = await writeTestManifest(world)
  const child = spawn(process.execPath, [SERVICE], {
    env: {
      ...INHERITED,
      CHAIN_ID: `${world.chainId}`,
      RPC_URLS: rpcUrl,
      DATABASE_URL: database.urls.indexer,
      DEPLOYMENTS_DIR: manifest.folder,
      METRICS_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const lines: string[] = []
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => void lines.push(line))
  }
  await until(async () => lines.some((line) => pattern.test(line)))
  child.kill('SIGTERM')
  await ended
  await manifest.remove()
  return lines
}

describe('the output of the service', () => {
  it('has no URL of a node that refuses its key while Ponder runs', async () => {
    let isGood = true
    const node = await startNodeProxy(
      () => (isGood ? undefined : { status: 401, body: `k3y-in-path is no key of ${SECRETS}` }),
      world.rpcUrl,
    )
    const lines = logUntil(node.url + SECRETS, /"status":401|Status: 401/)
    await until(async () => {
      const { rows } = await database.pool.query(`select to_regclass('projection.claim') is not null as up`)
      return rows[0]?.up === true
    })
    isGood = false
    expect((await lines).filter((line) => SECRET.test(line))).toEqual([])
    await node.stop()
  })

  it('has no URL of a node of another chain, and names the chain', async () => {
    const node = await startNodeProxy(
      ({ method }) => (method === 'eth_chainId' ? { result: '0xa' } : undefined),
      world.rpcUrl,
    )
    const lines = await logUntil(node.url + SECRETS, /node 1 of 1 serves chain 10, not 31337/)
    await node.stop()
    expect(lines.filter((line) => SECRET.test(line))).toEqual([])
  })

  it('has no URL of a node with another genesis block than GENESIS_HASH, and names both blocks', async () => {
    const node = await startNodeProxy(() => undefined, world.rpcUrl)
    const wanted = `0x${'ab'.repeat(32)}`
    const pattern = new RegExp(`serves the genesis block 0x[0-9a-f]{64}, not ${wanted}`)
    const lines = await logUntil(node.url + SECRETS, pattern, { GENESIS_HASH: wanted })
    await node.stop()
    expect(lines.filter((line) => SECRET.test(line))).toEqual([])
  })
})
