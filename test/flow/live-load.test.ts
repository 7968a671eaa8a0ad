/**
 * Subscriptions under load: far more of them than connections, some whose reads wait, and other callers beside them.
 */
import { createClient } from 'graphql-sse'
import pg from 'pg'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import * as act from '../support/scenario.ts'
import { signIn } from '../support/sign-in.ts'

/** Eight for reads, of which events use two, and those of one caller one. */
const CONNECTIONS = 9
const MANY = 60

let the: LiveWorld
let admin: pg.Client
/** Not `admin`: inside a transaction, Postgres answers from the activity that it saw first. */
let observer: pg.Client
beforeAll(async () => {
  the = await startLiveWorld({
    DATABASE_POOL_SIZE: String(CONNECTIONS),
    // Room for those of the tests before, of which the gateway has not noticed yet that they have left.
    SUBSCRIPTIONS_PER_CLIENT: String(3 * MANY),
    READ_QUEUE_PER_CLIENT: String(MANY),
    DATABASE_TIMEOUT_MS: '600000',
    READ_TIMEOUT_MS: '600000',
  })
  admin = new pg.Client({ connectionString: the.ownerUrl })
  observer = new pg.Client({ connectionString: the.ownerUrl })
  await Promise.all([admin.connect(), observer.connect()])
})
afterAll(async () => {
  await Promise.all([admin.end(), observer.end()])
  await the.stop()
})

const BLOCK = 'subscription { finalizedBlock { blockNumber } }'
/** Its events wait for a lock on activity. */
const OF_ACTIVITY =
  'subscription { account(address: "0x0000000000000000000000000000000000000001") { activity(first: 1) { nodes { vault { name } } } } }'

/** Opens subscriptions, and waits until each has begun. */
async function open(query: string, many: number) {
  const all = Array.from({ length: many }, () => the.sse.iterate<Record<string, unknown>>({ query }))
  for (const events of all) expect((await events.next()).value?.data).toBeDefined()
  return all
}

const blockOf = (event: unknown) => Number(/"blockNumber":(\d+)/.exec(JSON.stringify(event))?.[1])

async function advance(): Promise<number> {
  await the.world.chain.mine({ blocks: 1 })
  return Number(await the.project())
}

/** Statements that wait for the lock on activity. */
async function lockedOut(): Promise<number> {
  const { rowCount } = await observer.query(
    `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%"activity"%'`,
  )
  return rowCount ?? 0
}

describe('many more subscriptions than connections', () => {
  it('all learn of the next block, and hold no connection while they wait for it', async () => {
    const all = await open(BLOCK, MANY)
    const block = await advance()
    const seen = await Promise.all(
      all.map(async (events) => {
        for await (const event of events) if (blockOf(event) >= block) return true
        return false
      }),
    )
    expect(seen).toEqual(Array(MANY).fill(true))
    await expect.poll(() => the.pool.totalCount - the.pool.idleCount).toBe(0)
    expect(the.pool.waitingCount).toBe(0)
  })

  it('of a claim, an account and an execution all learn of the execution that changes them', async () => {
    const { issuer, beneficiary } = the.world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 1_000_000n }
    const { claimId } = await act.registerClaim(the.world, terms)
    const vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: 5_000_000n })
    await the.project()
    const execution = { user: beneficiary, claimId, vault, faceAmount: 500_000n }
    const { executionId } = await act.executeFinancing(the.world, execution)
    const account = `account(address: "${beneficiary.address}")`
    // Those of executions ask the chain: eleven cost what one client address may have in all.
    const fields: readonly [many: number, field: string, changed: string][] = [
      [25, `claim(claimId: "${claimId}") { state }`, '"state":"PARTIALLY_FUNDED"'],
      [25, `${account} { executions(first: 1) { nodes { executionId } } }`, executionId],
      [10, `execution(executionId: "${executionId}") { status }`, '"status":"EXECUTED"'],
    ]
    const waiting = await Promise.all(
      fields.map(async ([many, field, changed]) => ({
        all: await open(`subscription { ${field} }`, many),
        changed,
      })),
    )
    await the.project()
    const seen = waiting.flatMap(({ all, changed }) =>
      all.map(async (events) => {
        for await (const event of events) if (JSON.stringify(event.data).includes(changed)) return true
        return false
      }),
    )
    expect(await Promise.all(seen)).toEqual(Array(MANY).fill(true))
    await expect.poll(() => the.pool.totalCount - the.pool.idleCount).toBe(0)
  })

  it('leave connections to queries while their reads wait, and end their statements when they leave', async () => {
    const all = await open(OF_ACTIVITY, 10)
    // Whatever reads activity waits from now on.
    await admin.query('begin; lock table projection.activity in access exclusive mode')
    await advance()
    await expect.poll(lockedOut).toBe(1)
    expect((await fetch(the.url('/vaults'))).status).toBe(200)
    expect((await fetch(the.url('/health/ready'))).status).toBe(200)
    for (const events of all) await events.return?.()
    await expect.poll(lockedOut).toBe(0)
    await admin.query('rollback')
    await expect.poll(() => the.pool.totalCount - the.pool.idleCount).toBe(0)
  })

  it('of one caller leave a connection to those of others while their reads wait', async () => {
    const token = await signIn(the.app, privateKeyToAccount(generatePrivateKey()))
    const headers = { Authorization: `Bearer ${token}` }
    const other = createClient({ url: the.url('/graphql'), headers, retryAttempts: 0 })
    const all = await open(OF_ACTIVITY, 10)
    await admin.query('begin; lock table projection.activity in access exclusive mode')
    const first = await advance()
    await expect.poll(lockedOut).toBe(1)
    const events = other.iterate({ query: BLOCK })
    expect(blockOf((await events.next()).value)).toBeGreaterThanOrEqual(first)
    const next = await advance()
    for await (const event of events) if (blockOf(event) >= next) break
    for (const own of all) await own.return?.()
    other.dispose()
    await admin.query('rollback')
    await expect.poll(() => the.pool.totalCount - the.pool.idleCount).toBe(0)
  })
})
