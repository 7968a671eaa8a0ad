import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewPreparedExecution } from '../../api/store/database.ts'
import {
  findPreparedAnswer,
  findPreparedExecution,
  storePrepared,
  storePreparedRoute,
} from '../../api/store/prepared-executions.ts'
import { readPreparedLegs, writePreparedLegs } from '../../api/store/prepared-legs.ts'
import { pruneIntents, pruneStore } from '../../api/store/prune.ts'
import type { RouteIntent } from '../../api/store/route-intent-row.ts'
import { consumeIntent, countIntents, createIntent, failIntent } from '../../api/store/route-intents.ts'
import { rejection } from '../support/coded.ts'
import { createTestStore } from '../support/store.ts'

const SECOND = 1000
const DAY = 86_400 * SECOND
const start = new Date('2027-01-15T12:00:00.250Z')
const startPlus = (milliseconds: number) => new Date(start.getTime() + milliseconds)
const user = `0x${'ee'.repeat(20)}` as const
const stranger = `0x${'dd'.repeat(20)}` as const

let world: Awaited<ReturnType<typeof createTestStore>>
let ids = 0

beforeAll(async () => {
  world = await createTestStore()
})
afterAll(() => world.stop())

function plan(change: Partial<RouteIntent> = {}): Omit<RouteIntent, 'intentId' | 'status'> {
  ids += 1
  return {
    routeId: `0x${ids.toString(16).padStart(64, '0')}`,
    user,
    blockNumber: 100n,
    request: {
      claimIds: [`0x${'0a'.repeat(32)}`, `0x${'0b'.repeat(32)}`],
      targetAdvance: 2n ** 100n,
      maxTotalFace: undefined,
      maxTotalCost: 7n,
      routeDeadlineSeconds: 300,
    },
    legs: [{ claimId: `0x${'0a'.repeat(32)}`, vault: `0x${'0c'.repeat(20)}`, faceAmount: 2n ** 101n }],
    createdAt: start,
    expiresAt: startPlus(120 * SECOND),
    userDeadline: BigInt(Math.floor(start.getTime() / 1000)) + 300n,
    ...change,
  }
}

const asStored = (intent: object) => ({ ...intent, intentId: expect.any(String), status: 'PENDING' })

const consume = (intent: { routeId: `0x${string}` }, now: Date, by = user, idempotencyKey?: string) =>
  consumeIntent(world.store, { routeId: intent.routeId, user: by, idempotencyKey }, now)

describe('creating an intent', () => {
  it('gives back exactly what was stored, PENDING', async () => {
    const intent = plan()
    expect(await createIntent(world.store, intent)).toEqual(asStored(intent))
  })

  it('gives back a request with the other limit, and one of a version that stored no claims', async () => {
    const limits = { maxTotalFace: 2n ** 102n, maxTotalCost: undefined }
    for (const claimIds of [[], undefined]) {
      const request = { claimIds, targetAdvance: 1n, ...limits, routeDeadlineSeconds: 60 }
      const intent = plan({ request })
      expect(await createIntent(world.store, intent)).toEqual(asStored(intent))
    }
  })

  it('leaves other plans that expired, so that preparing them says that they expired', async () => {
    const [expired, later] = [plan(), plan({ createdAt: startPlus(120 * SECOND) })]
    await createIntent(world.store, expired)
    await createIntent(world.store, later)
    expect(await rejection(consume(expired, startPlus(120 * SECOND)))).toBe('ROUTE_INTENT_EXPIRED')
  })

  it('returns the earlier one instead of writing over it, whatever its status', async () => {
    const intent = plan()
    await createIntent(world.store, intent)
    const later = { ...intent, createdAt: startPlus(SECOND), expiresAt: startPlus(121 * SECOND) }
    expect(await createIntent(world.store, later)).toEqual(asStored(intent))
    const { intentId } = await consume(intent, startPlus(SECOND))
    expect(await createIntent(world.store, later)).toMatchObject({
      status: 'CONSUMED',
      expiresAt: intent.expiresAt,
    })
    await failIntent(world.store, intentId, 'ROUTER_PAUSED')
    expect(await createIntent(world.store, later)).toMatchObject({ status: 'FAILED' })
  })

  it('makes one row when many ask at once', async () => {
    const intent = plan()
    const made = await Promise.all(Array.from({ length: 20 }, () => createIntent(world.store, intent)))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['PENDING']))
  })

  it('replaces one that expired unused, for nobody could prepare it any more', async () => {
    const intent = plan()
    await createIntent(world.store, intent)
    const again = { ...intent, createdAt: startPlus(120 * SECOND), expiresAt: startPlus(240 * SECOND) }
    expect(await createIntent(world.store, again)).toEqual(asStored(again))
  })

  it('replaces one whose deadline is within the margin of now, but not one a second earlier', async () => {
    const soon = plan({ userDeadline: BigInt(Math.floor(start.getTime() / 1000)) + 60n })
    await createIntent(world.store, soon)
    const at = (milliseconds: number) => ({
      ...soon,
      createdAt: startPlus(milliseconds),
      expiresAt: startPlus(240 * SECOND),
    })
    expect((await createIntent(world.store, at(29 * SECOND))).createdAt).toEqual(start)
    expect((await createIntent(world.store, at(30 * SECOND))).createdAt).toEqual(startPlus(30 * SECOND))
  })

  it('never brings a consumed one back, not even after it would have expired', async () => {
    const intent = plan()
    await createIntent(world.store, intent)
    await consume(intent, startPlus(SECOND))
    const again = { ...intent, createdAt: startPlus(DAY), expiresAt: startPlus(DAY + 120 * SECOND) }
    expect(await createIntent(world.store, again)).toMatchObject({ status: 'CONSUMED' })
    expect(await rejection(consume(intent, startPlus(DAY)))).toBe('ROUTE_INTENT_UNAVAILABLE')
  })
})

