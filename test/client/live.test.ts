/** A live read goes on over new connections, says when it is out of date, and ends where another try cannot help. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createGateway, type GatewayError, graphql, minBlock } from '../../packages/client/src/index.ts'

const BLOCKS = graphql('subscription { finalizedBlock { blockNumber } }')

/** Answers of the network, one for each connection; the last one for all further ones. */
function connect(...answers: (() => Response | Promise<Response>)[]) {
  let connections = 0
  let random = 0
  const gateway = createGateway({
    url: 'http://gateway.test',
    random: () => random,
    fetch: async () => {
      const answer = answers[Math.min(connections++, answers.length - 1)]
      if (!answer) throw new TypeError('no network')
      return answer()
    },
  })
  const addJitter = (part: number) => {
    random = part
  }
  return { gateway, connections: () => connections, addJitter }
}

/** A stream of these blocks, after which the connection is lost. */
const blocks =
  (...numbers: number[]) =>
  () => {
    const event = (blockNumber: number) =>
      `event: next\ndata: ${JSON.stringify({ data: { finalizedBlock: { blockNumber } } })}\n\n`
    return new Response(numbers.map(event).join(''), { headers: { 'Content-Type': 'text/event-stream' } })
  }
const refusal =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify({ code, detail: code, status }), {
      status,
      headers: { 'Content-Type': 'application/problem+json', ...headers },
    })

/** Collects what `live` gives and reports, in its order. */
function follow(gateway: ReturnType<typeof connect>['gateway'], signal?: AbortSignal) {
  const seen: unknown[] = []
  const onLost = (error: GatewayError | undefined) => seen.push(error?.code ?? 'COMPLETE')
  const read = async () => {
    for await (const { finalizedBlock } of gateway.live(BLOCKS, {}, { signal, onLost }))
      seen.push(finalizedBlock.blockNumber)
  }
  const end = read().catch((error: unknown) => error)
  return { seen, end }
}

