/**
 * The projection says what the chain says. After a random history every column of every row, every aggregate and every
 * series is compared with the logs of the contracts, added up apart from the indexer and the gateway, and these with
 * the contracts' own state.
 *
 *     SEED=7 HISTORY_STEPS=600 HISTORY_POINTS=200 npx vitest run --project own test/indexer/agreement.test.ts
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../graphql/client.ts'
import { createIndexedDatabase, finalizeAndProject, type IndexedDatabase } from '../support/indexer.ts'
import { startWorld } from '../support/protocol.ts'
import { describeAggregates } from './agreement-aggregates.ts'
import { describePast } from './agreement-as-of.ts'
import { describeConcentration } from './agreement-concentration.ts'
import { describeMaturities } from './agreement-maturities.ts'
import { describePositions } from './agreement-positions.ts'
import { describeRecords } from './agreement-records.ts'
import { describeReturns } from './agreement-returns.ts'
import { describeExposures, describeSeries } from './agreement-series.ts'
import { describeStatements } from './agreement-statements.ts'
import { playRandomHistory } from './random-world.ts'
import { BOUNDS } from './truth/bounds.ts'
import { countCalls } from './truth/calls.ts'
import { type History, readHistory } from './truth/history.ts'
import { compareWithState } from './truth/state.ts'
import { asCells, readTables, type Truth, truthOf } from './truth/tables.ts'

/** The history of this seed has everything that a history can have. */
const FULL_SEED = 20_260_711
const SEED = Number(process.env.SEED ?? FULL_SEED)
/** That history has this many. */
const FULL_STEPS = 90
const STEPS = Number(process.env.HISTORY_STEPS ?? FULL_STEPS)

let world: Awaited<ReturnType<typeof startWorld>>
let database: IndexedDatabase
let client: ReturnType<typeof createClient>
let block: bigint
let history: History
let truth: Truth

beforeAll(async () => {
  world = await startWorld()
  database = await createIndexedDatabase(world)
  await playRandomHistory(world, SEED, STEPS)
  await (await database.start()).ready()
  block = await finalizeAndProject(world, database.pool)
  history = await readHistory(world, block)
  truth = truthOf(history)
  client = createClient(database.url, 3, world.rpcUrl)
})

afterAll(async () => {
  await client?.stop()
  await database?.remove()
  await world?.stop()
})

const TABLES: readonly (keyof Truth)[] = [
  'activity',
  'allocation',
  'capital_change',
  'claim',
  'claim_total',
  'credit',
  'due_day',
  'execution',
  'execution_leg',
  'issuer',
  'issuer_day',
  'payment_record',
  'pending_terms',
  'position_change',
  'position_day',
  'route_cancellation',
  'router',
  'settlement',
  'status_version',
  'token',
  'token_day',
  'value_day',
  'vault',
  'vault_day',
  'vault_position',
  'vault_terms',
  'vault_version',
]

describe(`the projection of a random history (seed ${SEED}, ${STEPS} steps)`, () => {
  it('has the tables that are compared, and no others', async () => {
    expect(Object.keys(await readTables(database.pool))).toEqual(TABLES)
  })

  for (const table of TABLES) {
    it(`has every row and every column of ${table} as the logs have it`, async () => {
      const rows = (await readTables(database.pool))[table]
      expect(rows).toEqual(asCells(truth[table]))
      expect(rows?.length).toBeGreaterThan(0)
    })
  }

  it('has what the contracts hold at its block', async () => {
    const pairs = await compareWithState(world, truth, block)
    for (const { of, rows, state } of pairs) expect([of, rows]).toEqual([of, state])
    expect(pairs.length).toBeGreaterThan(100)
  })
})

describe('the random history', () => {
  for (const [bound, occurs] of BOUNDS) {
    it.runIf(SEED === FULL_SEED && STEPS === FULL_STEPS)(`has ${bound}`, () =>
      expect(occurs(history, truth)).toBe(true),
    )
  }

  it.runIf(SEED === FULL_SEED)('calls every function of every contract that changes state', async () => {
    const counts = await countCalls(world, truth, block)
    expect(counts.size).toBeGreaterThan(25)
    expect([...counts].filter(([, count]) => count === 0)).toEqual([])
  })
})

describe('an aggregate over the random history', () => {
  describeAggregates(SEED, () => ({ world, client, block, history, truth }))
})

describe('an exposure at the end of the random history', () => {
  describeExposures(() => ({ world, client, block, history, truth }))
})

describe('maturities at the end of the random history', () => {
  describeMaturities(SEED, () => ({ world, client, block, history, truth }))
})

describe('the concentration of a vault at the end of the random history', () => {
  describeConcentration(() => ({ world, client, block, history, truth }))
})

describe('a position at the end of the random history', () => {
  describePositions(SEED, () => ({ world, client, block, history, truth }))
})

describe('a payment record at the end of the random history', () => {
  describeRecords(() => ({ world, client, block, history, truth }))
})

describe('an annualized return at the end of the random history', () => {
  describeReturns(() => ({ world, client, block, history, truth }))
})

describe('the projection of the random history', () => {
  describePast(
    SEED,
    () => ({ world, client, block, history, truth }),
    () => database.pool,
  )
})

describe('a statement of the random history', () => {
  describeStatements(SEED, () => ({ world, client, block, history, truth }))
})

describe('a series over the random history', () => {
  describeSeries(SEED, () => ({ world, client, block, history, truth }))
})