describe('consuming an intent', () => {
  it('goes to one of a hundred concurrent callers', async () => {
    const intent = plan()
    await createIntent(world.store, intent)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => consume(intent, startPlus(SECOND))),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is possible until the millisecond before it expires', async () => {
    const [early, late] = [plan(), plan()]
    await createIntent(world.store, early)
    await createIntent(world.store, late)
    expect(await consume(early, startPlus(120 * SECOND - 1))).toMatchObject({ status: 'CONSUMED' })
    expect(await rejection(consume(late, startPlus(120 * SECOND)))).toBe('ROUTE_INTENT_EXPIRED')
    expect(await rejection(consume(late, startPlus(200 * SECOND)))).toBe('ROUTE_INTENT_EXPIRED')
  })

  it('answers another wallet as for an intent that does not exist', async () => {
    const intent = plan()
    await createIntent(world.store, intent)
    const message = (promise: Promise<unknown>) =>
      promise.then(
        () => '',
        (error: Error) => error.message,
      )
    const foreign = await message(consume(intent, startPlus(SECOND), stranger))
    expect(foreign).toBe(await message(consume(plan(), startPlus(SECOND), stranger)))
    expect(await consume(intent, startPlus(SECOND))).toMatchObject({ status: 'CONSUMED' })
    expect(await rejection(consume(intent, startPlus(SECOND), stranger))).toBe('ROUTE_INTENT_NOT_FOUND')
  })

  it('that failed stays failed, and one that was never consumed cannot fail', async () => {
    const [consumed, pending] = [plan(), plan()]
    for (const intent of [consumed, pending]) {
      const { intentId } = await createIntent(world.store, intent)
      if (intent === consumed) await consume(consumed, startPlus(SECOND))
      await failIntent(world.store, intentId, 'VAULT_INACTIVE')
    }
    expect(await rejection(consume(consumed, startPlus(SECOND)))).toBe('ROUTE_INTENT_UNAVAILABLE')
    expect(await consume(pending, startPlus(SECOND))).toMatchObject({ status: 'CONSUMED' })
  })
})

