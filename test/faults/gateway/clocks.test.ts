/**
 * Three gateways whose clocks differ by a minute from each other, and one whose clock is set back while it runs. The
 * chain and the wallets have the right time.
 */
import { join } from 'node:path'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromChain, startLyingNode } from '../../indexer/lying-node.ts'
import { startAnvil } from '../../support/anvil.ts'
import { type Replica, startReplicaWorld } from '../../support/replica.ts'
import * as routes from '../../support/routes.ts'
import * as act from '../../support/scenario.ts'
import { bearer, getNonce, postVerify, readJson, signInMessage } from '../../support/sign-in.ts'

const USD = 1_000_000n
const PRELOAD = join(import.meta.dirname, '../../support/skewed-clock.ts')
const SKEWS_S = [-60, 0, 60] as const
/** Requests of one wallet in a window, over all gateways. */
const LIMIT = 12
const WINDOW_S = 3600

const skewed = (seconds: number) => ({
  NODE_OPTIONS: `--import=${PRELOAD}`,
  CLOCK_SKEW_MS: `${seconds * 1000}`,
  CLOCK_STEP_MS: '-3600000',
  RATE_LIMIT_DEFAULT: `${LIMIT}`,
  RATE_LIMIT_SIGN_IN: '1000000',
  RATE_LIMIT_WINDOW_SECONDS: `${WINDOW_S}`,
})

/** All pairs of two clocks. */
const PAIRS = SKEWS_S.flatMap((first) => SKEWS_S.map((second) => ({ first, second })))

let the: Awaited<ReturnType<typeof startReplicaWorld>>
let claimId: Hex
const gateways = new Map<number, Replica>()
beforeAll(async () => {
  the = await startReplicaWorld()
  const { world } = the
  const { issuer, beneficiary } = world.parties
  await act.createFundedVault(world, { token: world.usd, capital: 1_000_000n * USD })
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 100_000n * USD }
  claimId = (await act.registerClaim(world, terms)).claimId
  await act.finalize(world)
  const started = SKEWS_S.map(async (skew) => [skew, await the.start({ env: skewed(skew) })] as const)
  for (const [skew, gateway] of await Promise.all(started)) gateways.set(skew, gateway)
})
afterAll(() => the?.stop())

function at(skew: number): Replica {
  const gateway = gateways.get(skew)
  if (!gateway) throw new Error(`no gateway has the clock ${skew}`)
  return gateway
}

/** A wallet with the right time signs in: with the nonce of one gateway at another one. */
async function signInAt(party: typeof the.world.parties.beneficiary, nonceOf: Replica, verifier: Replica) {
  const message = await signInMessage(verifier, party.address, {
    nonce: await getNonce(nonceOf),
    issuedAt: new Date(),
  })
  const response = await postVerify(verifier, {
    message,
    signature: await party.key.signMessage({ message }),
  })
  const { token, code } = await readJson(response)
  return { code, token: String(token) }
}

const follow = (gateway: Replica, token: string) =>
  Promise.resolve(gateway.request(`/api/v1/transactions/0x${'1'.repeat(64)}`, bearer(token)))

describe('gateways whose clocks differ by a minute', () => {
  it.each(PAIRS)(
    'accept a nonce of $first s at $second s, and its token everywhere',
    async ({ first, second }) => {
      const party = the.world.parties.otherBeneficiary
      const { code, token } = await signInAt(party, at(first), at(second))
      expect(code).toBeUndefined()
      for (const skew of SKEWS_S) {
        const { status } = await at(skew).request('/api/v1/executions/prepare', {
          method: 'POST',
          ...bearer(token),
        })
        // The refusal is about the missing body: the token was accepted.
        expect(status).not.toBe(401)
      }
    },
  )

  it.each(PAIRS)(
    'prepare at $second s what was optimized at $first s, and the router accepts it',
    async ({ first, second }) => {
      const { world } = the
      const { beneficiary, relayer } = world.parties
      const { token } = await signInAt(beneficiary, at(0), at(0))
      const body = { claimIds: [claimId], targetAdvance: 100n * USD }
      const { routeId } = await routes.optimizeToRoute(at(first), token, body)
      if (second - first >= 120) {
        const refused = await routes.postPrepare(at(second), token, routeId)
        expect(await readJson(refused)).toMatchObject({ status: 422, code: 'ROUTE_INTENT_EXPIRED' })
        return
      }
      const prepared = await routes.prepare(at(second), token, routeId, 'a-key')
      for (const skew of SKEWS_S) {
        const again = await routes.prepare(at(skew), token, routeId, 'a-key')
        expect(again).toEqual(prepared)
        expect(
          await readJson(await routes.postPrepare(at(skew), token, routeId, 'another-key')),
        ).toMatchObject({
          code: 'ROUTE_INTENT_UNAVAILABLE',
        })
      }
      const { executionId } = await routes.signAndSubmit(world, beneficiary, prepared, relayer)
      expect(executionId).toBe(prepared.executionId)
      await act.finalize(world)
    },
  )

  it('share one window of the rate limit of a wallet', async () => {
    const { token } = await signInAt(the.world.parties.payer, at(0), at(0))
    const statuses = []
    for (let i = 0; i < LIMIT; i++) statuses.push((await follow(at(SKEWS_S[i % 3] ?? 0), token)).status)
    expect(statuses).not.toContain(429)
    for (const skew of SKEWS_S) {
      const refused = await follow(at(skew), token)
      expect(refused.status).toBe(429)
      const seconds = Number(refused.headers.get('Retry-After'))
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(WINDOW_S)
    }
  })
})

it('a clock that is set back by an hour does not exclude a node for an hour', async () => {
  const other = await startAnvil({ timestamp: 1_000_000_000 })
  const node = await startLyingNode(the.world.rpcUrl)
  const gateway = await the.start({ rpcUrl: node.url, env: skewed(0) })
  const codeOf = async () => {
    const body = JSON.stringify({ claimId })
    const headers = { 'Content-Type': 'application/json' }
    const response = await gateway.request('/api/v1/quotes/preview', { method: 'POST', headers, body })
    return (await readJson(response)).code
  }
  expect(await codeOf()).toBeUndefined()
  node.lieWith(fromChain(other.rpcUrl))
  await expect.poll(codeOf).toBe('CHAIN_UNAVAILABLE')
  const isSet = gateway.process.line(/the clock was set/)
  process.kill(gateway.process.pid, 'SIGUSR2')
  await isSet
  node.lieWith(undefined)
  await expect.poll(codeOf).toBeUndefined()
  await Promise.all([gateway.process.stop(), node.stop(), other.stop()])
})
