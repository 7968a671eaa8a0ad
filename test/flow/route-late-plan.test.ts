/**
 * A plan that is still under way when its client has left, as in a gateway that was paused, undoes nothing that the
 * client has done since.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { consumeIntent } from '../../api/store/route-intents.ts'
import { createGateway } from '../support/gateway.ts'
import { until } from '../support/indexer.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { serveHttp } from '../support/serve.ts'
import { bearer } from '../support/sign-in.ts'

const USD = 1_000_000n
const KEY = 'preparation-1'

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
beforeAll(async () => {
  the = await routes.startRouteWorld()
})
afterAll(() => the.stop())

it('leaves the route that its client is preparing', async () => {
  const { issuer, beneficiary } = the.world.parties
  await act.createFundedVault(the.world, { token: the.world.usd, capital: 500n * USD })
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 1000n * USD }
  const { claimId } = await act.registerClaim(the.world, terms)
  await routes.settleDown(the)
  const token = await routes.tokenOf(the, beneficiary)
  const body = { claimIds: [claimId], targetAdvance: 100n * USD }

  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const node = await startNodeProxy(async ({ method }) => {
    if (method !== 'eth_getBlockByNumber') return undefined
    asked.resolve()
    await gate.promise
    return undefined
  }, the.world.rpcUrl)
  const log: { path?: string; status?: number }[] = []
  const late = createGateway(the.store, {
    rpcUrl: node.url,
    clock: the.clock.now,
    log: { write: (text) => void log.push(JSON.parse(text)) },
  })
  const server = await serveHttp(late.fetch)
  const leaving = new AbortController()
  const left = fetch(`${server.url}/api/v1/routes/optimize`, {
    method: 'POST',
    headers: { ...bearer(token).headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body, routes.jsonBigint),
    signal: leaving.signal,
  }).catch((error: unknown) => error)
  await asked.promise

  const { routeId } = await routes.optimizeToRoute(the.app, token, body)
  const user = beneficiary.address
  await consumeIntent(the.store.store, { routeId, user, idempotencyKey: KEY }, new Date(the.clock.now()))
  leaving.abort()
  expect(await left).toMatchObject({ name: 'AbortError' })
  gate.resolve()
  await until(async () =>
    log.some(({ path, status }) => path === '/api/v1/routes/optimize' && status === 499),
  )

  expect((await routes.prepare(the.app, token, routeId, KEY)).legs).toHaveLength(1)
  await server.close()
  await node.stop()
})