describe('a consumed intent', () => {
  const consumed = async (key?: string) => {
    const intent = plan()
    await createIntent(world.store, intent)
    return consume(intent, startPlus(SECOND), user, key)
  }

  it('is resumed by the same user under the same key until it has its answer, and by nobody else', async () => {
    const intent = await consumed('key-1')
    expect(await consume(intent, startPlus(200 * SECOND), user, 'key-1')).toEqual(intent)
    for (const [by, key] of [
      [user, 'key-2'],
      [user, undefined],
    ] as const) {
      expect(await rejection(consume(intent, startPlus(SECOND), by, key))).toBe('ROUTE_INTENT_UNAVAILABLE')
    }
    expect(await rejection(consume(intent, startPlus(SECOND), stranger, 'key-1'))).toBe(
      'ROUTE_INTENT_NOT_FOUND',
    )
    await answer(intent, 'key-1', 'the answer')
    expect(await rejection(consume(intent, startPlus(SECOND), user, 'key-1'))).toBe(
      'ROUTE_INTENT_UNAVAILABLE',
    )
  })

  it('that was taken without a key is resumed by no request', async () => {
    const intent = await consumed()
    expect(await rejection(consume(intent, startPlus(SECOND)))).toBe('ROUTE_INTENT_UNAVAILABLE')
  })

  it('does not fail once it has its answer, and gets no answer once it failed', async () => {
    const [answered, failed] = [await consumed('key-1'), await consumed('key-1')]
    await answer(answered, 'key-1', 'the answer')
    expect(await failIntent(world.store, answered.intentId, 'ROUTER_PAUSED')).toEqual({ end: 'ANSWERED' })
    await failIntent(world.store, failed.intentId, 'ROUTER_PAUSED')
    expect(await answer(failed, 'key-1', 'the answer')).toEqual({ end: 'FAILED', code: 'ROUTER_PAUSED' })
    expect(await find(failed, 'key-1')).toBeUndefined()
    expect(await failIntent(world.store, failed.intentId, 'VAULT_INACTIVE')).toEqual({
      end: 'FAILED',
      code: 'ROUTER_PAUSED',
    })
  })

  it('that failed is not resumed under its key, and names its failure', async () => {
    const intent = await consumed('key-1')
    await failIntent(world.store, intent.intentId, 'ROUTER_PAUSED')
    await expect(consume(intent, startPlus(SECOND), user, 'key-1')).rejects.toMatchObject({
      code: 'ROUTE_INTENT_UNAVAILABLE',
      message: 'The route failed with ROUTER_PAUSED when it was prepared. Optimize again.',
      facts: { intentStatus: 'FAILED', failureCode: 'ROUTER_PAUSED' },
    })
  })

  it('ends in one way when answers and failures come at once, and all of them learn which', async () => {
    for (let round = 0; round < 20; round++) {
      const intent = await consumed('key-1')
      const attempts = Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? failIntent(world.store, intent.intentId, 'ROUTER_PAUSED')
          : answer(intent, 'key-1', `answer ${index}`),
      )
      const ends = new Set(
        (await Promise.all(attempts)).map((outcome) => ('end' in outcome ? outcome.end : 'ANSWERED')),
      )
      expect(ends.size).toBe(1)
      expect((await find(intent, 'key-1')) !== undefined).toBe(ends.has('ANSWERED'))
      expect((await executionsOf(intent.routeId)).length).toBe(ends.has('ANSWERED') ? 1 : 0)
    }
  })
})

const answer = (intent: RouteIntent, idempotencyKey: string | undefined, text: string, seconds = 300) => {
  const { intentId, routeId } = intent
  ids += 1
  const executionId = `0x${ids.toString(16).padStart(64, 'f')}` as const
  const times = { preparedAt: startPlus(SECOND), deadline: startPlus(seconds * SECOND) }
  const prepared = { executionId, routeId, userAddress: user, ...times, ...USES }
  return storePreparedRoute(world.store, { intentId, routeId, user, idempotencyKey }, prepared, text)
}
/** The largest nonce there is. */
const USES = { nonce: 2n ** 256n - 1n, claimId: null, sliceIndex: null }
const find = (
  { routeId }: { routeId: `0x${string}` },
  idempotencyKey: string | undefined,
  by = user,
  now = startPlus(299 * SECOND),
) => findPreparedAnswer(world.store, { routeId, user: by, idempotencyKey }, now)
const executionsOf = (routeId: `0x${string}`) =>
  world.store.selectFrom('preparedExecution').select('executionId').where('routeId', '=', routeId).execute()

