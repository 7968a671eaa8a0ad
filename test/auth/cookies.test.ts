/** Sessions in cookies, over HTTP: as a browser and the server of a site use them. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../api/errors.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { type Requestable, readJson, signIn, signInMessage, TEST_SITE } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const wallet = privateKeyToAccount(generatePrivateKey())
const SITE = { Origin: TEST_SITE }
const EVIL = { Origin: 'https://evil.example' }

let store: TestStore
let app: Requestable
let off: Requestable
let now = Date.now()

const COOKIES = { SESSION_COOKIES: 'on', CORS_ORIGINS: `${TEST_SITE},https://reader.example` }
const start = (env: Record<string, string>) => createGateway(store, { env, clock: () => now })

beforeAll(async () => {
  store = await createTestStore()
  app = start(COOKIES)
  off = start({ CORS_ORIGINS: TEST_SITE })
})
afterAll(() => store.stop())

async function verify(at: Requestable, body: object, headers: Record<string, string> = SITE) {
  const message = await signInMessage(at, wallet.address, { issuedAt: new Date(now) })
  return at.request('/api/v1/auth/verify', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ message, signature: await wallet.signMessage({ message }), ...body }),
  })
}

type Jar = { Cookie: string; csrf: string }

/** A browser that has just signed in at the site. */
async function signInWithCookie(at = app): Promise<Jar> {
  const response = await verify(at, { cookie: true })
  const { csrfToken } = await readJson(response)
  const [Cookie = ''] = (response.headers.get('Set-Cookie') ?? '').split(';')
  return { Cookie, csrf: String(csrfToken) }
}

const me = (headers: Record<string, string>, at = app) => at.request('/api/v1/auth/me', { headers })
const logOut = (headers: Record<string, string>, at = app) =>
  at.request('/api/v1/auth/logout', { method: 'POST', headers })
const unsafe = ({ Cookie, csrf }: Jar) => ({ Cookie, 'X-CSRF-Token': csrf, ...SITE })

async function expectRefusal(response: Response, code: keyof typeof catalogue, facts = {}): Promise<void> {
  expect(await readJson(response)).toMatchObject({ code, ...facts })
  expect(response.status).toBe(catalogue[code].status)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
}

