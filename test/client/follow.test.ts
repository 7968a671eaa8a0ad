/** How long a transaction is waited for: with time in which nothing is known of it, and time in which something is. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createGateway, type FollowOptions, type Hash } from '../../packages/client/src/index.ts'
import { explainRevert } from '../../packages/client/src/revert.ts'

const HASH: Hash = `0x${'ab'.repeat(32)}`
const MINUTE = 60_000

/** An answer of the gateway after some minutes: a status, or an outage. */
type Step = readonly [minutes: number, status: 'OUTAGE' | 'NOT_FOUND' | 'PENDING' | 'MINED' | 'REVERTED']

/** Follows a transaction until it is mined. Each request takes the minutes of its step; the last one is repeated. */
function follow(steps: readonly Step[], options: FollowOptions = {}) {
  let asked = 0
  const gateway = createGateway({
    url: 'http://gateway.test',
    fetch: async () => {
      const [minutes = 0, status] = steps[Math.min(asked++, steps.length - 1)] ?? []
      vi.setSystemTime(Date.now() + minutes * MINUTE)
      if (status === 'OUTAGE') return Response.json({ code: 'DATABASE_UNAVAILABLE' }, { status: 503 })
      return Response.json({ hash: HASH, status, block: null })
    },
  })
  return gateway.follow(HASH, { until: 'MINED', pollMs: 1, ...options })
}

describe('the wait for a transaction', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it.each<[string, readonly Step[]]>([
    [
      'an outage of nine minutes',
      [
        [0, 'OUTAGE'],
        [9, 'OUTAGE'],
        [0, 'MINED'],
      ],
    ],
    [
      'an outage of ten minutes',
      [
        [0, 'OUTAGE'],
        [10, 'OUTAGE'],
        [0, 'MINED'],
      ],
    ],
    [
      'an outage at its beginning, and hours until it is mined',
      [
        [0, 'OUTAGE'],
        [9, 'PENDING'],
        [200, 'PENDING'],
        [0, 'MINED'],
      ],
    ],
    [
      'two outages of nine minutes each',
      [
        [0, 'OUTAGE'],
        [9, 'PENDING'],
        [0, 'OUTAGE'],
        [9, 'PENDING'],
        [0, 'MINED'],
      ],
    ],
    [
      'nodes that do not know it for nine minutes',
      [
        [0, 'NOT_FOUND'],
        [9, 'NOT_FOUND'],
        [0, 'MINED'],
      ],
    ],
  ])('goes on over %s', async (_, steps) => {
    expect(await follow(steps)).toMatchObject({ status: 'MINED' })
  })

  it.each(['OUTAGE', 'NOT_FOUND'] as const)('ends after ten minutes of %s', async (status) => {
    const steps = [
      [0, status],
      [11, status],
    ] as const
    await expect(follow(steps)).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('lasts as long as its caller allows, also over more than ten minutes of an outage', async () => {
    const steps = [
      [0, 'OUTAGE'],
      [11, 'OUTAGE'],
      [0, 'MINED'],
    ] as const
    expect(await follow(steps, { timeoutMs: 3_600_000 })).toMatchObject({ status: 'MINED' })
  })

  it('names the time and the last status where its time is over', async () => {
    const followed = follow([[0, 'PENDING']], { timeoutMs: 1000 })
    await expect(followed).rejects.toThrow(
      `${HASH} did not reach MINED within 1000 ms. Its last status is PENDING.`,
    )
    await expect(follow([[11, 'OUTAGE']])).rejects.toThrow('within 600000 ms. Its last status is unknown.')
  })

  it('reports each status once, also that of a transaction that failed', async () => {
    const steps = (['PENDING', 'PENDING', 'REVERTED'] as const).map((status) => [0, status] as const)
    const seen: string[] = []
    const followed = follow(steps, { onStatus: ({ status }) => seen.push(status) })
    await expect(followed).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED' })
    expect(seen).toEqual(['PENDING', 'REVERTED'])
  })
})

it('a transaction that failed names its error, and what to do about it', async () => {
  const message = 'It reverted with InvalidAccountNonce().'
  const revert = { errorName: 'InvalidAccountNonce', arguments: [], message }
  const gateway = createGateway({
    url: 'http://gateway.test',
    fetch: async () => Response.json({ hash: HASH, status: 'REVERTED', block: null, revert }),
  })
  const error = await gateway.follow(HASH).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'TRANSACTION_REVERTED', revert })
  expect(String(error)).toContain(`${HASH} failed. ${message} ${explainRevert('InvalidAccountNonce')}`)
  expect(explainRevert('InvalidAccountNonce')).not.toBe('')
})

