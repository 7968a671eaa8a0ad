/** Reads of sessions in cookies: what they show of the caller, and that no cache has their answers. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/indexer.ts'
import { readJson, signInMessage, TEST_SITE } from '../support/sign-in.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

const wallet = privateKeyToAccount(generatePrivateKey())
const VIEWER = '{ viewer { address } }'

let gateway: ReadGateway
/** Headers that a browser sends from a page of the site. */
let jar: { Cookie: string; Origin: string; 'X-CSRF-Token': string }

beforeAll(async () => {
  gateway = await startReadGateway({ SESSION_COOKIES: 'on' })
  const message = await signInMessage(gateway.app, wallet.address)
  const signature = await wallet.signMessage({ message })
  const response = await gateway.app.request('/api/v1/auth/verify', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: TEST_SITE },
    body: JSON.stringify({ message, signature, cookie: true }),
  })
  const [Cookie = ''] = (response.headers.get('Set-Cookie') ?? '').split(';')
  const { csrfToken } = await readJson(response)
  jar = { Cookie, Origin: TEST_SITE, 'X-CSRF-Token': String(csrfToken) }
})
afterAll(() => gateway.stop())

type Headers = Record<string, string>

const post = (query: string, headers: Headers = {}) =>
  gateway.app.request('/api/v1/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })
const get = (query: string, headers: Headers = {}) =>
  gateway.get(`/graphql?${new URLSearchParams({ query })}`, { Accept: 'application/json', ...headers })

describe("GraphQL's viewer", () => {
  it('is the wallet of the cookie, by POST with the CSRF token and by GET without', async () => {
    const answer = { data: { viewer: { address: wallet.address.toLowerCase() } } }
    expect(await readJson(await post(VIEWER, jar))).toMatchObject(answer)
    expect(await readJson(await get(VIEWER, { Cookie: jar.Cookie }))).toMatchObject(answer)
  })

  it('is nobody for a forged request', async () => {
    const query = '{ viewer { address } claims(first: 1) { nodes { claimId } } }'
    for (const [headers, code] of [
      [{ Cookie: jar.Cookie, Origin: TEST_SITE }, 'CSRF_TOKEN_INVALID'],
      [{ ...jar, 'X-CSRF-Token': '0'.repeat(64) }, 'CSRF_TOKEN_INVALID'],
      [{ ...jar, Origin: 'https://evil.example' }, 'ORIGIN_NOT_ALLOWED'],
    ] as const) {
      expect(await readJson(await post(query, headers))).toMatchObject({
        data: null,
        errors: [{ path: ['viewer'], extensions: { code } }],
      })
    }
  })
})

const readsOf = (ask: () => Response | Promise<Response>): Promise<number> =>
  gateway.readsOf(async () => expect((await ask()).status).toBe(200))

describe('an answer to a cookie', () => {
  it.each([
    ['REST', (id: number, headers: Headers) => gateway.get(`/vaults?limit=${id}`, headers)],
    [
      'GraphQL by POST',
      (id: number, headers: Headers) => post(`{ claims(first: ${id}) { nodes { claimId } } }`, headers),
    ],
    [
      'GraphQL by GET',
      (id: number, headers: Headers) => get(`{ claims(first: ${id}) { nodes { claimId } } }`, headers),
    ],
  ])('of %s is not kept here, nor by any cache', async (_, ask) => {
    await until(async () => (await readsOf(() => ask(1, {}))) === 0)
    expect(await readsOf(() => ask(2, jar))).toBeGreaterThan(0)
    // Nobody else gets what was read for the cookie.
    expect(await readsOf(() => ask(2, {}))).toBeGreaterThan(0)
    for (const headers of [jar, { Cookie: jar.Cookie }]) {
      const response = await ask(3, headers)
      expect(response.headers.get('Vary')).toContain('Cookie')
    }
    expect((await ask(3, jar)).headers.get('Cache-Control')).toBe('no-store')
  })

  it('of GraphQL by GET has the same headers whether or not that of nobody is kept', async () => {
    const query = '{ claims(first: 4) { nodes { claimId } } }'
    const { headers: ofNobody } = await get(query)
    await until(async () => (await readsOf(() => get(query))) === 0)
    const named = { Cookie: jar.Cookie, 'If-None-Match': ofNobody.get('ETag') ?? '' }
    const cachingOf = async (text: string) => {
      const { status, headers } = await get(text, named)
      return { status, tag: headers.get('ETag'), caching: headers.get('Cache-Control') }
    }
    const kept = await cachingOf(query)
    expect(kept).toEqual({ status: 200, tag: null, caching: 'no-store' })
    expect(await cachingOf(`${query} # read`)).toEqual(kept)
  })

  it('as a stream of events is not stored either', async () => {
    const leaving = new AbortController()
    const search = new URLSearchParams({ query: 'subscription { finalizedBlock { blockNumber } }' })
    const response = await gateway.app.request(`/api/v1/graphql?${search}`, {
      headers: { Cookie: jar.Cookie, Accept: 'text/event-stream' },
      signal: leaving.signal,
    })
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    await response.body?.cancel()
    leaving.abort()
  })
})
