/** The auditor as a process, and the gateway that reports its differences. */
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ANSWER_BYTES_MAX } from '../../api/chain/call-limits.ts'
import { firstOrdinalOf } from '../../api/domain/ordinal.ts'
import { seededRandom } from '../../api/domain/random.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { createMetrics } from '../../auditor/metrics.ts'
import { look, type Service } from '../../auditor/service.ts'
import { openStore, saveProgress } from '../../auditor/store.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { type StopSignal, startChild } from '../../devnet/child.ts'
import { ask } from '../indexer/lying-node.ts'
import { playRandomHistory } from '../indexer/random-world.ts'
import { createGateway } from '../support/gateway.ts'
import { writeTestManifest } from '../support/indexer.ts'
import { INHERITED } from '../support/inherited.ts'
import { TEST_LIMITS } from '../support/limits.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { createTestStore } from '../support/store.ts'
import { type AuditedWorld, startAuditedWorld } from './audited.ts'
import { camel } from './planted.ts'

const MAIN = join(import.meta.dirname, '../../auditor/main.ts')

let audited: AuditedWorld
let service: Service
let lines: Record<string, unknown>[]
let empty: Awaited<ReturnType<typeof createTestStore>>
let gatewayPool: ReturnType<typeof createPool>
let deployments: Awaited<ReturnType<typeof writeTestManifest>>

beforeAll(async () => {
  audited = await startAuditedWorld((world) => playRandomHistory(world, 5, 20))
  await audited.owner.query(`alter table ${audited.schema}.claim disable trigger user`)
  empty = await createTestStore()
  gatewayPool = createPool(audited.database.urls.gateway, 3)
  const { typeHashes } = loadManifest(audited.world.chainId)
  deployments = await writeTestManifest(audited.world, { typeHashes })
  lines = []
  service = {
    auditor: audited.auditor,
    store: await openStore(audited.pool),
    random: seededRandom(3),
    sampleRows: 0,
    metrics: createMetrics(),
    log: pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) }),
    clock: Date.now,
  }
})
afterAll(async () => {
  await gatewayPool?.end()
  await empty?.stop()
  await deployments?.remove()
  await audited?.stop()
})

function gateway(env: Record<string, string> = {}, clock?: () => number) {
  return createGateway(empty, {
    rpcUrl: audited.world.rpcUrl,
    projectionUrl: audited.database.urls.gateway,
    db: createProjectionDb(gatewayPool),
    env,
    ...(clock && { clock }),
  })
}

async function readiness(env: Record<string, string> = {}) {
  const response = await gateway(env).request('/api/v1/health/ready')
  return { status: response.status, body: await response.json() }
}

const change = (set: string) =>
  audited.owner.query(
    `update ${audited.schema}.claim set ${set} where id = (select min(id) from ${audited.schema}.claim)`,
  )

/** Starts again from the first block: all blocks are new. */
const forget = () =>
  saveProgress(service.store, { number: audited.world.startBlock, timestamp: 0n }, new Date())