describe('a live read', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())
  const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  /** Without a step of the clock, which `waitFor` takes. */
  const have = async (seen: unknown[], count: number) => {
    while (seen.length < count) await new Promise(setImmediate)
    return seen
  }

  it('goes on after a lost connection, and reports the loss', async () => {
    const { gateway } = connect(blocks(1, 2), blocks(3))
    const leaving = new AbortController()
    const { seen, end } = follow(gateway, leaving.signal)
    expect(await have(seen, 3)).toEqual([1, 2, 'UNREACHABLE'])
    await wait(1000)
    expect(await have(seen, 5)).toEqual([1, 2, 'UNREACHABLE', 3, 'UNREACHABLE'])
    leaving.abort(new Error('left'))
    expect(await end).toEqual(new Error('left'))
  })

  it.each(['null', '"no"', '{"message":"no"}', '{'])(
    'goes on after a proxy answered with %s',
    async (body) => {
      const answer = () => new Response(body, { headers: { 'Content-Type': 'application/json' } })
      const { gateway } = connect(answer, blocks(1))
      const leaving = new AbortController()
      const { seen, end } = follow(gateway, leaving.signal)
      await have(seen, 1)
      await wait(1000)
      expect(await have(seen, 3)).toEqual(['UNREACHABLE', 1, 'UNREACHABLE'])
      leaving.abort()
      await end
    },
  )

  it('doubles its delay with each failure, up to half a minute, and begins anew after an answer', async () => {
    const down = refusal(503, 'SHUTTING_DOWN')
    const { gateway, connections } = connect(down, down, down, down, down, down, down, blocks(1), blocks(2))
    const leaving = new AbortController()
    const { seen, end } = follow(gateway, leaving.signal)
    for (const [failures, delayMs] of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
      await have(seen, failures + 1)
      await wait(delayMs - 1)
      expect(connections()).toBe(failures + 1)
      await wait(1)
    }
    expect((await have(seen, 9)).slice(7)).toEqual([1, 'UNREACHABLE'])
    await wait(1000)
    await new Promise(setImmediate)
    expect(connections()).toBe(9)
    expect((await have(seen, 11)).slice(9)).toEqual([2, 'UNREACHABLE'])
    leaving.abort()
    await end
  })

  it('adds up to half of the delay at random, also to Retry-After', async () => {
    const { gateway, connections, addJitter } = connect(
      refusal(503, 'DATABASE_UNAVAILABLE'),
      refusal(503, 'SHUTTING_DOWN', { 'Retry-After': '10' }),
      blocks(1),
    )
    const leaving = new AbortController()
    addJitter(0.5)
    const { seen, end } = follow(gateway, leaving.signal)
    for (const [failures, delayMs] of [1250, 12_500].entries()) {
      await have(seen, failures + 1)
      await wait(delayMs - 1)
      expect(connections()).toBe(failures + 1)
      await wait(1)
    }
    expect((await have(seen, 3))[2]).toBe(1)
    leaving.abort()
    await end
  })

  it('takes a connection for lost when it is silent for half a minute, however many comments came before', async () => {
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>()
    const writer = writable.getWriter()
    const open = () => new Response(readable, { headers: { 'Content-Type': 'text/event-stream' } })
    const { gateway, connections } = connect(open, blocks(2))
    const send = async (text: string) => {
      await writer.write(new TextEncoder().encode(text))
      await new Promise(setImmediate)
    }
    const leaving = new AbortController()
    const { seen, end } = follow(gateway, leaving.signal)
    await new Promise(setImmediate)
    await send('event: next\ndata: {"data":{"finalizedBlock":{"blockNumber":1}}}\n\n')
    for (let comments = 0; comments < 10; comments++) {
      await wait(12_000)
      await send(':\n\n')
    }
    await wait(29_999)
    expect([seen, connections()]).toEqual([[1], 1])
    await wait(1)
    expect(await have(seen, 2)).toEqual([1, 'UNREACHABLE'])
    await wait(1000)
    expect((await have(seen, 3))[2]).toBe(2)
    leaving.abort()
    await end
  })

  it('goes on after the gateway completes it, and reports the loss without an error', async () => {
    const completed = () =>
      new Response('event: complete\ndata:\n\n', { headers: { 'Content-Type': 'text/event-stream' } })
    const { gateway } = connect(completed, blocks(1))
    const leaving = new AbortController()
    const { seen, end } = follow(gateway, leaving.signal)
    expect(await have(seen, 1)).toEqual(['COMPLETE'])
    await wait(1000)
    expect((await have(seen, 2))[1]).toBe(1)
    leaving.abort()
    await end
  })

  it('takes a connection for lost that the gateway does not answer for half a minute', async () => {
    const { gateway, connections } = connect(() => new Promise<Response>(() => {}), blocks(1))
    const leaving = new AbortController()
    const { seen, end } = follow(gateway, leaving.signal)
    await wait(29_999)
    expect([seen, connections()]).toEqual([[], 1])
    await wait(1)
    expect(await have(seen, 1)).toEqual(['UNREACHABLE'])
    await wait(1000)
    expect((await have(seen, 2))[1]).toBe(1)
    leaving.abort()
    await end
  })

  it('waits where the time is longer than a timer can be', async () => {
    const forDays = { 'Retry-After': '3000000' }
    const { gateway, connections } = connect(refusal(503, 'SHUTTING_DOWN', forDays), blocks(1))
    const leaving = new AbortController()
    const { seen, end } = follow(gateway, leaving.signal)
    await have(seen, 1)
    await wait(3_600_000)
    expect(connections()).toBe(1)
    leaving.abort()
    await end

    const silent = createGateway({
      url: 'http://gateway.test',
      idleMs: Number.POSITIVE_INFINITY,
      fetch: () => new Promise<Response>(() => {}),
    })
    const lost: unknown[] = []
    silent
      .subscribe(BLOCKS)
      .next()
      .catch((error: unknown) => lost.push(error))
    await wait(3_600_000)
    expect(lost).toEqual([])
  })

  it('does not come back before Retry-After', async () => {
    const limited = refusal(429, 'TOO_MANY_SUBSCRIPTIONS', { 'Retry-After': '60' })
    const { gateway, connections } = connect(limited, blocks(1))
    const leaving = new AbortController()
    const { seen, end } = follow(gateway, leaving.signal)
    expect(await have(seen, 1)).toEqual(['TOO_MANY_SUBSCRIPTIONS'])
    await wait(59_999)
    expect(connections()).toBe(1)
    await wait(1)
    expect((await have(seen, 2))[1]).toBe(1)
    leaving.abort()
    await end
  })

  it('has the headers of its caller at each connection', async () => {
    const sent: (string | null)[] = []
    const gateway = createGateway({
      url: 'http://gateway.test',
      random: () => 0,
      fetch: async ({ headers }) => {
        sent.push(headers.get('X-Min-Block'), headers.get('Accept'))
        return blocks(sent.length)()
      },
    })
    for await (const { finalizedBlock } of gateway.live(BLOCKS, {}, { ...minBlock(7) })) {
      if (finalizedBlock.blockNumber === 4) break
      setImmediate(() => void vi.advanceTimersByTimeAsync(1000))
    }
    expect(sent).toEqual(['7', 'text/event-stream', '7', 'text/event-stream'])
  })

  it('ends with an error that another try does not remove', async () => {
    const { gateway, connections } = connect(refusal(400, 'GRAPHQL_VALIDATION_FAILED'))
    const { seen, end } = follow(gateway)
    expect(await end).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' })
    expect([seen, connections()]).toEqual([[], 1])
  })
})

