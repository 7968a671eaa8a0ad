/** Nobody without a token gets further than the public routes: every route of the router's own table is tried. */
import { generateKeyPairSync } from 'node:crypto'
import { exportSPKI, SignJWT, UnsecuredJWT } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChain } from '../../api/http/define-middleware.ts'
import { type RouteRules, routeRules } from '../../api/http/route-rules.ts'
import { createGateway, TEST_SECRET, type TestStore } from '../support/gateway.ts'
import { bearer, readJson, signIn } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const wallet = privateKeyToAccount(generatePrivateKey())
const HASH = `0x${'ab'.repeat(32)}`

let store: TestStore
let app: ReturnType<typeof createGateway>

beforeAll(async () => {
  store = await createTestStore()
  app = createGateway(store)
})
afterAll(() => store.stop())

/** Endpoints as registered; what is registered for every path is middleware. */
function endpoints(): { method: string; path: string }[] {
  const found = app.routes.filter(({ method, path }) => method !== 'ALL' || path !== '/*')
  const distinct = new Map(found.map(({ method, path }) => [`${method} ${path}`, { method, path }]))
  return [...distinct.values()]
}

/** The public routes of the specification's endpoint map, and those that describe the service itself. */
const OPEN = [
  'GET /api/v1/auth/nonce',
  'POST /api/v1/auth/verify',
  'GET /api/v1/health',
  'GET /api/v1/health/ready',
  'GET /api/v1/account/:wallet',
  'GET /api/v1/activity/:wallet',
  'GET /api/v1/vaults',
  'GET /api/v1/claims/:claimId',
  'GET /api/v1/executions/:executionId',
  'GET /api/v1/transactions/:hash',
  'GET /api/v1/unfinalized',
  'POST /api/v1/quotes/preview',
  'GET /api/v1/graphql',
  'POST /api/v1/graphql',
  'GET /api/v1/openapi.json',
  'GET /',
  'GET /schema.graphql',
  'GET /llms.txt',
  'GET /docs/errors',
  'GET /docs/errors/:code',
  'GET /docs',
  'GET /docs/openapi.json',
  'GET /docs/:file',
  'GET /api/v1/graphql/assets/:file',
  'GET /api/v1/statements/:subject/:file',
]

const isOpen = ({ method, path }: { method: string; path: string }) =>
  OPEN.includes(`${method} ${path}`) ||
  (method === 'GET' && /^\/api\/v1\/exports\/\w+\.(?:csv|parquet)$/.test(path))

describe('without a token', () => {
  it('every route that is not public answers 401, whatever the verb of the table', async () => {
    const guarded = endpoints().filter((endpoint) => !isOpen(endpoint))
    expect(guarded.map(({ method, path }) => `${method} ${path}`)).toContain('GET /api/v1/claims/issued')
    for (const { method, path } of guarded) {
      const url = path.replaceAll(/:\w+/g, HASH)
      const response = await app.request(url, { method: method === 'ALL' ? 'GET' : method })
      expect([url, response.status]).toEqual([url, 401])
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
      expect(await readJson(response)).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' })
    }
  })

  it('every public route answers something else', async () => {
    const open = endpoints().filter(isOpen)
    expect(open.length).toBeGreaterThan(OPEN.length)
    for (const { method, path } of open) {
      const response = await app.request(path.replaceAll(/:\w+/g, HASH), { method })
      expect([path, response.status]).not.toEqual([path, 401])
    }
  })

  it('HEAD gets no more than GET', async () => {
    expect((await app.request('/api/v1/auth/me', { method: 'HEAD' })).status).toBe(401)
  })

  it('no spelling of a guarded path slips through', async () => {
    const paths = [
      '/api/v1/claims/%69ssued',
      '/api/v1/claims/issued/',
      '/api/v1//claims/issued',
      '/API/v1/claims/issued',
    ]
    for (const path of [
      ...paths,
      '/api/v1/auth/%6de',
      '/api/v1/claims/x/../issued',
      '/api/v1/claims/issued?wallet=0x',
    ]) {
      const { status } = await app.request(path)
      expect([path, status >= 400 && status < 500]).toEqual([path, true])
    }
  })

  it('a route that nobody listed is refused, however it was registered', async () => {
    const careless = createGateway(store)
    careless.get('/api/v1/forgotten', (c) => c.text('secret'))
    careless.all('/api/v1/forgotten-all', (c) => c.text('secret'))
    careless.all('/api/v1/forgotten/*', (c) => c.text('secret'))
    careless.use('/forgotten/*', async (c) => c.text('secret'))
    careless.on(['PURGE'], '/api/v1/forgotten', (c) => c.text('secret'))
    for (const path of [
      '/api/v1/forgotten',
      '/api/v1/forgotten-all',
      '/api/v1/forgotten/x',
      '/forgotten/x',
    ]) {
      expect([path, (await careless.request(path)).status]).toEqual([path, 401])
    }
    expect((await careless.request('/api/v1/forgotten', { method: 'PURGE' })).status).toBe(401)
    const catchAll = createGateway(store)
    catchAll.all('*', (c) => c.text('secret'))
    expect((await catchAll.request('/api/v1/anything')).status).toBe(401)
  })
})

