/** The indexer as it runs in production: `npm run start:indexer`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { ANSWER_BYTES_MAX } from '../../api/chain/call-limits.ts'
import {
  createIndexedDatabase,
  finalizeAndProject,
  type IndexedDatabase,
  until,
  writeTestManifest,
} from '../support/indexer.ts'
import { INHERITED } from '../support/inherited.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { startWorld } from '../support/protocol.ts'
import { ask, askPadded } from './lying-node.ts'

const PID = /"pid":(\d+),"msg":"Ponder runs"/
const PORT = /"msg":"Created HTTP server".*"port":(\d+)/
/** The level of the line that states whether a version was published. */
const OUTCOME =
  /"level":(\d+).*"msg":"(?:reads are served from this version|the version could not be published)"/
/** The level of the line that states that a node gave a wrong answer. */
const REFUSED = /"level":(\d+).*"msg":"node [^"]*; it is not used"/
const INFO = 30
const SCRIPT = join(import.meta.dirname, '../../scripts/start-indexer.ts')

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
let manifest: Awaited<ReturnType<typeof writeTestManifest>>
beforeAll(async () => {
  world = await startWorld()
  database = await createIndexedDatabase(world)
  manifest = await writeTestManifest(world)
})
afterAll(async () => {
  await database.remove()
  await manifest.remove()
  await world.stop()
})

function startService(env: Record<string, string>) {
  const child = spawn(process.execPath, [SCRIPT], {
    env: { ...INHERITED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
  })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  /** The number that the latest such line has. */
  const latest = (pattern: RegExp) =>
    lines
      .flatMap((line) => pattern.exec(line)?.[1] ?? [])
      .map(Number)
      .at(-1)
  const ended = once(child, 'close').then(([code]) => ({ code, complaints }))
  return { child, ended, latest }
}

it('indexes from its environment, survives the death of Ponder, stops in order on SIGTERM and leaves no lock', async () => {
  const env = {
    CHAIN_ID: `${world.chainId}`,
    RPC_URLS: world.rpcUrl,
    DATABASE_URL: database.urls.indexer,
    DEPLOYMENTS_DIR: manifest.folder,
    POLLING_INTERVAL_MS: '100',
    METRICS_HOST: '127.0.0.2',
    METRICS_PORT: '0',
    // Ponder prefers these to its arguments. Others than the indexer set them.
    PORT: '1',
    DATABASE_SCHEMA: 'of_another_program',
  }
  const service = startService(env)
  await finalizeAndProject(world, database.pool)
  expect(service.latest(PORT)).toBeGreaterThan(1)
  const metrics = (host: string) => fetch(`http://${host}:${service.latest(PORT)}/metrics`)
  expect(await (await metrics('127.0.0.2')).text()).toContain('ponder_')
  await expect(metrics('127.0.0.1')).rejects.toThrow()

  const killed = service.latest(PID)
  if (killed === undefined) throw new Error('the service names no process of Ponder')
  process.kill(killed, 'SIGKILL')
  await until(async () => service.latest(PID) !== killed)
  await finalizeAndProject(world, database.pool)
  service.child.kill('SIGTERM')
  expect(await service.ended).toEqual({ code: 0, complaints: '' })
  const { rows } = await database.pool.query(
    `SELECT value ->> 'is_locked' AS locked FROM projection._ponder_meta`,
  )
  expect(rows).toEqual([{ locked: '0' }])
})

it('publishes an index of a block with more events than any other answer may have', async () => {
  await publishes(async (request) =>
    request.method === 'eth_getLogs' ? askPadded(world.rpcUrl, request, ANSWER_BYTES_MAX) : undefined,
  )
})

it('indexes a chain that computes the hash of headers differently, without the checks of blocks', async () => {
  await publishes(
    async ({ method, params }) => {
      if (!method.startsWith('eth_getBlockBy')) return undefined
      const block = await ask(world.rpcUrl, { method, params })
      return { result: block === null ? null : { ...z.looseObject({}).parse(block), extraData: '0x01' } }
    },
    { VERIFY_BLOCKS: 'no' },
  )
})

/** A service indexes the chain from a node that answers so, and publishes the index. */
async function publishes(answer: Parameters<typeof startNodeProxy>[0], env: Record<string, string> = {}) {
  const node = await startNodeProxy(answer, world.rpcUrl)
  const own = await createIndexedDatabase(world)
  const service = startService({
    CHAIN_ID: `${world.chainId}`,
    RPC_URLS: node.url,
    DATABASE_URL: own.urls.indexer,
    DEPLOYMENTS_DIR: manifest.folder,
    METRICS_PORT: '0',
    ...env,
  })
  try {
    await expect.poll(() => service.latest(OUTCOME) ?? service.latest(REFUSED)).toBeDefined()
    expect(service.latest(OUTCOME)).toBe(INFO)
  } finally {
    service.child.kill('SIGTERM')
    await service.ended
    await own.remove()
    await node.stop()
  }
}

it('refuses to start without its settings, in a sentence that names them', async () => {
  const { code, complaints } = await startService({ CHAIN_ID: '31337' }).ended
  expect(code).toBe(1)
  expect(complaints).toMatch(/^The indexer did not start: .*DATABASE_URL.*RPC_URLS/)
})

it.each([
  ['RPC_URLS', 'http://203.0.113.5:8545/hunter2'],
  ['DATABASE_URL', 'postgres://indexer:hunter2@203.0.113.5/none'],
])('refuses to start with an unencrypted connection to the internet: %s', async (setting, url) => {
  const env = {
    CHAIN_ID: '31337',
    RPC_URLS: 'http://127.0.0.1:1',
    DATABASE_URL: 'postgres://indexer:indexer@127.0.0.1:1/none',
  }
  const { code, complaints } = await startService({ ...env, [setting]: url }).ended
  expect(code).toBe(1)
  expect(complaints).toMatch(
    new RegExp(`^The indexer did not start: ${setting} leads to a public address (?!.*(?:203|hunter2))`),
  )
})
