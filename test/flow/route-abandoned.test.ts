/**
 * Searches without a route: one stops with its client, and is not reported as a failure; one ends at its work limit;
 * one finds no thread. A wallet has a bounded number of searches.
 */
import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { optimizeRoute } from '../../api/optimizer/index.ts'
import { createOptimizerPool } from '../../api/optimizer-pool/index.ts'
import { edgeFamilies } from '../../bench/optimizer/edge-families.ts'
import { families } from '../../bench/optimizer/families.ts'
import { until } from '../support/indexer.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { serveHttp } from '../support/serve.ts'
import { readJson } from '../support/sign-in.ts'

const USD = 1_000_000n

/** Searched for most of a second, where the client stays for moments. */
const hard = families.find(({ name, vaults }) => name === 'fixed lots' && vaults === 64)?.make(2)
/** Asks for an exact sum, which no search decides. */
const undecided = edgeFamilies
  .find(({ name, claims }) => name.startsWith('subset sums') && claims > 12)
  ?.make(3)
/** The input in place of that of the request. */
let searched = hard
/** While it is set, another search takes the thread just before each one, until this ends it. */
let other: AbortSignal | undefined

const log: { level: number; status?: number; path?: string }[] = []
const pool = createOptimizerPool({
  threads: 1,
  maxQueue: 0,
  onFault: (error) => expect.unreachable(error.message),
})
const searches = new EventEmitter<{ search: [{ outcome: Promise<unknown> }] }>()

/** While it is set, searches begin when it resolves. */
let held: Promise<void> | undefined

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
let token: string
let body: string
beforeAll(async () => {
  the = await routes.startRouteWorld({
    log: { write: (text) => void log.push(JSON.parse(text)) },
    optimize: (input, signal) => {
      if (held) {
        searches.emit('search', { outcome: held })
        return held.then(() => optimizeRoute(input))
      }
      if (!searched) throw new Error('the benchmark has no such family any more')
      if (other) pool.optimize(searched, other).catch(() => {})
      const found = pool.optimize(searched, signal)
      searches.emit('search', { outcome: found.catch((error: unknown) => error) })
      return found
    },
  })
  const { issuer, beneficiary } = the.world.parties
  await act.createFundedVault(the.world, { token: the.world.usd, capital: 500n * USD })
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 1000n * USD }
  const { claimId } = await act.registerClaim(the.world, terms)
  body = JSON.stringify({ claimIds: [claimId], targetAdvance: String(100n * USD) })
  await routes.settleDown(the)
  token = await routes.tokenOf(the, beneficiary)
})
afterAll(async () => {
  await pool.close()
  await the.stop()
})

async function plan(signal?: AbortSignal, by = token): Promise<Response> {
  const headers = { Authorization: `Bearer ${by}`, 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body, ...(signal && { signal }) }
  return the.app.request('/api/v1/routes/optimize', init)
}

it('that its client leaves frees the only thread for the next, and is logged as gone', async () => {
  const server = await serveHttp(the.app.fetch)
  const lines = () => log.filter(({ path }) => path === '/api/v1/routes/optimize')

  for (const times of [1, 2]) {
    const leaving = new AbortController()
    const started = once(searches, 'search')
    const left = fetch(`${server.url}/api/v1/routes/optimize`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body,
      signal: leaving.signal,
    }).catch((error: unknown) => error)
    const [{ outcome }] = await started
    leaving.abort()
    expect([await left, await outcome]).toMatchObject([{ name: 'AbortError' }, { name: 'AbortError' }])
    await until(async () => lines().length === times)
  }
  expect(lines()).toMatchObject([
    { level: 30, status: 499 },
    { level: 30, status: 499 },
  ])
  expect(log.filter(({ level }) => level > 30)).toEqual([])
  await server.close()
})

it('that ends at its work limit is refused with what is known of the target', async () => {
  searched = undecided
  const refused = await plan()
  searched = hard
  expect(refused.headers.get('Retry-After')).toBe('2')
  const { status, code, detail, knownAdvance, advanceAtMost } = await readJson(refused)
  expect([status, code]).toEqual([503, 'OPTIMIZER_EXHAUSTED'])
  const target = undecided?.targetAdvance ?? 0n
  expect(BigInt(String(knownAdvance))).toBeGreaterThan(0n)
  expect(BigInt(String(knownAdvance))).toBeLessThan(target)
  expect(BigInt(String(advanceAtMost))).toBeGreaterThanOrEqual(target)
  expect(detail).toContain(`A route with an advance of ${knownAdvance} is known, and none advances more than`)
})

it('that finds every thread at work is refused at once', async () => {
  const leaving = new AbortController()
  other = leaving.signal
  const refused = await plan()
  other = undefined
  leaving.abort()
  expect(refused.headers.get('Retry-After')).toBe('2')
  expect(await readJson(refused)).toMatchObject({ status: 503, code: 'OPTIMIZER_BUSY' })
})

it('is one of at most four of its wallet: the fifth is refused until one ends', async () => {
  const gate = Promise.withResolvers<void>()
  held = gate.promise
  const all = []
  for (const _ of Array(4)) {
    const started = once(searches, 'search')
    all.push(plan())
    await started
  }
  const refused = await plan()
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'OPTIMIZER_BUSY', maximum: 4 }])
  gate.resolve()
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await plan()).status).toBe(200)
})

it('is one of at most eight of its client address, whatever wallets that has', async () => {
  const { otherBeneficiary, stranger } = the.world.parties
  const other = await routes.tokenOf(the, otherBeneficiary)
  const third = await routes.tokenOf(the, stranger)
  const gate = Promise.withResolvers<void>()
  held = gate.promise
  const all = []
  for (const by of [...Array(4).fill(token), ...Array(4).fill(other)]) {
    const started = once(searches, 'search')
    all.push(plan(undefined, by))
    await started
  }
  const begun = once(searches, 'search').then(() => expect.unreachable('a ninth search has begun'))
  const refused = await Promise.race([plan(undefined, third), begun])
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'OPTIMIZER_BUSY', maximum: 8 }])
  gate.resolve()
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await plan(undefined, third)).status).toBe(200)
})
