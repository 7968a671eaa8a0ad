/** Reads that only a signed-in wallet may make, over the shared world: `GET /claims/issued` and GraphQL's `viewer`. */
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { bearer, readJson, signIn } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'
import { sharedAccount, sharedPlan, sharedWorld } from '../support/world.ts'

type Item = { claimId: string; issuer: string; registeredAt: string }
type Page = { items: Item[]; nextCursor: string | null; finalizedThrough: { blockNumber: number } }

const pool = createPool(sharedWorld().databaseUrl, 3)
const ISSUED = '/api/v1/claims/issued'
const issuer = sharedAccount('issuer-1')
const wallet = sharedAccount('wallet-1')

let store: TestStore
let app: ReturnType<typeof createGateway>
let issuerToken: string
let walletToken: string

beforeAll(async () => {
  store = await createTestStore()
  app = createGateway(store, { db: createProjectionDb(pool) })
  issuerToken = await signIn(app, privateKeyToAccount(issuer.privateKey))
  walletToken = await signIn(app, privateKeyToAccount(wallet.privateKey))
})
afterAll(() => Promise.all([store.stop(), pool.end()]))

async function page(token: string, query = ''): Promise<Page> {
  const response = await app.request(ISSUED + query, bearer(token))
  expect(response.status).toBe(200)
  return response.json()
}

/** The plan's claims of an issuer. */
function planned(role: string): string[] {
  const { claimIds } = sharedWorld()
  const place = sharedPlan().actors.findIndex((actor) => actor.role === role)
  return sharedPlan().claims.flatMap((claim, index) =>
    claim.issuer === place ? [claimIds[index] ?? ''] : [],
  )
}

describe('the claims that the caller issued', () => {
  it('are all of them, newest first, and nobody else sees them', async () => {
    const { items } = await page(issuerToken, '?limit=200')
    expect(items.map(({ claimId }) => claimId).sort()).toEqual(planned('issuer-1').sort())
    for (const { issuer: issuedBy } of items) expect(issuedBy).toBe(issuer.address)
    const times = items.map(({ registeredAt }) => registeredAt)
    expect(times).toEqual(times.toSorted().reverse())
    expect((await page(walletToken)).items).toEqual([])
  })

  it('come in pages that join without gap or overlap', async () => {
    const whole = await page(issuerToken, '?limit=200')
    const joined: Item[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const next: Page = await page(issuerToken, `?limit=3${cursor && `&cursor=${cursor}`}`)
      joined.push(...next.items)
      cursor = next.nextCursor
    }
    expect(joined).toEqual(whole.items)
  })

  it("another wallet's cursor shows nothing of that wallet", async () => {
    const { nextCursor } = await page(issuerToken, '?limit=1')
    expect((await page(walletToken, `?cursor=${nextCursor}`)).items).toEqual([])
  })

  it('need a token, and only this service may keep the answer', async () => {
    expect((await app.request(ISSUED)).status).toBe(401)
    const response = await app.request(ISSUED, bearer(issuerToken))
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('X-Finalized-Through')).toMatch(/^\d+$/)
  })

  it('refuse a wallet in the query, a foreign cursor and a wrong limit', async () => {
    for (const query of [
      `?wallet=${issuer.address}`,
      '?cursor=nonsense',
      '?limit=0',
      '?limit=201',
      '?limit=1&limit=2',
    ]) {
      const response = await app.request(ISSUED + query, bearer(walletToken))
      expect([query, response.status]).toEqual([query, 400])
    }
  })
})

describe("GraphQL's viewer", () => {
  const ask = async (headers: Record<string, string>) => {
    const response = await app.request('/api/v1/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({
        query: '{ viewer { address claims { totalCount } } _meta { finalizedThrough { blockNumber } } }',
      }),
    })
    return { response, body: await readJson(response) }
  }

  it('is the account of the wallet that signed in', async () => {
    const { body, response } = await ask({ Authorization: `Bearer ${walletToken}` })
    expect(body).toMatchObject({
      data: { viewer: { address: wallet.address, claims: { totalCount: expect.any(Number) } } },
    })
    expect(body.errors).toBeUndefined()
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('X-Request-Id')).toMatch(/^[\w-]+$/)
    expect(response.headers.get('RateLimit')).toMatch(/^"default";r=/)
  })

  it('is an UNAUTHENTICATED error of the operation without a good token', async () => {
    const ended = await signIn(app, privateKeyToAccount(wallet.privateKey))
    await app.request('/api/v1/auth/logout', { method: 'POST', ...bearer(ended) })
    for (const headers of [{}, { Authorization: 'Bearer stale' }, { Authorization: `Bearer ${ended}` }]) {
      const { body } = await ask(headers)
      expect(body).toMatchObject({
        data: null,
        errors: [
          { path: ['viewer'], extensions: { code: 'UNAUTHENTICATED', requestId: expect.any(String) } },
        ],
      })
    }
  })
})