describe('a prepared answer', () => {
  const prepare = async (key: string | undefined, text = '{"b":1,"a":"0"}') => {
    const intent = plan()
    await createIntent(world.store, intent)
    const consumed = await consume(intent, startPlus(SECOND), user, key)
    await answer(consumed, key, text)
    return consumed
  }

  it('is found again byte for byte by the same caller under the same key until its deadline', async () => {
    const intent = await prepare('key-1')
    expect(await find(intent, 'key-1')).toBe('{"b":1,"a":"0"}')
    expect(await find(intent, 'key-2')).toBeUndefined()
    expect(await find(intent, 'key-1', stranger)).toBeUndefined()
    expect(await find(intent, 'key-1', user, startPlus(300 * SECOND))).toBeUndefined()
  })

  it('is the first of many that are stored at once, for all of them', async () => {
    const intent = plan()
    await createIntent(world.store, intent)
    const consumed = await consume(intent, startPlus(SECOND), user, 'key-1')
    const stored = await Promise.all(
      Array.from({ length: 20 }, (_, index) => answer(consumed, 'key-1', `answer ${index}`)),
    )
    expect(new Set(stored.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(await executionsOf(intent.routeId)).toHaveLength(1)
  })

  it('is never replaced by a second answer of its intent, not even after its deadline', async () => {
    const intent = await prepare('key-1', 'first')
    const late = { ...intent, createdAt: startPlus(400 * SECOND) }
    const prepared = {
      executionId: `0x${'ed'.repeat(32)}`,
      routeId: intent.routeId,
      userAddress: user,
      preparedAt: startPlus(400 * SECOND),
      deadline: startPlus(700 * SECOND),
      ...USES,
    } as const
    const claimant = { intentId: late.intentId, routeId: late.routeId, user, idempotencyKey: 'key-1' }
    expect(await storePreparedRoute(world.store, claimant, prepared, 'second')).toMatchObject({
      answer: 'first',
    })
    expect(await executionsOf(intent.routeId)).toHaveLength(1)
  })

  it('is not stored when it was prepared without a key', async () => {
    expect(await find(await prepare(undefined), undefined)).toBeUndefined()
    expect(await find(await prepare(undefined), '')).toBeUndefined()
  })

  it('is known by its executionId', async () => {
    const { routeId } = await prepare(undefined)
    const [execution] = await executionsOf(routeId)
    const executionId = execution?.executionId ?? '0x'
    expect(await findPreparedExecution(world.store, { executionId, user })).toMatchObject({
      routeId,
      userAddress: user,
      ...USES,
    })
    expect(await findPreparedExecution(world.store, { executionId, user: stranger })).toBeUndefined()
    expect(await findPreparedExecution(world.store, { executionId, user: undefined })).toBeUndefined()
    expect(await findPreparedExecution(world.store, { executionId: routeId, user })).toBeUndefined()
  })
})

/** An execution under an id of its own. */
function execution(change: Partial<NewPreparedExecution> = {}): NewPreparedExecution & { executionId: Hex } {
  ids += 1
  const executionId: Hex = `0x${ids.toString(16).padStart(64, 'e')}`
  const times = { preparedAt: start, deadline: startPlus(300 * SECOND) }
  return { routeId: null, userAddress: user, ...times, ...USES, ...change, executionId }
}
const hashOfLegs: Hex = `0x${'0a'.repeat(32)}`
const storedTimes = async ({ executionId }: { executionId: Hex }) => {
  const stored = await findPreparedExecution(world.store, { executionId, user })
  return stored && [stored.preparedAt, stored.deadline]
}

describe('an execution that is prepared again', () => {
  const again = (seconds: number) => ({
    preparedAt: startPlus(10 * SECOND),
    deadline: startPlus(seconds * SECOND),
  })

  it('has the times of the preparation with the later deadline, and of the later one of two alike', async () => {
    const first = execution()
    await storePrepared(world.store, first)
    await storePrepared(world.store, { ...first, ...again(299) })
    expect(await storedTimes(first)).toEqual([start, startPlus(300 * SECOND)])
    await storePrepared(world.store, { ...first, ...again(300) })
    expect(await storedTimes(first)).toEqual([startPlus(10 * SECOND), startPlus(300 * SECOND)])
    await storePrepared(world.store, { ...first, preparedAt: start, deadline: startPlus(310 * SECOND) })
    expect(await storedTimes(first)).toEqual([start, startPlus(310 * SECOND)])
  })
})

describe('an execution that is prepared again in another way', () => {
  it('has the route, the user and the uses of the later preparation', async () => {
    const legs = (faceAmount: bigint) =>
      writePreparedLegs([
        {
          claimId: `0x${'0a'.repeat(32)}`,
          vault: `0x${'c5'.repeat(20)}`,
          faceAmount,
          minimumAdvanceAmount: 1n,
        },
      ])
    const first = execution({ routeId: `0x${'51'.repeat(32)}`, legs: legs(5n) })
    const direct = { nonce: null, claimId: `0x${'0b'.repeat(32)}`, sliceIndex: 3 } as const
    const again = {
      routeId: `0x${'52'.repeat(32)}`,
      userAddress: stranger,
      legs: legs(6n),
      ...direct,
    } as const
    await storePrepared(world.store, first)
    await storePrepared(world.store, { ...first, ...again })
    const { executionId } = first
    expect(await findPreparedExecution(world.store, { executionId, user: stranger })).toEqual({
      ...first,
      ...again,
      legs: JSON.parse(again.legs),
    })
  })
})

describe('the legs of a vault in prepared routes', () => {
  it('are those of routes whose deadline has not passed, without the legs of other vaults', async () => {
    const [vault, other]: readonly Hex[] = [`0x${'c1'.repeat(20)}`, `0x${'c2'.repeat(20)}`]
    if (!vault || !other) throw new Error('two vaults')
    const leg = (of: Hex, faceAmount: bigint) => ({
      claimId: `0x${'0a'.repeat(32)}` as const,
      vault: of,
      faceAmount,
      minimumAdvanceAmount: faceAmount - 1n,
    })
    const largest = leg(vault, 2n ** 256n - 1n)
    for (const [seconds, legs] of [
      [300, [leg(vault, 5n), leg(other, 6n), leg(vault, 7n)]],
      [301, [leg(other, 8n), largest]],
      [302, [leg(other, 9n)]],
    ] as const) {
      const deadline = startPlus(seconds * SECOND)
      await storePrepared(world.store, execution({ deadline, legs: writePreparedLegs(legs) }))
    }
    await storePrepared(world.store, execution({ deadline: startPlus(302 * SECOND) }))
    const at = (milliseconds: number) => readPreparedLegs(world.store, vault, startPlus(milliseconds))
    expect(await at(300 * SECOND - 1)).toEqual([[largest], [leg(vault, 5n), leg(vault, 7n)]])
    expect(await at(300 * SECOND)).toEqual([[largest]])
    expect(await at(301 * SECOND)).toEqual([])
  })

  it('are in the order of the executions where deadlines are equal', async () => {
    const vault = `0x${'c4'.repeat(20)}` as const
    const legOf = (faceAmount: bigint) => ({
      claimId: hashOfLegs,
      vault,
      faceAmount,
      minimumAdvanceAmount: 1n,
    })
    const [lower, higher] = [execution({ legs: writePreparedLegs([legOf(1n)]) }), execution()]
    await storePrepared(world.store, { ...higher, legs: writePreparedLegs([legOf(2n)]) })
    await storePrepared(world.store, lower)
    expect(await readPreparedLegs(world.store, vault, start)).toEqual([[legOf(1n)], [legOf(2n)]])
  })

  it('are those of the 1,000 routes with the latest deadlines', async () => {
    const vault = `0x${'c3'.repeat(20)}` as const
    await world.pool.query(
      `insert into gateway.prepared_execution (execution_id, user_address, prepared_at, deadline, legs)
       select '0xc3' || lpad(n::text, 62, '0'), $1, $2::timestamptz, $2::timestamptz + n * interval '1 second',
         jsonb_build_array(jsonb_build_object('claimId', '0x' || repeat('0a', 32), 'vault', $3::text,
           'faceAmount', n::text, 'minimumAdvanceAmount', '0'))
       from generate_series(1, 1001) n`,
      [user, start, vault],
    )
    const faces = (await readPreparedLegs(world.store, vault, start)).map(([leg]) => leg?.faceAmount)
    expect(faces).toEqual(Array.from({ length: 1000 }, (_, later) => 1001n - BigInt(later)))
  })
})

describe('pruning', () => {
  const used = async (change: Partial<RouteIntent>, key?: string) => {
    const intent = plan(change)
    await createIntent(world.store, intent)
    const consumed = await consume(intent, startPlus(SECOND), intent.user, key)
    return { intent, consumed }
  }

  it("deletes the user's own consumed and failed intents, so that the same plan is a new intent", async () => {
    for (const fails of [false, true]) {
      const { intent, consumed } = await used({})
      if (fails) await failIntent(world.store, consumed.intentId, 'ROUTER_PAUSED')
      expect(await createIntent(world.store, intent)).toMatchObject({ status: fails ? 'FAILED' : 'CONSUMED' })
      await pruneIntents(world.store, startPlus(2 * SECOND), user)
      const renewed = await createIntent(world.store, intent)
      expect(renewed.status).toBe('PENDING')
      expect(renewed.intentId).not.toBe(consumed.intentId)
    }
  })

  it('keeps what was consumed under a key until its answer or its deadline', async () => {
    const { intent, consumed } = await used({}, 'key-1')
    await pruneIntents(world.store, startPlus(299 * SECOND), user)
    expect(await consume(intent, startPlus(299 * SECOND), user, 'key-1')).toEqual(consumed)
    await pruneIntents(world.store, startPlus(300 * SECOND), user)
    expect(await rejection(consume(intent, startPlus(300 * SECOND), user, 'key-1'))).toBe(
      'ROUTE_INTENT_NOT_FOUND',
    )
    for (const end of ['answered', 'failed']) {
      const ended = await used({}, 'key-1')
      if (end === 'answered') await answer(ended.consumed, 'key-1', 'the answer')
      else await failIntent(world.store, ended.consumed.intentId, 'ROUTER_PAUSED')
      await pruneIntents(world.store, startPlus(2 * SECOND), user)
      expect(await createIntent(world.store, ended.intent)).toMatchObject({ status: 'PENDING' })
    }
  })

  it('keeps what is pending, and what another user has consumed', async () => {
    const pending = plan()
    await createIntent(world.store, pending)
    const { intent: foreign } = await used({ user: stranger })
    await pruneIntents(world.store, startPlus(2 * SECOND), user)
    expect(await createIntent(world.store, pending)).toMatchObject({ status: 'PENDING', createdAt: start })
    expect(await createIntent(world.store, foreign)).toMatchObject({ status: 'CONSUMED' })
  })

  it("keeps everyone's expired intents for an hour, so that preparing them says that they expired", async () => {
    const [pending, { intent: foreign }] = [plan(), await used({ user: stranger })]
    await createIntent(world.store, pending)
    const hour = 3600 * SECOND
    await pruneIntents(world.store, startPlus(120 * SECOND + hour), user)
    expect(await rejection(consume(pending, startPlus(120 * SECOND + hour)))).toBe('ROUTE_INTENT_EXPIRED')
    await pruneIntents(world.store, startPlus(120 * SECOND + hour + 1), user)
    expect(await rejection(consume(pending, startPlus(DAY)))).toBe('ROUTE_INTENT_NOT_FOUND')
    expect(await rejection(consume(foreign, startPlus(DAY), stranger))).toBe('ROUTE_INTENT_NOT_FOUND')
  })

  it('of the whole store keeps used intents for their hour, too', async () => {
    const { intent } = await used({})
    const hour = 3600 * SECOND
    await pruneStore(world.store, startPlus(120 * SECOND + hour).getTime())
    expect(await createIntent(world.store, intent)).toMatchObject({ status: 'CONSUMED' })
    await pruneStore(world.store, startPlus(120 * SECOND + hour + 1).getTime())
    expect(await rejection(consume(intent, startPlus(DAY)))).toBe('ROUTE_INTENT_NOT_FOUND')
  })

  it('leaves the answer to its caller, and what is under way answers for its own row alone', async () => {
    const { intent, consumed } = await used({}, 'key-1')
    await pruneIntents(world.store, startPlus(300 * SECOND), user)
    const renewed = await createIntent(world.store, intent)
    expect(await answer(consumed, 'key-1', 'of the first')).toMatchObject({ answer: 'of the first' })
    expect(await failIntent(world.store, consumed.intentId, 'ROUTER_PAUSED')).toEqual({ end: 'PRUNED' })
    expect(await createIntent(world.store, intent)).toEqual(renewed)
    await pruneIntents(world.store, startPlus(2 * SECOND), user)
    expect(await find(intent, 'key-1')).toBe('of the first')
    const again = await consume(renewed, startPlus(3 * SECOND), user, 'key-2')
    expect(again.intentId).toBe(renewed.intentId)
    expect(await answer(again, 'key-2', 'of the second')).toMatchObject({ answer: 'of the second' })
  })

  it('lets a later intent of the same plan use a key whose answer is past its deadline', async () => {
    const { intent, consumed } = await used({}, 'key-1')
    await answer(consumed, 'key-1', 'of the first', 1)
    await pruneIntents(world.store, startPlus(2 * SECOND), user)
    const renewed = await createIntent(world.store, intent)
    await consume(renewed, startPlus(2 * SECOND), user, 'key-1')
    expect(await answer(renewed, 'key-1', 'of the second')).toMatchObject({ answer: 'of the second' })
  })

  it('gives a later intent of the same plan the answer that its key has until the deadline', async () => {
    const { intent, consumed } = await used({}, 'key-1')
    await answer(consumed, 'key-1', 'of the first')
    await pruneIntents(world.store, startPlus(2 * SECOND), user)
    const renewed = await createIntent(world.store, intent)
    await consume(renewed, startPlus(2 * SECOND), user, 'key-1')
    expect(await answer(renewed, 'key-1', 'of the second')).toMatchObject({ answer: 'of the first' })
  })

  it('keeps the answer of another key of the plan, past its deadline, too', async () => {
    const { intent, consumed } = await used({}, 'key-1')
    await answer(consumed, 'key-1', 'of the first', 1)
    await pruneIntents(world.store, startPlus(2 * SECOND), user)
    const renewed = await createIntent(world.store, intent)
    await consume(renewed, startPlus(2 * SECOND), user, 'key-2')
    expect(await answer(renewed, 'key-2', 'of the second')).toMatchObject({ answer: 'of the second' })
    expect(await answer(consumed, 'key-1', 'again')).toMatchObject({ answer: 'of the first' })
  })

  it('keeps an answer for a day after its deadline, in which no second answer of its intent replaces it', async () => {
    const { consumed } = await used({}, 'key-1')
    await answer(consumed, 'key-1', 'first')
    const dayAfter = startPlus(300 * SECOND + DAY).getTime()
    await pruneStore(world.store, dayAfter)
    expect(await answer(consumed, 'key-1', 'second')).toMatchObject({ answer: 'first' })
    await pruneStore(world.store, dayAfter + 1)
    expect(await answer(consumed, 'key-1', 'second')).toMatchObject({ answer: 'second' })
  })

  it('keeps an execution for 30 days after its deadline', async () => {
    const prepared = execution()
    await storePrepared(world.store, prepared)
    const monthAfter = startPlus(300 * SECOND + 30 * DAY).getTime()
    await pruneStore(world.store, monthAfter)
    expect(await storedTimes(prepared)).toEqual([start, startPlus(300 * SECOND)])
    await pruneStore(world.store, monthAfter + 1)
    expect(await storedTimes(prepared)).toBeUndefined()
  })

  it('by many at once loses nobody a plan that is stored meanwhile', async () => {
    for (let round = 0; round < 10; round++) {
      const { intent } = await used({})
      const attempts = Array.from({ length: 10 }, async () => {
        await pruneIntents(world.store, startPlus(2 * SECOND), user)
        return createIntent(world.store, intent)
      })
      expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual(attempts.map(() => 'PENDING'))
    }
  })
})

describe('the number of intents', () => {
  it('is by status, of those that have not expired', async () => {
    const own = await createTestStore()
    const [pending, consumed, failed, answered, expired] = [plan(), plan(), plan(), plan(), plan()]
    for (const intent of [pending, consumed, failed, answered]) await createIntent(own.store, intent)
    await createIntent(own.store, { ...expired, expiresAt: startPlus(SECOND) })
    const consumeOwn = ({ routeId }: { routeId: `0x${string}` }) =>
      consumeIntent(own.store, { routeId, user, idempotencyKey: undefined }, startPlus(0))
    await consumeOwn(consumed)
    await failIntent(own.store, (await consumeOwn(failed)).intentId, 'ROUTER_PAUSED')
    const { intentId } = await consumeOwn(answered)
    await own.pool.query('update gateway.route_intent set is_answered = true where intent_id = $1', [
      intentId,
    ])
    expect(await countIntents(own.store, startPlus(SECOND))).toEqual({
      PENDING: 1,
      CONSUMED: 1,
      FAILED: 1,
      ANSWERED: 1,
    })
    await own.stop()
  })
})