describe('a cookie', () => {
  it('is HttpOnly, Secure, of this host alone, of the same site, and lives as long as its token', async () => {
    const response = await verify(app, { cookie: true })
    expect(response.status).toBe(201)
    expect(response.headers.get('Set-Cookie')).toMatch(
      /^__Host-session=[\w-]+\.[\w-]+\.[\w-]+; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await readJson(response)).toEqual({
      wallet: wallet.address.toLowerCase(),
      chainId: 31_337,
      issuedAt: expect.any(String),
      expiresAt: expect.any(String),
      csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('needs no https on localhost in development', async () => {
    const local = start({ ...COOKIES, NODE_ENV: 'development' })
    const response = await verify(local, { cookie: true })
    expect(response.headers.get('Set-Cookie')).toMatch(
      /^session=[^;]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const [Cookie = ''] = (response.headers.get('Set-Cookie') ?? '').split(';')
    expect((await me({ Cookie }, local)).status).toBe(200)
  })

  it('is set only where the sign-in asks for it', async () => {
    for (const body of [{}, { cookie: false }]) {
      const response = await verify(app, body, {})
      expect([response.status, response.headers.get('Set-Cookie')]).toEqual([200, null])
      expect(Object.keys(await readJson(response)).toSorted()).toEqual([
        'chainId',
        'expiresAt',
        'issuedAt',
        'token',
        'wallet',
      ])
    }
  })

  it('is set for the sites of the gateway alone, and a refusal uses no nonce', async () => {
    await expectRefusal(await verify(app, { cookie: true }, EVIL), 'ORIGIN_NOT_ALLOWED')
    await expectRefusal(await verify(app, { cookie: true }, {}), 'ORIGIN_NOT_ALLOWED')
    // A page that may read, and where wallets do not sign in.
    await expectRefusal(
      await verify(app, { cookie: true }, { Origin: 'https://reader.example' }),
      'ORIGIN_NOT_ALLOWED',
    )
    const message = await signInMessage(app, wallet.address, { issuedAt: new Date(now) })
    const body = JSON.stringify({ message, signature: await wallet.signMessage({ message }), cookie: true })
    const send = (headers: Record<string, string>) =>
      app.request('/api/v1/auth/verify', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body,
      })
    expect((await send(EVIL)).status).toBe(403)
    expect((await send(SITE)).status).toBe(201)
  })

  it('authenticates reads, and states the CSRF token again', async () => {
    const { Cookie, csrf } = await signInWithCookie()
    const response = await me({ Cookie })
    expect(response.status).toBe(200)
    expect(await readJson(response)).toMatchObject({ wallet: wallet.address.toLowerCase(), csrfToken: csrf })
    expect((await app.request('/api/v1/auth/me', { method: 'HEAD', headers: { Cookie } })).status).toBe(200)
    const token = await signIn(app, wallet, { issuedAt: new Date(now) })
    expect(await readJson(await me({ Authorization: `Bearer ${token}` }))).not.toHaveProperty('csrfToken')
  })

  it('that was tampered with, is very long or is no token authenticates nothing, and the answer is a 401', async () => {
    const { Cookie } = await signInWithCookie()
    const [header = '', payload = '', signature = ''] = Cookie.slice(Cookie.indexOf('=') + 1).split('.')
    const forged = Buffer.from(
      Buffer.from(payload, 'base64url')
        .toString()
        .replace(wallet.address.toLowerCase(), `0x${'1'.repeat(40)}`),
    ).toString('base64url')
    for (const value of [
      `${header}.${forged}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature}A`,
      'x',
      '%',
      '"',
      'A'.repeat(1_000_000),
      `${header}.${'A'.repeat(1_000_000)}.${signature}`,
    ]) {
      await expectRefusal(await me({ Cookie: `__Host-session=${value}` }), 'UNAUTHENTICATED')
    }
  })

  it('is found among many others, and the first of its name counts', async () => {
    const { Cookie } = await signInWithCookie()
    const others = Array.from({ length: 10_000 }, (_, index) => `c${index}=${index}`).join('; ')
    expect((await me({ Cookie: `${others}; ${Cookie}; ${others}` })).status).toBe(200)
    expect((await me({ Cookie: `${Cookie}; __Host-session=x` })).status).toBe(200)
    await expectRefusal(await me({ Cookie: `__Host-session=x; ${Cookie}` }), 'UNAUTHENTICATED', {
      reason: 'TOKEN_INVALID',
    })
    // Without the prefix, any host of the domain could have set it.
    await expectRefusal(await me({ Cookie: Cookie.replace('__Host-', '') }), 'UNAUTHENTICATED', {
      reason: 'TOKEN_MISSING',
    })
  })

  it('of a session that has expired is a 401, and costs nobody a public read', async () => {
    const { Cookie } = await signInWithCookie()
    now += 3_600_000
    await expectRefusal(await me({ Cookie }), 'UNAUTHENTICATED', { reason: 'TOKEN_EXPIRED' })
    expect((await app.request('/api/v1/auth/nonce', { headers: { Cookie } })).status).toBe(200)
  })
})

describe('a gateway without cookies', () => {
  it('is the default: it sets none and reads none', async () => {
    const response = await verify(off, { cookie: true })
    await expectRefusal(response, 'VALIDATION_FAILED', { errors: [{ path: 'cookie' }] })
    expect(response.headers.get('Set-Cookie')).toBeNull()
    const { Cookie } = await signInWithCookie()
    await expectRefusal(await me({ Cookie }, off), 'UNAUTHENTICATED', { reason: 'TOKEN_MISSING' })
  })

  it('allows no credentials, and depends on no cookie', async () => {
    const { headers } = await off.request('/api/v1/auth/nonce', { headers: SITE })
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
    expect(headers.get('Vary')).not.toContain('Cookie')
  })
})

describe('a request that is not a read', () => {
  it('needs the CSRF token of its session', async () => {
    const [jar, other] = [await signInWithCookie(), await signInWithCookie()]
    for (const given of [
      '',
      'x',
      'é'.repeat(32),
      '0'.repeat(64),
      jar.csrf.slice(1),
      `${jar.csrf}0`,
      other.csrf,
    ])
      await expectRefusal(await logOut({ ...unsafe(jar), 'X-CSRF-Token': given }), 'CSRF_TOKEN_INVALID')
    await expectRefusal(await logOut({ Cookie: jar.Cookie, ...SITE }), 'CSRF_TOKEN_INVALID')
    expect((await me(jar)).status).toBe(200)
  })

  it('needs the origin of a site of the gateway', async () => {
    const jar = await signInWithCookie()
    for (const Origin of [
      'https://evil.example',
      'https://reader.example',
      'null',
      `${TEST_SITE}.evil.example`,
      '',
    ])
      await expectRefusal(await logOut({ ...unsafe(jar), Origin }), 'ORIGIN_NOT_ALLOWED')
    const { Origin: _, ...without } = unsafe(jar)
    await expectRefusal(await logOut(without), 'ORIGIN_NOT_ALLOWED')
    expect((await me(jar)).status).toBe(200)
  })

  it('keeps its CSRF token while the secret of the gateway is replaced', async () => {
    const old = 'another secret of the tests that has over 32 bytes'
    const before = start({ ...COOKIES, AUTH_SECRETS: old })
    const jar = await signInWithCookie(before)
    const replaced = start({
      ...COOKIES,
      AUTH_SECRETS: `a new secret of the tests that has over 32 bytes,${old}`,
    })
    expect((await logOut(unsafe(jar), replaced)).status).toBe(200)
  })
})

describe('a logout', () => {
  it('ends the session of the cookie at every replica, and deletes the cookie', async () => {
    const jar = await signInWithCookie()
    const response = await logOut(unsafe(jar))
    expect(response.status).toBe(200)
    expect(response.headers.get('Set-Cookie')).toBe(
      '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    )
    for (const replica of [app, start(COOKIES)])
      await expectRefusal(await me(jar, replica), 'UNAUTHENTICATED', { reason: 'TOKEN_REVOKED' })
    await expectRefusal(await me({ Cookie: '__Host-session=' }), 'UNAUTHENTICATED', {
      reason: 'TOKEN_MISSING',
    })
  })

  it('with a header ends that session, and leaves the cookie alone', async () => {
    const jar = await signInWithCookie()
    const token = await signIn(app, wallet, { issuedAt: new Date(now) })
    const response = await logOut({ Cookie: jar.Cookie, Authorization: `Bearer ${token}` })
    expect([response.status, response.headers.get('Set-Cookie')]).toEqual([200, null])
    await expectRefusal(await me({ Authorization: `Bearer ${token}` }), 'UNAUTHENTICATED', {
      reason: 'TOKEN_REVOKED',
    })
    expect((await me(jar)).status).toBe(200)
  })
})

describe('the Authorization header', () => {
  it('takes precedence over the cookie, also when it is not valid', async () => {
    const { Cookie } = await signInWithCookie()
    const other = privateKeyToAccount(generatePrivateKey())
    const token = await signIn(app, other, { issuedAt: new Date(now) })
    expect(await readJson(await me({ Cookie, Authorization: `Bearer ${token}` }))).toMatchObject({
      wallet: other.address.toLowerCase(),
    })
    for (const Authorization of ['Bearer x', 'Basic x', ''])
      await expectRefusal(await me({ Cookie, Authorization }), 'UNAUTHENTICATED', { reason: 'TOKEN_INVALID' })
  })
})

describe('a page of another origin', () => {
  const preflight = (origin: string, at = app) =>
    at.request('/api/v1/auth/logout', {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-csrf-token',
      },
    })
  const allowed = ({ headers }: Response) => [
    headers.get('Access-Control-Allow-Origin'),
    headers.get('Access-Control-Allow-Credentials'),
  ]

  it('may send the cookie where it is a site of the gateway, and else may not', async () => {
    const open = start({ ...COOKIES, CORS_ORIGINS: '*' })
    for (const [at, origin, expected] of [
      [app, TEST_SITE, [TEST_SITE, 'true']],
      [app, 'https://reader.example', ['https://reader.example', null]],
      [app, 'https://evil.example', [null, null]],
      [open, TEST_SITE, [TEST_SITE, 'true']],
      [open, 'https://evil.example', ['*', null]],
      [off, TEST_SITE, [TEST_SITE, null]],
      // A site that CORS_ORIGINS does not list is served from the host of the gateway.
      [start({ SESSION_COOKIES: 'on' }), TEST_SITE, [null, null]],
    ] as const) {
      expect(allowed(await preflight(origin, at))).toEqual(expected)
      expect(allowed(await me({ Origin: origin }, at))).toEqual(expected)
    }
    expect((await preflight(TEST_SITE)).headers.get('Access-Control-Allow-Headers')).toContain('X-CSRF-Token')
  })
})

describe('the description of the API', () => {
  it('has the cookie, its header and their refusals where the gateway sets cookies, and only there', async () => {
    const described = async (at: Requestable) =>
      JSON.stringify(await readJson(await at.request('/api/v1/openapi.json')))
    const document = await described(app)
    expect(document).toContain('"security":[{"bearer":[]},{"sessionCookie":[],"csrfToken":[]}]')
    expect(document).toContain('"security":[{"bearer":[]},{"sessionCookie":[]}]')
    expect(document).toContain('"name":"__Host-session"')
    expect(await described(off)).not.toMatch(/"sessionCookie"|__Host-/)
    const { paths } = JSON.parse(document)
    const refusalsOf = (path: string): string => paths[path].post.responses[403]?.description ?? ''
    const named = (text: string) => [...text.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code)
    expect(named(refusalsOf('/api/v1/auth/verify'))).toEqual(['ORIGIN_NOT_ALLOWED'])
    expect(named(refusalsOf('/api/v1/auth/logout'))).toEqual(['ORIGIN_NOT_ALLOWED', 'CSRF_TOKEN_INVALID'])
    expect(named(refusalsOf('/api/v1/claims/{claimId}/revocation/prepare'))).toEqual([
      'ISSUER_MISMATCH',
      'ORIGIN_NOT_ALLOWED',
      'CSRF_TOKEN_INVALID',
    ])
  })
})