describe('a round', () => {
  it('finds no difference in a correct projection, and stores the audited block', async () => {
    expect((await readiness()).body).toMatchObject({ audit: { state: 'ABSENT', differences: [] } })
    expect(await look(service)).toEqual([])
    await forget()
    expect(await look(service)).toEqual([])
    expect(await readiness()).toMatchObject({
      status: 200,
      body: {
        audit: { state: 'RUNNING', through: { blockNumber: Number(audited.block) }, differenceCount: 0 },
      },
    })
  })

  it('finds a wrong value in a row of a new block, logs it, and reports it until it is gone', async () => {
    await change('face_value = face_value + 1')
    await forget()
    const found = await look(service)
    const facts = { entity: 'claim', field: 'faceValue', kind: 'WRONG_VALUE' }
    expect(found).toContainEqual(expect.objectContaining(facts))
    const [one] = found.filter(({ entity, field }) => entity === 'claim' && field === 'faceValue')
    expect(BigInt(one?.projected ?? '')).toBe(BigInt(one?.onChain ?? '') + 1n)
    expect(lines).toContainEqual(
      expect.objectContaining({
        ...facts,
        key: one?.key,
        projected: one?.projected,
        onChain: one?.onChain,
        block: String(audited.block),
      }),
    )
    const seen = { audit: { differenceCount: found.length, missingLogCount: 0 } }
    expect(await readiness()).toMatchObject({ status: 200, body: seen })
    expect(await readiness({ UNREADY_ON_DIFFERENCES: 'any' })).toMatchObject({
      status: 503,
      body: { code: 'PROJECTION_DIFFERS', differenceCount: found.length },
    })
    expect(await service.metrics.registry.metrics()).toContain(
      `audit_differences{kind="WRONG_VALUE"} ${found.length}`,
    )
    expect(await meta()).toMatchObject({
      state: 'RUNNING',
      through: { blockNumber: Number(audited.block) },
      differenceCount: found.length,
      missingLogCount: 0,
      differences: expect.arrayContaining([
        { ...facts, key: one?.key, projected: one?.projected, onChain: one?.onChain },
      ]),
    })

    // The next round finds them again, and logs only what is new.
    expect(await look(service)).toHaveLength(found.length)
    const differs = lines.filter(({ msg }) => msg === 'the projection differs from the chain')
    expect(differs).toHaveLength(found.length)

    await change('face_value = face_value - 1')
    expect(await look(service)).toEqual([])
    expect(lines.filter(({ msg }) => msg === 'a difference is gone')).toHaveLength(found.length)
    expect((await readiness()).body).toMatchObject({ audit: { differenceCount: 0 } })
  })

  it('finds a wrong value by sampling, in a row that no new block changes', async () => {
    await change(`document_hash = '0x' || repeat('7', 64)`)
    const sampling = { ...service, sampleRows: 500 }
    let found = await look(sampling)
    for (let looks = 0; found.length === 0 && looks < 1000; looks += 1) found = await look(sampling)
    expect(found).toEqual([expect.objectContaining({ entity: 'claim', field: 'documentHash' })])
    // The row gets the value of the event, not its previous value.
    await audited.owner.query(`update ${audited.schema}.claim set document_hash = $1 where id = $2`, [
      found[0]?.onChain,
      found[0]?.key,
    ])
    expect(await look(service)).toEqual([])
  })

  it('makes the gateway not ready by default when events are proven missing', async () => {
    const kept = 'create temporary table kept as select * from'
    const { schema, owner } = audited
    await owner.query(`${kept} ${schema}.claim where slice_count > 0 order by id limit 1`)
    await owner.query(`delete from ${schema}.claim where id in (select id from kept)`)
    await forget()
    const found = await look(service)
    expect(found).toContainEqual(
      expect.objectContaining({ entity: 'claim', field: 'row', kind: 'MISSING_LOGS' }),
    )
    expect(await readiness()).toMatchObject({ status: 503, body: { code: 'PROJECTION_DIFFERS' } })
    expect((await readiness({ UNREADY_ON_DIFFERENCES: 'none' })).status).toBe(200)
    expect(await meta()).toMatchObject({ differenceCount: found.length })
    // The next round has no new block, and looks at the missing row again.
    expect((await look(service)).filter(({ kind }) => kind === 'MISSING_LOGS')).toEqual(
      found.filter(({ kind }) => kind === 'MISSING_LOGS'),
    )
    // Nor does it count as found in the round after later blocks.
    await audited.pool.query('update audit.difference set block = block - 1')
    expect(await look(service)).toContainEqual(
      expect.objectContaining({ entity: 'claim', field: 'row', kind: 'MISSING_LOGS' }),
    )
    await owner.query(`insert into ${schema}.claim select * from kept`)
    expect(await look(service)).toEqual([])
    expect((await readiness()).status).toBe(200)
  })

  it.each(['activity', 'settlement', 'capital_change', 'position_change'])(
    'finds rows of %s without an event that are the first of the first block and the last of the last one',
    async (table) => {
      const { schema, owner, block, world } = audited
      const relation = `${schema}.${table}`
      const places = [firstOrdinalOf(world.startBlock + 1n), firstOrdinalOf(block + 1n) - 1n].map(String)
      await owner.query(`alter table ${relation} disable trigger user`)
      for (const id of places) {
        await owner.query(
          `insert into ${relation} select (jsonb_populate_record(a, jsonb_build_object('id', $1::text))).*
           from ${relation} a limit 1`,
          [id],
        )
      }
      const differences = places.map((key) =>
        expect.objectContaining({ entity: camel(table), key, field: 'row', onChain: null }),
      )
      // No event of the last block leads to its row.
      await saveProgress(service.store, { number: block - 1n, timestamp: 0n }, new Date())
      expect(await look(service)).toContainEqual(differences[1])
      await forget()
      const found = await look(service)
      for (const difference of differences) expect(found).toContainEqual(difference)
      await owner.query(`delete from ${relation} where id = any($1)`, [places])
      expect(await look(service)).toEqual([])
    },
  )

  it('audits blocks again whose differences it could not store', async () => {
    await change('slice_count = slice_count + 1')
    await forget()
    const table = 'alter table audit.difference'
    await audited.pool.query(`${table} add constraint refused check (false) not valid`)
    await expect(look(service)).rejects.toMatchObject({ constraint: 'refused' })
    await audited.pool.query(`${table} drop constraint refused`)
    expect(await look(service)).toContainEqual(
      expect.objectContaining({ entity: 'claim', field: 'sliceCount', kind: 'WRONG_VALUE' }),
    )
    await change('slice_count = slice_count - 1')
    expect(await look(service)).toEqual([])
  })

  it('finds a wrong sum of the day of the last block', async () => {
    const { schema, owner } = audited
    const relation = `${schema}.token_day`
    await owner.query(`alter table ${relation} disable trigger user`)
    const add = (difference: number) =>
      owner.query(
        `update ${relation} set advanced = advanced + $1 where day = (select max(day) from ${relation})`,
        [difference],
      )
    await add(1)
    await forget()
    expect(await look(service)).toContainEqual(
      expect.objectContaining({ entity: 'tokenDay', field: 'advanced', kind: 'WRONG_VALUE' }),
    )
    await add(-1)
    expect(await look(service)).toEqual([])
  })

  it('finds in the first round of an auditor that a vault of the registry is missing', async () => {
    const { schema, owner, pool } = audited
    const relation = `${schema}.vault`
    await owner.query(`alter table ${relation} disable trigger user`)
    await owner.query(`create temporary table vaults as select * from ${relation}`)
    await owner.query(`delete from ${relation} where address = (select min(address) from vaults)`)
    await pool.query('delete from audit.progress')
    expect(await look(service)).toContainEqual(
      expect.objectContaining({ entity: 'vault', field: 'row', projected: null, kind: 'MISSING_LOGS' }),
    )
    await owner.query(`insert into ${relation} select * from vaults on conflict do nothing`)
    expect(await look(service)).toEqual([])
  })
})

