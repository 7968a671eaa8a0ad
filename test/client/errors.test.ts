/** Errors of the gateway arrive at a program with their code and the facts of the code. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { toGatewayError, toGraphqlError } from '../../packages/client/src/errors.ts'
import { createGateway as createClient, GatewayError, graphql } from '../../packages/client/src/index.ts'
import { createSend } from '../../packages/client/src/transport.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { readJson } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const LIMIT = 1024

let store: TestStore
let app: ReturnType<typeof createGateway>
beforeAll(async () => {
  store = await createTestStore()
  app = createGateway(store, { env: { BODY_LIMIT_BYTES: String(LIMIT) } })
})
afterAll(() => store.stop())

const postTooMuch = async (path: string) =>
  app.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'mine' },
    body: JSON.stringify({ message: 'x'.repeat(LIMIT) }),
  })

const expected = { code: 'PAYLOAD_TOO_LARGE', status: 413, requestId: 'mine', facts: { maxSize: LIMIT } }

it('an error over REST carries its facts, and no member of problem details among them', async () => {
  const error = await toGatewayError(await postTooMuch('/api/v1/auth/verify'))
  expect(error).toMatchObject(expected)
  expect(error.facts).toEqual(expected.facts)
})

it('an error over GraphQL carries the same', async () => {
  const response = await postTooMuch(GRAPHQL_PATH)
  const error = toGraphqlError((await readJson(response)).errors, response.status)
  expect(error).toMatchObject(expected)
  expect(error.facts).toEqual(expected.facts)
})

it('an error carries Retry-After in seconds, and nothing where the answer has none', async () => {
  const refusal = (headers: Record<string, string>) => new Response('{}', { status: 503, headers })
  expect((await toGatewayError(refusal({ 'Retry-After': '7' }))).retryAfter).toBe(7)
  expect((await toGatewayError(refusal({ 'Retry-After': '0' }))).retryAfter).toBe(0)
  expect((await toGatewayError(refusal({}))).retryAfter).toBeUndefined()
  expect((await toGatewayError(refusal({ 'Retry-After': 'soon' }))).retryAfter).toBeUndefined()
})

it('an error over GraphQL carries the seconds until another try, and the fields at fault', () => {
  const errors = [{ path: 'first', message: 'is too large' }]
  const extensions = { code: 'RATE_LIMITED', retryAfter: 7, errors }
  const error = toGraphqlError([{ message: 'too many', extensions }], 200)
  expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 200, retryAfter: 7, errors, facts: {} })
})

it('an error that names a time of another try can be tried again, whatever its code', () => {
  const isRetryable = (retryAfter?: number) =>
    new GatewayError({
      code: 'CLAIM_NOT_FOUND',
      message: '',
      ...(retryAfter !== undefined && { retryAfter }),
    }).retryable
  expect([undefined, 0, 7].map(isRetryable)).toEqual([false, true, true])
})

it('an answer of no gateway is an outage from status 500, or without a status', () => {
  const isRetryable = (status?: number) =>
    new GatewayError({ code: 'UNREACHABLE', message: '', ...(status !== undefined && { status }) }).retryable
  expect([undefined, 500, 499, 200].map(isRetryable)).toEqual([true, true, false, false])
})

describe('a query', () => {
  const ask = (answer: () => Response, signal?: AbortSignal) =>
    createClient({
      url: 'http://gateway.test',
      fetch: async (request) => {
        request.signal.throwIfAborted()
        return answer()
      },
    }).ask(graphql('{ viewer { address } }'), {}, { signal })
  const headers = (type: string) => ({ 'Content-Type': type, 'Retry-After': '7' })

  it.each([
    ['a page', () => new Response('<html>', { status: 502, headers: headers('text/html') })],
    [
      'JSON of a proxy',
      () => Response.json({ message: 'no' }, { status: 502, headers: { 'Retry-After': '7' } }),
    ],
    ['no JSON', () => new Response('', { status: 502, headers: headers('application/json') })],
    [
      'a part of an answer',
      () => new Response('{"da', { status: 502, headers: headers('application/json') }),
    ],
  ])('that is answered with %s fails as an outage, with the seconds until another try', async (_, answer) => {
    await expect(ask(answer)).rejects.toMatchObject({ code: 'UNREACHABLE', status: 502, retryAfter: 7 })
  })

  it('that is answered with problem details fails with their code', async () => {
    const problem = JSON.stringify({ code: 'SHUTTING_DOWN', detail: 'soon', status: 503 })
    const answer = () => new Response(problem, { status: 503, headers: headers('application/problem+json') })
    await expect(ask(answer)).rejects.toMatchObject({ code: 'SHUTTING_DOWN', status: 503, retryAfter: 7 })
  })

  it('that is answered with errors of no code fails', async () => {
    const answer = () => Response.json({ data: {}, errors: [{ message: 'no' }] })
    await expect(ask(answer)).rejects.toMatchObject({ code: 'UNREACHABLE', retryable: false })
  })

  it('ends at its signal, with its reason', async () => {
    const answer = () => Response.json({ data: { viewer: null } })
    expect(await ask(answer)).toEqual({ viewer: null })
    await expect(ask(answer, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  })
})

it.each([
  ['no JSON', () => new Response('', { headers: { 'Content-Type': 'application/json' } })],
  ['cut off', () => new Response(cutOff(), { headers: { 'Content-Type': 'application/json' } })],
])('a successful answer that is %s is an outage', async (_, answer) => {
  const gateway = createClient({ url: 'http://gateway.test', fetch: async () => answer() })
  const outage = { code: 'UNREACHABLE', retryable: true }
  await expect(gateway.ask(graphql('{ viewer { address } }'))).rejects.toMatchObject(outage)
  await expect(gateway.get('/api/v1/vaults', {})).rejects.toMatchObject(outage)
})

it('a body that is not JSON is refused without a request, and is no outage', async () => {
  let requests = 0
  const fetch = async () => {
    requests += 1
    return Response.json({})
  }
  const gateway = createClient({ url: 'http://gateway.test', fetch })
  // A program in JavaScript has no types.
  const body = Object({ targetAdvance: 1n })
  const refused = gateway.post('/api/v1/routes/optimize', { body })
  await expect(refused).rejects.toThrow('The body of the request is not JSON.')
  expect(requests).toBe(0)
})

/** The body of an answer whose connection is lost after the first bytes. */
function cutOff(): ReadableStream<Uint8Array> {
  const chunks = [new TextEncoder().encode('{"da')]
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.pop()
      if (chunk) controller.enqueue(chunk)
      else controller.error(new TypeError('terminated'))
    },
  })
}

