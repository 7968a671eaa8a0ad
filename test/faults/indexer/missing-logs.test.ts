/**
 * A node that omits logs during the first index: the index is not published, and is built again from the later answers
 * of the node.
 */
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createChain } from '../../../api/chain/client.ts'
import { createVerify } from '../../../auditor/verify.ts'
import { loadManifest } from '../../../deployments/manifest.ts'
import { connected, transaction } from '../../../indexer/service/connection.ts'
import { excludeWriter } from '../../../indexer/service/writer-lock.ts'
import { readTables } from '../../indexer/truth/tables.ts'
import {
  createIndexedDatabase,
  finalizeAndProject,
  type IndexedDatabase,
  until,
  writeTestManifest,
} from '../../support/indexer.ts'
import { type Answer, startNodeProxy } from '../../support/node-proxy.ts'
import { startWorld } from '../../support/protocol.ts'
import { registerClaim } from '../../support/scenario.ts'
import { undisturbed } from './reference.ts'
import { type Supervised, supervise } from './supervised.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let node: Awaited<ReturnType<typeof startNodeProxy>>
let database: IndexedDatabase
let service: Supervised
let hasLied = false
let isHonest = false

/** Only ranges: the logs of one block are checked against its hash. */
function leaveOut({ method, params }: { method: string; params: unknown[] }): Answer {
  const [filter] = params
  const isRange = typeof filter === 'object' && filter !== null && 'fromBlock' in filter
  if (isHonest || method !== 'eth_getLogs' || !isRange) return undefined
  hasLied = true
  return { result: [] }
}

beforeAll(async () => {
  world = await startWorld()
  const { issuer, beneficiary } = world.parties
  await registerClaim(world, {
    issuer,
    beneficiary: beneficiary.address,
    token: world.usd,
    faceValue: 1_000_000n,
  })
  // Logs nearer to the head are proven.
  await world.chain.mine({ blocks: 600 })
  node = await startNodeProxy(leaveOut, world.rpcUrl)
  database = await createIndexedDatabase(world)
})
afterAll(async () => {
  await service?.stop()
  await database?.remove()
  await node?.stop()
  await world?.stop()
})

it('is never served, and is replaced by a complete one automatically', async () => {
  const manifest = await writeTestManifest(world)
  const verify = createVerify({
    databaseUrl: database.urls.indexer,
    chain: createChain({ urls: [world.rpcUrl], timeout: 10_000 }),
    manifest: loadManifest(world.chainId, manifest.folder),
  })
  service = await supervise(world, database.urls.indexer, { rpcUrls: [node.url], verify })
  await service.logged(({ alarm }) => alarm === 'NOT_PUBLISHED')
  expect(hasLied).toBe(true)
  const { rows } = await database.pool.query(`select to_regclass('projection.claim') as view`)
  expect(rows).toEqual([{ view: null }])
  isHonest = true
  await service.logged(({ msg }) => msg === 'reads are served from this version')
  const reference = await undisturbed(world)
  expect(await finalizeAndProject(world, database.pool)).toBeGreaterThanOrEqual(reference.block)
  expect(await readTables(database.pool)).toEqual(reference.tables)
  await manifest.remove()
})

it('is dropped before another process may write its schema', async () => {
  const own = await createIndexedDatabase(world)
  onTestFinished(own.remove)
  const reader = new pg.Client({ connectionString: own.urls.indexer })
  await reader.connect()
  onTestFinished(() => reader.end())
  const indexer = await own.start({
    verify: async (schema) => {
      // The drop waits for the end of this transaction.
      await reader.query('begin')
      await reader.query(`select from ${reader.escapeIdentifier(schema)}.claim`)
      return ['a claim is missing']
    },
  })
  await expect(indexer.ready()).rejects.toThrow('a claim is missing')
  await until(async () => {
    const { rowCount } = await own.pool.query(
      `select from pg_locks where locktype = 'relation' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    )
    return rowCount === 1
  })
  const isFree = () =>
    connected(own.urls.indexer, (client) => transaction(client, () => excludeWriter(client, indexer.schema)))
  expect(await isFree()).toBe(false)
  await reader.query('commit')
  await indexer.exited
  expect(await isFree()).toBe(true)
  const { rows } = await own.pool.query('select to_regnamespace($1) as schema', [indexer.schema])
  expect(rows).toEqual([{ schema: null }])
})
