/** A session ends when its wallet says so: at every replica, at once, and for good. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '../../api/projection/session/database.ts'
import { createStore } from '../../api/store/database.ts'
import { pruneStore } from '../../api/store/prune.ts'
import { freePort } from '../support/anvil.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { startProxy } from '../support/proxy.ts'
import { bearer, readJson, signIn } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const wallet = privateKeyToAccount(generatePrivateKey())

let store: TestStore
let replicas: readonly [ReturnType<typeof createGateway>, ReturnType<typeof createGateway>]

beforeAll(async () => {
  store = await createTestStore()
  replicas = [createGateway(store), createGateway(store)]
})
afterAll(() => store.stop())

type Replica = ReturnType<typeof createGateway>

const logOut = (at: Replica, token: string) =>
  Promise.resolve(at.request('/api/v1/auth/logout', { method: 'POST', ...bearer(token) }))
const whoAmI = (at: Replica, token: string) => Promise.resolve(at.request('/api/v1/auth/me', bearer(token)))

async function expectRevoked(response: Response): Promise<void> {
  expect(response.status).toBe(401)
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"')
  expect(await readJson(response)).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'TOKEN_REVOKED' })
}

describe('a logout', () => {
  it('revokes the token at every replica at once, and no other token of the wallet', async () => {
    const [here, elsewhere] = replicas
    const [ended, other] = [await signIn(here, wallet), await signIn(here, wallet)]
    const answer = await logOut(here, ended)
    expect([answer.status, await readJson(answer)]).toEqual([200, { status: 'signed-out' }])
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    for (const replica of [here, elsewhere, createGateway(store)]) {
      await expectRevoked(await whoAmI(replica, ended))
      expect((await whoAmI(replica, other)).status).toBe(200)
    }
  })

  it('with a token that was revoked is a 401 like any other use of it', async () => {
    const [here, elsewhere] = replicas
    const token = await signIn(here, wallet)
    expect((await logOut(elsewhere, token)).status).toBe(200)
    await expectRevoked(await logOut(here, token))
    await expectRevoked(await logOut(elsewhere, token))
  })

  it('asked for by fifty at once on two replicas succeeds, fails nowhere, and ends the session', async () => {
    const token = await signIn(replicas[0], wallet)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => logOut(replicas[index % 2 ? 1 : 0], token)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => status !== 200 && status !== 401)).toEqual([])
    for (const replica of replicas) await expectRevoked(await whoAmI(replica, token))
  })

  it('answers POST alone, and only with a token', async () => {
    const [app] = replicas
    const token = await signIn(app, wallet)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await app.request('/api/v1/auth/logout', { method, ...bearer(token) })
      expect([method, response.status, response.headers.get('Allow')]).toEqual([method, 405, 'POST'])
    }
    expect((await app.request('/api/v1/auth/logout', { method: 'POST' })).status).toBe(401)
    expect(
      (await app.request('/api/v1/auth/logout?all=1', { method: 'POST', ...bearer(token) })).status,
    ).toBe(400)
    expect((await whoAmI(app, token)).status).toBe(200)
  })
})

describe('a revoked token', () => {
  it('costs nobody a public read', async () => {
    const [app] = replicas
    const token = await signIn(app, wallet)
    await logOut(app, token)
    expect((await app.request('/api/v1/auth/nonce', bearer(token))).status).toBe(200)
  })

  it('is remembered for as long as the token would be good, and then forgotten', async () => {
    const rows = async () =>
      (await store.pool.query('select count(*)::int as count from gateway.revoked_token')).rows[0].count
    await store.pool.query('delete from gateway.revoked_token')
    const token = await signIn(replicas[0], wallet)
    const expiresAt = Date.parse(String((await readJson(await whoAmI(replicas[0], token))).expiresAt))
    await logOut(replicas[0], token)
    // The clocks of gateways can differ by an hour.
    await pruneStore(store.store, expiresAt + 3_600_000)
    await expectRevoked(await whoAmI(replicas[1], token))
    await pruneStore(store.store, expiresAt + 3_600_001)
    expect(await rows()).toBe(0)
  })
})

describe('while the database is away', () => {
  it('no token opens a guarded route or is revoked, and what needs no database is answered', async () => {
    const pool = createPool(`postgres://nobody@127.0.0.1:${await freePort()}/none`, 1)
    const cutOff = createGateway({ ...store, pool, store: createStore(pool) })
    const token = await signIn(replicas[0], wallet)
    for (const response of [await whoAmI(cutOff, token), await logOut(cutOff, token)]) {
      expect(response.status).toBe(503)
      expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(await readJson(response)).toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    }
    for (const path of ['/health', '/openapi.json', '/auth/nonce']) {
      const { status } = await cutOff.request(`/api/v1${path}`, bearer(token))
      expect([path, status]).toEqual([path, 200])
    }
    expect((await whoAmI(replicas[0], token)).status).toBe(200)
    await pool.end()
  })

  it('and takes connections without an answer, the process still says that it lives, to a caller with a token too', async () => {
    const silent = await startProxy(new URL(store.url))
    silent.hold()
    const through = new URL(store.url)
    through.port = new URL(silent.url).port
    const pool = createPool(through.href, 1)
    const waiting = createGateway({ ...store, pool, store: createStore(pool) })
    const token = await signIn(replicas[0], wallet)
    const unanswered = whoAmI(waiting, token)
    await silent.held()
    expect((await waiting.request('/api/v1/health', bearer(token))).status).toBe(200)
    silent.release()
    expect((await unanswered).status).toBe(200)
    await pool.end()
    silent.stop()
  })
})