it('a transaction is followed on after the seconds of Retry-After, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const hash = `0x${'ab'.repeat(32)}` as const
  let requests = 0
  const gateway = createClient({
    url: 'http://gateway.test',
    fetch: async () => {
      requests += 1
      if (requests > 1) return Response.json({ hash, status: 'PROJECTED', block: null })
      const problem = { code: 'RATE_LIMITED', detail: 'too many', status: 429 }
      return Response.json(problem, { status: 429, headers: { 'Retry-After': '7' } })
    },
  })
  const followed = gateway.follow(hash, { pollMs: 10 })
  await vi.advanceTimersByTimeAsync(6_999)
  expect(requests).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect((await followed).status).toBe('PROJECTED')
  vi.useRealTimers()
})

it('a gateway that does not answer is asked again after the interval, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let requests = 0
  const gateway = createClient({
    url: 'http://gateway.test',
    fetch: () => {
      requests += 1
      return Promise.reject(new TypeError('Failed to fetch'))
    },
  })
  const leaving = new AbortController()
  const followed = gateway.follow(`0x${'ab'.repeat(32)}`, { pollMs: 5_000, signal: leaving.signal })
  await vi.advanceTimersByTimeAsync(4_999)
  expect(requests).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(requests).toBe(2)
  leaving.abort(new Error('left'))
  await expect(followed).rejects.toThrow('left')
  vi.useRealTimers()
})

describe('the wait for a transaction', () => {
  const MINUTE_MS = 60_000
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  /** Follows it; the gateway answers with the status that `statusAt` has for the minutes that have passed. */
  const follow = (statusAt: (minutes: number) => string) => {
    const start = Date.now()
    const hash = `0x${'ab'.repeat(32)}` as const
    const gateway = createClient({
      url: 'http://gateway.test',
      fetch: async () =>
        Response.json({ hash, status: statusAt((Date.now() - start) / MINUTE_MS), block: null }),
    })
    const end = gateway.follow(hash, { pollMs: 10_000 }).then(
      ({ status }) => status,
      ({ code }) => code,
    )
    return end.then((outcome: string) => ({ outcome, minutes: Math.floor((Date.now() - start) / MINUTE_MS) }))
  }

  it('lasts as long as the chain needs to make its block final', async () => {
    const followed = follow((minutes) => (minutes < 5 ? 'PENDING' : minutes < 25 ? 'MINED' : 'PROJECTED'))
    await vi.advanceTimersByTimeAsync(30 * MINUTE_MS)
    expect(await followed).toEqual({ outcome: 'PROJECTED', minutes: 25 })
  })

  it('ends ten minutes after the last node that knew it', async () => {
    const followed = follow((minutes) => (minutes < 9 ? 'PENDING' : 'NOT_FOUND'))
    await vi.advanceTimersByTimeAsync(18 * MINUTE_MS)
    let isOver = false
    void followed.then(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    expect(isOver).toBe(true)
    expect((await followed).outcome).toBe('TIMEOUT')
  })
})

it('no answer names the page that the gateway may not allow', async () => {
  const send = createSend(() => Promise.reject(new TypeError('Failed to fetch')))
  const messageOf = () =>
    send(new Request('http://gateway.example/api/v1/vaults')).catch((error: unknown) => String(error))
  expect(await messageOf()).toContain('http://gateway.example/api/v1/vaults does not answer.')
  vi.stubGlobal('location', { origin: 'https://app.example' })
  expect(await messageOf()).toContain('does not allow pages of https://app.example (`CORS_ORIGINS`')
  vi.stubGlobal('location', { origin: 'http://gateway.example' })
  expect(await messageOf()).toContain('/vaults does not answer.')
  vi.unstubAllGlobals()
})