it('a subscription that is completed after its signal ends with the reason of the signal', async () => {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>()
  const { gateway } = connect(
    () => new Response(readable, { headers: { 'Content-Type': 'text/event-stream' } }),
  )
  const leaving = new AbortController()
  const next = gateway.subscribe(BLOCKS, {}, { signal: leaving.signal }).next()
  const writer = writable.getWriter()
  leaving.abort(new Error('left'))
  void writer.write(new TextEncoder().encode('event: complete\ndata:\n\n'))
  await expect(next).rejects.toThrow('left')
})

describe('the connection of a subscription ends', () => {
  /** A gateway whose subscription sends this text and stays open, and the signal of its last request. */
  const connectOpen = (text: string, contentType = 'text/event-stream') => {
    const signals: AbortSignal[] = []
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>()
    void writable.getWriter().write(new TextEncoder().encode(text))
    const gateway = createGateway({
      url: 'http://gateway.test',
      fetch: async ({ signal }) => {
        signals.push(signal)
        return new Response(readable, { headers: { 'Content-Type': contentType } })
      },
    })
    return { gateway, isOver: () => signals.map(({ aborted }) => aborted) }
  }
  const BLOCK = 'event: next\ndata: {"data":{"finalizedBlock":{"blockNumber":1}}}\n\n'

  it.each(['subscribe', 'live'] as const)('when the loop of `%s` is left', async (method) => {
    const { gateway, isOver } = connectOpen(BLOCK)
    for await (const { finalizedBlock } of gateway[method](BLOCKS)) {
      expect([finalizedBlock.blockNumber, isOver()]).toEqual([1, [false]])
      break
    }
    expect(isOver()).toEqual([true])
  })

  it.each([
    ['is completed', 'event: complete\ndata:\n\n'],
    ['has an error', 'event: next\ndata: {"errors":[{"message":"no","extensions":{"code":"INTERNAL"}}]}\n\n'],
    ['is no JSON', 'event: next\ndata: {\n\n'],
  ])('when it %s', async (_, text) => {
    const { gateway, isOver } = connectOpen(BLOCK + text)
    const events = gateway.subscribe(BLOCKS)
    await events.next()
    expect(isOver()).toEqual([false])
    await events.next().catch(() => {})
    expect(isOver()).toEqual([true])
  })
})