describe('several routes that match a request', () => {
  it.each([
    ['a public one first', ['/a/:id', '/a/guarded']],
    ['a guarded one first', ['/a/guarded', '/a/:id']],
  ])('must all be public: %s', async (_, paths) => {
    const rules = new Map<string, RouteRules>([
      ['GET /a/:id', { access: 'public', limit: 'default' }],
      ['GET /a/guarded', { access: 'wallet', limit: 'prepare' }],
    ])
    const several = startChain().use(routeRules(rules)).createApp()
    for (const path of paths) several.get(path, (c) => c.json([c.get('route'), c.get('rules').access]))
    const read = async (path: string) => (await several.request(path)).json()
    expect(await read('/a/1')).toEqual(['GET /a/:id', 'public'])
    expect(await read('/a/guarded')).toEqual([`GET ${paths[0]}`, 'wallet'])
  })
})

describe('a token', () => {
  it('opens what is guarded, and the answer is not to be stored', async () => {
    const response = await app.request('/api/v1/auth/me', bearer(await signIn(app, wallet)))
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await readJson(response)).toMatchObject({ wallet: wallet.address.toLowerCase() })
  })

  it('of another secret, audience, issuer or chain, expired, unsigned, or of another algorithm opens nothing', async () => {
    const now = Math.floor(Date.now() / 1000)
    const good = {
      sub: wallet.address.toLowerCase(),
      iss: 'claim-financing-gateway',
      aud: 'claim-financing-gateway',
      iat: now,
      exp: now + 3600,
      jti: 'id',
      chainId: 31_337,
    }
    const ours = new TextEncoder().encode(TEST_SECRET)
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const sign = (payload: Record<string, unknown>, key = ours, alg = 'HS256') =>
      new SignJWT(payload).setProtectedHeader({ alg }).sign(key)
    expect((await app.request('/api/v1/auth/me', bearer(await sign(good)))).status).toBe(200)
    const attacks = {
      'another secret': await sign(good, new TextEncoder().encode('another secret that has over 32 bytes')),
      'another audience': await sign({ ...good, aud: 'evil.example' }),
      'another issuer': await sign({ ...good, iss: 'evil' }),
      'another chain': await sign({ ...good, chainId: 1 }),
      'no subject': await sign({ ...good, sub: undefined }),
      expired: await sign({ ...good, exp: now - 1 }),
      'issued in the future': await sign({ ...good, iat: now + 3600, exp: now + 7200 }),
      'never expires': await sign({ ...good, exp: undefined }),
      'alg none': new UnsecuredJWT(good).encode(),
      RS256: await new SignJWT(good).setProtectedHeader({ alg: 'RS256' }).sign(privateKey),
      'HS256 keyed by a public key': await sign(good, new TextEncoder().encode(await exportSPKI(publicKey))),
      HS512: await sign(good, ours, 'HS512'),
      garbage: 'a.b.c',
    }
    for (const [attack, token] of Object.entries(attacks)) {
      const response = await app.request('/api/v1/auth/me', bearer(token))
      expect([attack, response.status]).toEqual([attack, 401])
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"')
      const reason = attack === 'expired' ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID'
      expect(await readJson(response)).toMatchObject({ code: 'UNAUTHENTICATED', reason })
    }
  })

  it('is read from the Authorization header of the Bearer scheme alone', async () => {
    const token = await signIn(app, wallet)
    for (const header of [
      token,
      `Basic ${token}`,
      `Bearer${token}`,
      `Bearer ${token} ${token}`,
      'Bearer',
      'Bearer ',
    ]) {
      const response = await app.request('/api/v1/auth/me', { headers: { Authorization: header } })
      expect(response.status).toBe(401)
    }
    expect((await app.request(`/api/v1/auth/me?access_token=${token}`)).status).toBe(401)
    expect((await app.request('/api/v1/auth/me', { headers: { Cookie: `token=${token}` } })).status).toBe(401)
    const lowercase = await app.request('/api/v1/auth/me', { headers: { Authorization: `bearer ${token}` } })
    expect(lowercase.status).toBe(200)
  })

  it('that is not good costs nobody a public read', async () => {
    expect((await app.request('/api/v1/auth/nonce', bearer('stale'))).status).toBe(200)
  })
})

describe('an unknown', () => {
  it('path is a 404, for anyone', async () => {
    const response = await app.request('/api/v1/nothing')
    expect(response.status).toBe(404)
    expect(await readJson(response)).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('path is named in the answer, shortened and without control characters', async () => {
    const detailOf = async (path: string) => (await readJson(await app.request(path))).detail
    const remedy = 'Compare it with /api/v1/openapi.json.'
    expect(await detailOf('/api/v1/nothing?a=b')).toBe(`No route has the path /api/v1/nothing. ${remedy}`)
    expect(await detailOf('/api/v1/a%0Ab')).toBe(`No route has the path /api/v1/a%0Ab. ${remedy}`)
    const long = `/api/v1/${'a'.repeat(5000)}`
    expect(await detailOf(long)).toBe(`No route has the path ${long.slice(0, 500)}…. ${remedy}`)
  })

  it('method of a known path is a 405 that lists the others, for anyone', async () => {
    for (const [method, path, allow] of [
      ['GET', '/api/v1/auth/verify', 'POST'],
      ['DELETE', '/api/v1/auth/nonce', 'GET, HEAD'],
      ['POST', `/api/v1/claims/${HASH}`, 'GET, HEAD'],
      ['PUT', '/api/v1/auth/me', 'GET, HEAD'],
      ['GET', '/api/v1/auth/logout', 'POST'],
      ['POST', '/api/v1/graphql/assets/graphiql.js', 'GET, HEAD'],
      ['PUT', '/api/v1/graphql', 'GET, POST'],
    ] as const) {
      const response = await app.request(path, { method })
      expect([path, response.status, response.headers.get('Allow')]).toEqual([path, 405, allow])
      expect(await readJson(response)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
    }
  })
})
