import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RouteIntent } from '../../api/intents/intent.ts'
import { findPreparedAnswer, findPreparedExecution, storePreparedRoute } from '../../api/intents/prepared.ts'
import { consumeIntent, createIntent, failIntent, pruneIntents } from '../../api/intents/store.ts'
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

function plan(change: Partial<RouteIntent> = {}): Omit<RouteIntent, 'status'> {
  ids += 1
  return {
    routeId: `0x${ids.toString(16).padStart(64, '0')}`,
    user,
    blockNumber: 100n,
    request: {
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

const consume = (intent: { routeId: `0x${string}` }, now: Date, by = user, idempotencyKey?: string) =>
  consumeIntent(world.store, { routeId: intent.routeId, user: by, idempotencyKey }, now)

describe('creating an intent', () => {
  it('gives back exactly what was stored, PENDING', async () => {
    const intent = plan()
    expect(await createIntent(world.store, intent)).toEqual({ ...intent, status: 'PENDING' })
  })

  it('returns the earlier one instead of writing over it, whatever its status', async () => {
    const intent = plan()
    await createIntent(world.store, intent)
    const later = { ...intent, createdAt: startPlus(SECOND), expiresAt: startPlus(121 * SECOND) }
    expect(await createIntent(world.store, later)).toEqual({ ...intent, status: 'PENDING' })
    await consume(intent, startPlus(SECOND))
    expect(await createIntent(world.store, later)).toMatchObject({
      status: 'CONSUMED',
      expiresAt: intent.expiresAt,
    })
    await failIntent(world.store, intent.routeId, 'ROUTER_PAUSED')
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
    expect(await createIntent(world.store, again)).toEqual({ ...again, status: 'PENDING' })
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

  it('tells a stranger the same as of an intent that does not exist', async () => {
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
    await createIntent(world.store, consumed)
    await createIntent(world.store, pending)
    await consume(consumed, startPlus(SECOND))
    await failIntent(world.store, consumed.routeId, 'VAULT_INACTIVE')
    await failIntent(world.store, pending.routeId, 'VAULT_INACTIVE')
    expect(await rejection(consume(consumed, startPlus(SECOND)))).toBe('ROUTE_INTENT_UNAVAILABLE')
    expect(await consume(pending, startPlus(SECOND))).toMatchObject({ status: 'CONSUMED' })
  })
})

describe('a prepared answer', () => {
  const prepare = async (key: string | undefined) => {
    const intent = plan()
    await createIntent(world.store, intent)
    await consume(intent, startPlus(SECOND), user, key)
    const executionId = `0x${'f'.repeat(32)}${intent.routeId.slice(34)}` as const
    const times = { preparedAt: startPlus(SECOND), deadline: startPlus(300 * SECOND) }
    const row = {
      executionId,
      routeId: intent.routeId,
      userAddress: user,
      ...times,
    }
    await storePreparedRoute(world.store, row, '{"b":1,"a":"0"}')
    return { routeId: intent.routeId, executionId }
  }
  const find = (routeId: `0x${string}`, idempotencyKey: string, by = user, now = startPlus(299 * SECOND)) =>
    findPreparedAnswer(world.store, { routeId, user: by, idempotencyKey }, now)

  it('is found again byte for byte by the same caller under the same key until its deadline', async () => {
    const { routeId } = await prepare('key-1')
    expect(await find(routeId, 'key-1')).toBe('{"b":1,"a":"0"}')
    expect(await find(routeId, 'key-2')).toBeUndefined()
    expect(await find(routeId, 'key-1', stranger)).toBeUndefined()
    expect(await find(routeId, 'key-1', user, startPlus(300 * SECOND))).toBeUndefined()
  })

  it('is not found when it was prepared without a key', async () => {
    const { routeId } = await prepare(undefined)
    expect(await find(routeId, '')).toBeUndefined()
  })

  it('is known by its executionId', async () => {
    const { routeId, executionId } = await prepare(undefined)
    expect(await findPreparedExecution(world.store, executionId)).toMatchObject({
      routeId,
      userAddress: user,
    })
    expect(await findPreparedExecution(world.store, routeId)).toBeUndefined()
  })
})

describe('pruning', () => {
  it('keeps a consumed intent while its block may still be pinned, however old it is', async () => {
    const intent = plan({ blockNumber: 500n })
    await createIntent(world.store, intent)
    await consume(intent, startPlus(SECOND))
    await pruneIntents(world.store, 500n, startPlus(100 * DAY))
    expect(await createIntent(world.store, intent)).toMatchObject({ status: 'CONSUMED' })
  })

  it('keeps a recent intent although its block is past, and forgets one that is both old and past', async () => {
    const intent = plan({ blockNumber: 500n })
    await createIntent(world.store, intent)
    await consume(intent, startPlus(SECOND))
    await pruneIntents(world.store, 501n, startPlus(DAY))
    expect(await rejection(consume(intent, startPlus(DAY)))).toBe('ROUTE_INTENT_UNAVAILABLE')
    await pruneIntents(world.store, 501n, startPlus(2 * DAY))
    expect(await rejection(consume(intent, startPlus(2 * DAY)))).toBe('ROUTE_INTENT_NOT_FOUND')
  })
})
