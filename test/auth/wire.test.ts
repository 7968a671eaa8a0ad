/** Refusals before a handler runs, and the headers for browsers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { readJson } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

let store: TestStore
let app: ReturnType<typeof createGateway>

beforeAll(async () => {
  store = await createTestStore()
  app = createGateway(store, { env: { CORS_ORIGINS: 'https://app.example', BODY_LIMIT_BYTES: '4096' } })
})
afterAll(() => store.stop())

const post = (body: RequestInit['body'], headers: Record<string, string> = {}) =>
  app.request('/api/v1/auth/verify', { method: 'POST', body: body ?? null, headers })

const json = { 'Content-Type': 'application/json' }

async function expectProblem(response: Response, status: number, code: string): Promise<void> {
  expect(response.status).toBe(status)
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  const problem = await readJson(response)
  expect(problem).toMatchObject({ status, code, requestId: response.headers.get('X-Request-Id') })
  expect(Object.keys(problem)).toEqual(expect.arrayContaining(['type', 'title', 'detail']))
}

describe('a body', () => {
  it('that is not JSON by its media type is a 415', async () => {
    for (const type of [
      'text/plain',
      'text/plain; as=application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'nonsense',
    ]) {
      await expectProblem(await post('{}', { 'Content-Type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE')
    }
    await expectProblem(await post(new Uint8Array([123, 125])), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  const JSON_TYPES = [
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'application/ld+json;charset=utf-8',
  ]

  it.each(JSON_TYPES)('of type %s is read, within the bounds of its shape', async (type) => {
    await expectProblem(await post('{}', { 'Content-Type': type }), 400, 'VALIDATION_FAILED')
    const deep = await post(`${'['.repeat(100)}${']'.repeat(100)}`, { 'Content-Type': type })
    expect((await readJson(deep)).errors).toMatchObject([
      { message: expect.stringContaining('nested too deep') },
    ])
  })

  it('that is malformed, empty or not an object is a 400', async () => {
    for (const body of ['{', '', 'null', '[]', '"text"', '1']) {
      await expectProblem(await post(body, json), 400, 'VALIDATION_FAILED')
    }
    await expectProblem(await post(null, json), 400, 'VALIDATION_FAILED')
  })

  it('larger than the limit is a 413, whether it says its size or not', async () => {
    const large = JSON.stringify({ message: 'x'.repeat(5000), signature: '0x00' })
    await expectProblem(await post(large, json), 413, 'PAYLOAD_TOO_LARGE')
    await expectProblem(await post(large, { ...json, 'Content-Length': '5052' }), 413, 'PAYLOAD_TOO_LARGE')
    // Node reads a body with both headers by the second one.
    const chunked = { ...json, 'Content-Length': '10', 'Transfer-Encoding': 'chunked' }
    await expectProblem(await post(large, chunked), 413, 'PAYLOAD_TOO_LARGE')
    const unsized: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: json,
      body: new Blob([large]).stream(),
      duplex: 'half',
    }
    await expectProblem(await app.request('/api/v1/auth/verify', unsized), 413, 'PAYLOAD_TOO_LARGE')
  })
})

describe('GraphQL', () => {
  const ask = (gateway: typeof app, query: string, accept = 'application/json') =>
    gateway.request('/api/v1/graphql', {
      method: 'POST',
      headers: { ...json, Accept: accept },
      body: JSON.stringify({ query }),
    })

  it('gets refusals of the layers before it in its own form: a body too large, a limit', async () => {
    const large = await ask(app, `{ __typename } # ${'x'.repeat(5000)}`)
    expect(large.status).toBe(413)
    expect(large.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(await readJson(large)).toEqual({
      errors: [
        {
          message: expect.any(String),
          extensions: {
            code: 'PAYLOAD_TOO_LARGE',
            maxSize: 4096,
            requestId: large.headers.get('X-Request-Id'),
          },
        },
      ],
    })
    const strict = createGateway(store, { env: { RATE_LIMIT_DEFAULT: '1' } })
    expect((await ask(strict, '{ __typename }')).status).toBe(200)
    const limited = await ask(strict, '{ __typename }', 'application/graphql-response+json')
    expect(limited.status).toBe(429)
    expect(limited.headers.get('Retry-After')).toBe(
      /t=(\d+)/.exec(limited.headers.get('RateLimit') ?? '')?.[1],
    )
    expect(limited.headers.get('Content-Type')).toBe('application/graphql-response+json; charset=utf-8')
    expect(await readJson(limited)).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) } }],
    })
  })
})

describe('a query parameter', () => {
  it('that is not known is a 400 that names it', async () => {
    const response = await app.request('/api/v1/auth/nonce?wallet=0x00')
    await expectProblem(response, 400, 'VALIDATION_FAILED')
  })
})

describe('every answer', () => {
  it('forbids browsers to sniff, frame, run or refer', async () => {
    for (const path of ['/api/v1/auth/nonce', '/api/v1/nothing', '/api/v1/auth/me']) {
      const { headers } = await app.request(path)
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('X-Frame-Options')).toBe('DENY')
      expect(headers.get('Referrer-Policy')).toBe('no-referrer')
      expect(headers.get('Strict-Transport-Security')).toMatch(/^max-age=31536000/)
      expect(headers.get('Content-Security-Policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      )
      expect(headers.get('X-Powered-By')).toBeNull()
    }
  })

  it('says which request headers it depends on', async () => {
    const { headers } = await app.request('/api/v1/auth/nonce')
    expect(headers.get('Vary')).toBe('Accept, Accept-Encoding, Authorization, Origin')
  })
})

describe('a browser', () => {
  const from = (origin: string, init: RequestInit = {}) =>
    app.request('/api/v1/auth/me', { ...init, headers: { ...init.headers, Origin: origin } })

  it('of a listed origin may call with a token, and send and read the headers that matter', async () => {
    const preflight = await from('https://app.example', {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example')
    expect(preflight.headers.get('Access-Control-Allow-Headers')?.split(/, ?/)).toEqual([
      ...['Accept', 'Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'X-Min-Block'],
      'X-Request-Id',
    ])
    expect(preflight.headers.get('Access-Control-Allow-Methods')?.split(/, ?/)).toEqual([
      'GET',
      'HEAD',
      'POST',
      'OPTIONS',
    ])
    expect(preflight.headers.get('Access-Control-Max-Age')).toBe('600')
    const { headers } = await from('https://app.example')
    expect(headers.get('Access-Control-Allow-Origin')).toBe('https://app.example')
    expect(headers.get('Access-Control-Expose-Headers')?.split(/, ?/)).toEqual([
      ...['Content-Disposition', 'ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate'],
      ...['X-Finalized-Through', 'X-Request-Id'],
    ])
  })

  it('of any other origin may not, and nobody may with credentials', async () => {
    for (const origin of ['https://evil.example', 'https://app.example.evil.example', 'null']) {
      expect((await from(origin)).headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
    expect((await from('https://app.example')).headers.get('Access-Control-Allow-Credentials')).toBeNull()
  })

  it('of every origin may where the service is open to all, still without credentials', async () => {
    const open = createGateway(store, { env: { CORS_ORIGINS: '*' } })
    const { headers } = await open.request('/api/v1/auth/nonce', {
      headers: { Origin: 'https://any.example' },
    })
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
  })

  it('of this machine may in development alone, on any port', async () => {
    const NODE_ENV = 'development'
    const development = createGateway(store, { env: { NODE_ENV, CORS_ORIGINS: 'https://app.example' } })
    const allowed = async (gateway: typeof app, origin: string) => {
      const init = { headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' } }
      const answers = [
        await gateway.request('/api/v1/auth/nonce', { ...init, method: 'OPTIONS' }),
        await gateway.request('/api/v1/auth/nonce', init),
      ]
      return answers.map(({ headers }) => headers.get('Access-Control-Allow-Origin'))
    }
    for (const origin of ['http://localhost:5173', 'https://127.0.0.1', 'http://[::1]:3000']) {
      expect(await allowed(development, origin)).toEqual([origin, origin])
      expect(await allowed(app, origin)).toEqual([null, null])
    }
    for (const origin of ['http://localhost.evil.example', 'http://127.0.0.2', 'http://localhost.', 'null']) {
      expect(await allowed(development, origin)).toEqual([null, null])
    }
    expect(await allowed(development, 'https://app.example')).toEqual(Array(2).fill('https://app.example'))
  })
})