it('a transaction is asked for every second, unless its caller says otherwise', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let requests = 0
  const gateway = createGateway({
    url: 'http://gateway.test',
    fetch: async () => {
      requests += 1
      return Response.json({ hash: HASH, status: requests === 1 ? 'PENDING' : 'PROJECTED', block: null })
    },
  })
  const followed = gateway.follow(HASH)
  await vi.advanceTimersByTimeAsync(999)
  expect(requests).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect((await followed).status).toBe('PROJECTED')
  vi.useRealTimers()
})

describe('a transaction that was mined', () => {
  const REQUESTS_MAX = 20
  afterEach(() => void vi.useRealTimers())

  /** Its block is 5 at first. `sendBlock` sends a finalized block to the subscription. */
  function followMined(pollMs: number) {
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>()
    const writer = writable.getWriter()
    let finalized = 0
    let minedIn = 5
    let requests = 0
    const gateway = createGateway({
      url: 'http://gateway.test',
      fetch: async ({ url }) => {
        if (url.endsWith('/graphql'))
          return new Response(readable, { headers: { 'Content-Type': 'text/event-stream' } })
        requests += 1
        // Without a pause, the requests would leave no time to the test.
        if (requests > REQUESTS_MAX) throw new TypeError('too many requests')
        return Response.json({
          hash: HASH,
          status: finalized < minedIn ? 'MINED' : 'PROJECTED',
          block: { number: minedIn },
        })
      },
    })
    const sendBlock = async (blockNumber: number) => {
      finalized = blockNumber
      const data = JSON.stringify({ data: { finalizedBlock: { blockNumber } } })
      await writer.write(new TextEncoder().encode(`event: next\ndata: ${data}\n\n`))
    }
    const complete = () => writer.write(new TextEncoder().encode('event: complete\ndata:\n\n'))
    const left = new AbortController()
    const followed = gateway.follow(HASH, { pollMs, signal: left.signal })
    const mineAnew = (blockNumber: number) => {
      minedIn = blockNumber
    }
    return {
      followed,
      sendBlock,
      lose: () => writer.close(),
      complete,
      mineAnew,
      requests: () => requests,
      leave: () => left.abort(new Error('left')),
    }
  }
  const settle = async () => {
    for (let rounds = 0; rounds < 20; rounds++) await new Promise(setImmediate)
  }

  it('is asked for again when its own block is final, and not at a block before', async () => {
    // No time passes: neither an interval nor the silence after which a connection counts as lost.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { followed, sendBlock, requests } = followMined(1000)
    await sendBlock(4)
    await settle()
    expect(requests()).toBe(1)
    await sendBlock(5)
    expect((await followed).status).toBe('PROJECTED')
    expect(requests()).toBe(2)
    // Its pauses are over: they would keep a program alive.
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is asked for again at its new block, where a reorganization moved it to a later one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { followed, sendBlock, mineAnew, requests } = followMined(1000)
    await settle()
    mineAnew(7)
    await vi.advanceTimersByTimeAsync(10_000)
    await settle()
    expect(requests()).toBe(2)
    await sendBlock(6)
    await settle()
    expect(requests()).toBe(2)
    await sendBlock(7)
    expect((await followed).status).toBe('PROJECTED')
  })

  it('is asked for again after ten intervals without a block, since a reorganization may have removed it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { followed, requests, leave } = followMined(1000)
    await vi.advanceTimersByTimeAsync(9_999)
    await settle()
    expect(requests()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    await settle()
    expect(requests()).toBe(2)
    leave()
    await expect(followed).rejects.toThrow('left')
  })

  it.each(['lose', 'complete'] as const)(
    'is asked for after each interval once its subscription is over (%s)',
    async (end) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const { followed, requests, leave, ...subscription } = followMined(1000)
      await settle()
      void subscription[end]()
      await settle()
      expect(requests()).toBe(2)
      for (const already of [2, 3]) {
        await vi.advanceTimersByTimeAsync(999)
        await settle()
        expect(requests()).toBe(already)
        await vi.advanceTimersByTimeAsync(1)
        await settle()
        expect(requests()).toBe(already + 1)
      }
      leave()
      await expect(followed).rejects.toThrow('left')
    },
  )
})

describe('a route that has ended', () => {
  const followRoute = (status: 'REVERTED' | 'NOT_FOUND') =>
    createGateway({
      url: 'http://gateway.test',
      fetch: async ({ url }) =>
        Response.json(
          url.includes('/executions/') ? { status: 'CANCELLED' } : { hash: HASH, status, block: null },
        ),
    }).follow(HASH, { executionId: HASH, pollMs: 1 })

  it('has failed where its transaction is mined and failed, and has ended where nobody knows one', async () => {
    await expect(followRoute('REVERTED')).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED' })
    await expect(followRoute('NOT_FOUND')).rejects.toMatchObject({
      code: 'ROUTE_ENDED',
      facts: { status: 'CANCELLED' },
    })
  })
})