async function meta() {
  const response = await gateway().request('/api/v1/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `{ _meta { audit { state at through { blockNumber } differenceCount missingLogCount
        differences { kind entity key field projected onChain } } } }`,
    }),
  })
  const { data, errors } = await response.json()
  expect(errors).toBeUndefined()
  return data._meta.audit
}

describe('readiness', () => {
  it('reports that the auditor stopped, and stays 200', async () => {
    await saveProgress(service.store, { number: audited.block, timestamp: 0n }, new Date(0))
    expect(await readiness({ AUDIT_STALE_SECONDS: '600' })).toMatchObject({
      status: 200,
      body: { audit: { state: 'STOPPED' }, auditor: expect.stringMatching(/^stopped/) },
    })
  })

  it('is a 503 beyond either bound of the lag, while reads are answered with their block', async () => {
    const through = Number(audited.block)
    // The indexer is stopped, so these blocks are not projected.
    await audited.world.chain.mine({ blocks: 20, interval: 12 })
    const behind = expect.objectContaining({ code: 'PROJECTION_BEHIND', finalizedThrough: through })
    expect(await readiness({ READY_BLOCKS_BEHIND_MAX: '10' })).toEqual({ status: 503, body: behind })
    expect(await readiness({ READY_SECONDS_BEHIND_MAX: '60' })).toEqual({ status: 503, body: behind })
    const ready = await readiness()
    expect([ready.status, ready.body.blocksBehind > 10, ready.body.secondsBehind > 60]).toEqual([
      200,
      true,
      true,
    ])
    const response = await gateway({ READY_BLOCKS_BEHIND_MAX: '0' }).request('/api/v1/vaults')
    expect([response.status, response.headers.get('X-Finalized-Through')]).toEqual([200, String(through)])
  })

  it('states since when the projection is at its block', async () => {
    let now = 1_800_000_000_000
    const app = gateway({}, () => now)
    const since = async () => (await (await app.request('/api/v1/health/ready')).json()).unchangedSince
    const first = await since()
    now += 60_000
    expect([first, await since()]).toEqual(['2027-01-15T08:00:00.000Z', '2027-01-15T08:00:00.000Z'])
  })
})

describe('the command', () => {
  const run = (
    args: readonly string[],
    env: Record<string, string> = {},
    stopSignal: StopSignal = 'SIGTERM',
  ) =>
    startChild({
      name: 'the auditor',
      program: process.execPath,
      args: [MAIN, ...args],
      stopSignal,
      spawn: {
        env: {
          ...INHERITED,
          DATABASE_URL: audited.database.urls.auditor,
          RPC_URLS: audited.world.rpcUrl,
          CHAIN_ID: String(audited.world.chainId),
          DEPLOYMENTS_DIR: deployments.folder,
          AUDIT_METRICS_PORT: '0',
          DATABASE_TIMEOUT_MS: TEST_LIMITS.DATABASE_TIMEOUT_MS,
          RPC_TIMEOUT_MS: TEST_LIMITS.RPC_TIMEOUT_MS,
          ...env,
        },
      },
    })

  it('--all exits with 0 without a difference, and with 1 otherwise', async () => {
    await look(service)
    expect(await run(['--all']).exited).toMatchObject({ code: 0 })
    // No sum depends on it.
    await change('slice_count = slice_count + 1')
    const { code, lastWords } = await run(['--all']).exited
    // The logs are on another stream, whose lines can come later.
    const said = expect.stringContaining(`1 differences at finalized block ${audited.block}`)
    expect({ code, said: lastWords.join('\n') }).toEqual({ code: 1, said })
    expect((await readiness()).body).toMatchObject({ audit: { differenceCount: 1 } })
    expect(await run(['--once']).exited).toMatchObject({ code: 1 })
    await change('slice_count = slice_count - 1')
    expect(await run(['--all']).exited).toMatchObject({ code: 0 })
    expect((await readiness()).body).toMatchObject({ audit: { differenceCount: 0 } })
    expect(await run(['--once']).exited).toMatchObject({ code: 0 })
  })

  it('reads the logs of a block of thousands of events', async () => {
    let isAsked = false
    const { rpcUrl } = audited.world
    const node = await startNodeProxy(async ({ method, params }) => {
      if (method !== 'eth_getLogs') return undefined
      isAsked = true
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: await ask(rpcUrl, { method, params }) })
      return { status: 200, body: body + ' '.repeat(ANSWER_BYTES_MAX) }
    }, rpcUrl)
    onTestFinished(node.stop)
    expect(await run(['--all'], { RPC_URLS: node.url }).exited).toMatchObject({ code: 0 })
    expect(isAsked).toBe(true)
  })

  it('exits with 2 for an unknown argument, for two that exclude each other, and without its settings', async () => {
    expect(await run(['--some']).exited).toMatchObject({ code: 2 })
    expect(await run(['--all', '--once']).exited).toMatchObject({ code: 2 })
    const { code, lastWords } = await run(['--all'], { CHAIN_ID: '' }).exited
    expect([code, lastWords.at(-1)]).toEqual([2, expect.stringContaining('CHAIN_ID')])
  })

  it.each([
    ['RPC_URLS', 'http://203.0.113.5:8545'],
    ['DATABASE_URL', 'postgres://auditor:secret@203.0.113.5/claims'],
  ])('exits with 2 for an unencrypted connection to the internet: %s', async (setting, url) => {
    const { code, lastWords } = await run(['--all'], { [setting]: url }).exited
    expect([code, lastWords.join()]).toEqual([
      2,
      expect.stringContaining(`${setting} leads to a public address`),
    ])
  })

  it('exits with 2 where the contracts are not those of the manifest', async () => {
    const other = await writeTestManifest(audited.world)
    onTestFinished(other.remove)
    const { code, lastWords } = await run(['--once'], { DEPLOYMENTS_DIR: other.folder }).exited
    expect([code, lastWords.join()]).toEqual([2, expect.stringContaining('the audit failed')])
  })

  it('exits with 2 when no node answers, and does not print the key in the URL of the node', async () => {
    const { code, lastWords } = await run(['--all'], { RPC_URLS: 'http://127.0.0.1:1/v2/hunter2' }).exited
    expect([code, lastWords.join()]).toEqual([2, expect.stringContaining('the audit failed')])
    expect(lastWords.join()).not.toContain('hunter2')
  })

  it.each([
    ['SIGTERM', '100'],
    ['SIGINT', '3600000'],
  ] as const)('follows the projection and serves its metrics until %s', async (signal, interval) => {
    const child = run([], { AUDIT_INTERVAL_MS: interval, AUDIT_SEED: '0' }, signal)
    const started = JSON.parse(await child.line(/"auditing"/))
    expect(started).toMatchObject({ seed: 0, metrics: { address: '127.0.0.1' } })
    const metrics = async () => (await fetch(`http://127.0.0.1:${started.metrics.port}/metrics`)).text()
    await expect.poll(metrics).toContain(`audit_block ${audited.block}`)
    expect(await child.stop()).toMatchObject({ code: 0 })
  })
})
