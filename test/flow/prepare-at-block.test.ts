/**
 * Who has written something builds on it by naming the block it is in: previews, routes and prepares wait for it, or
 * are refused.
 */
import pg from 'pg'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { WAIT_AHEAD_MAX } from '../../api/projection/session/at-block.ts'
import { createProjectionDb } from '../../api/projection/session/database.ts'
import {
  ATTEST,
  attestationBody,
  CANCEL_ATTESTATION,
  REGISTER,
  registrationBody,
  signedAttestation,
} from '../support/attestations.ts'
import { createGateway } from '../support/gateway.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import type { Party } from '../support/parties.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson, signIn } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const USD = 1_000_000n
/** Requests that are refused for a reason that does not depend on the claim, or for a claim that is not due. */
const REFUSED = [
  ['/settlements', 'CLAIM_NOT_MATURED'],
  ['/credits', 'NO_CREDIT'],
  ['/withdrawals', 'NO_SHARES'],
  ['/terms', 'NO_PENDING_TERMS'],
] as const
const WITHDRAW_CREDIT = '/credits/withdrawal/prepare'

const parameters = z.array(z.object({ name: z.string() }).loose()).default([])
const operation = z.object({ tags: z.array(z.string()), parameters }).loose()
const document = z.object({
  paths: z.record(z.string(), z.object({ get: operation.optional(), post: operation.optional() }).loose()),
})

let the: LiveWorld
let hasty: ReturnType<typeof createGateway>
let store: Awaited<ReturnType<typeof createTestStore>>
const tokens = new Map<Party, string>()
let vault: Hex

beforeAll(async () => {
  the = await startLiveWorld()
  const { issuer, beneficiary, payer } = the.world.parties
  vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: 500n * USD })
  await the.project()
  for (const party of [issuer, beneficiary, payer]) {
    const wallet = { address: party.address, signMessage: party.key.signMessage }
    tokens.set(party, await signIn(the.app, wallet))
  }
  store = await createTestStore()
  // Has no projection to wait for, and waits for nothing.
  hasty = createGateway(store, { rpcUrl: the.world.rpcUrl, env: { MIN_BLOCK_WAIT_MS: '0' } })
})
afterAll(async () => {
  await store?.stop()
  await the?.stop()
})

type Call = { path: string; as: Party | undefined; body?: unknown }

/** A claim that is registered, the block it is in, which is not final yet, and every request that builds on it. */
async function register() {
  const { issuer, beneficiary, payer } = the.world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 1_000n * USD }
  const { claimId } = await act.registerClaim(the.world, terms)
  const { number: block } = await the.world.chain.getBlock()
  const signed = await signedAttestation(the.world)
  const calls: Call[] = [
    { path: '/quotes/preview', as: undefined, body: { claimId } },
    { path: '/routes/optimize', as: beneficiary, body: { claimIds: [claimId], targetAdvance: '1000000' } },
    { path: '/executions/prepare', as: beneficiary, body: { claimId, vault, faceAmount: '1000000' } },
    { path: `/settlements/${claimId}/prepare`, as: payer },
    { path: ATTEST, as: issuer, body: attestationBody(signed.attestation) },
    { path: REGISTER, as: payer, body: registrationBody(signed) },
    { path: CANCEL_ATTESTATION, as: issuer, body: { attestation: registrationBody(signed).attestation } },
    { path: `/claims/${claimId}/revocation/prepare`, as: issuer },
    { path: '/routes/cancellation/prepare', as: beneficiary },
    { path: WITHDRAW_CREDIT, as: beneficiary, body: { token: the.world.usd } },
    { path: `/vaults/${vault}/deposits/prepare`, as: payer, body: { assets: '1000000' } },
    { path: `/vaults/${vault}/withdrawals/prepare`, as: payer, body: { all: true } },
    { path: `/vaults/${vault}/terms/prepare`, as: payer, body: { action: 'accept' } },
  ]
  return { claimId, block, calls }
}

const ask = (app: typeof the.app, { path, as, body }: Call, minBlock?: bigint | string) => {
  const headers = {
    ...(as && { Authorization: `Bearer ${tokens.get(as)}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(minBlock !== undefined && { 'X-Min-Block': String(minBlock) }),
  }
  const init = { method: 'POST', headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  return Promise.resolve(app.request(`/api/v1${path}`, init))
}

describe('X-Min-Block on what is prepared on the chain', () => {
  it('waits until the block is final, and then answers at it or later', async () => {
    const { claimId, block, calls } = await register()
    const waiting = calls.map((call) => ask(the.app, call, block))
    // Without it the same requests do not know the claim yet.
    const without = await ask(the.app, { path: '/quotes/preview', as: undefined, body: { claimId } })
    expect(without.status).toBe(404)
    await the.project()
    for (const [index, response] of (await Promise.all(waiting)).entries()) {
      const path = calls[index]?.path
      const answer = await readJson(response)
      const refusal = REFUSED.find(([part]) => path?.includes(part))
      if (refusal) expect(answer).toMatchObject({ code: refusal[1] })
      else expect(BigInt(String(answer.blockNumber)), path).toBeGreaterThanOrEqual(block)
    }
  })

  it('is a 503 CHAIN_BEHIND with both blocks where the block stays away, at once where it is far ahead', async () => {
    const { block, calls } = await register()
    const { number: final } = await the.world.chain.getBlock({ blockTag: 'finalized' })
    for (const [app, minBlock, remedy] of [
      [hasty, block, 'Try again once'],
      [the.app, final + WAIT_AHEAD_MAX + 1n, 'No request waits'],
      [the.app, 999_999_999_999_999n, 'No request waits'],
    ] as const) {
      const detail = expect.stringContaining(remedy)
      for (const call of calls) {
        const response = await ask(app, call, minBlock)
        expect([response.status, await readJson(response)], call.path).toMatchObject([
          503,
          { code: 'CHAIN_BEHIND', detail, minBlock: Number(minBlock), blockNumber: Number(final) },
        ])
        expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
      }
    }
    await the.project()
  })

  it('costs no route: prepare-execution is refused before the route is taken', async () => {
    const { claimId } = await register()
    await the.project()
    const { beneficiary } = the.world.parties
    const token = tokens.get(beneficiary) ?? ''
    const { routeId, answer } = await routes.optimizeToRoute(the.app, token, {
      claimIds: [claimId],
      targetAdvance: USD,
    })
    const call = { path: `/routes/${routeId}/prepare-execution`, as: beneficiary }
    const refused = await readJson(await ask(the.app, call, 999_999_999n))
    expect(refused).toMatchObject({ status: 503, code: 'CHAIN_BEHIND' })
    expect(refused).not.toHaveProperty('intentStatus')
    const prepared = await ask(the.app, call, BigInt(answer.blockNumber))
    expect(prepared.status).toBe(200)
  })

  it('needs no projection where the chain has the block', async () => {
    const { number: final } = await the.world.chain.getBlock({ blockTag: 'finalized' })
    const { claimId } = await register()
    await the.project()
    const body = { claimId }
    const response = await ask(hasty, { path: '/quotes/preview', as: undefined, body }, final)
    expect(response.status).toBe(200)
  })

  it('waits for no projection to name what the projection has, where the chain has the block', async () => {
    await register()
    const projected = await the.project()
    // From now on, the projection does not advance.
    const admin = new pg.Client({ connectionString: the.ownerUrl })
    await admin.connect()
    onTestFinished(() => admin.end())
    await admin.query('begin; lock table projection._ponder_checkpoint in share mode')
    const app = createGateway(the.store, {
      db: createProjectionDb(the.pool),
      projectionUrl: the.databaseUrl,
      rpcUrl: the.world.rpcUrl,
      env: { MIN_BLOCK_WAIT_MS: '0' },
    })
    const { block, calls } = await register()
    await the.world.chain.mine({ blocks: 10 })
    for (const path of ['/quotes/preview', '/routes/optimize', '/executions/prepare']) {
      const call = calls.find((one) => one.path === path)
      if (!call) throw new Error('no such call')
      const answer = await readJson(await ask(app, call, block))
      expect(answer, path).toMatchObject({ tokenInfo: { address: the.world.usd } })
      expect(BigInt(String(answer.blockNumber)), path).toBeGreaterThanOrEqual(block)
      if (path === '/routes/optimize')
        expect(answer).toMatchObject({ finalizedThrough: { blockNumber: Number(projected) } })
    }
    await admin.query('rollback')
    await the.project()
  })

  it('is described on every route that plans or prepares, on every read that takes it, and nowhere else', async () => {
    const { paths } = document.parse(await (await the.app.request('/api/v1/openapi.json')).json())
    const operations = Object.entries(paths).flatMap(([path, { get, post }]) =>
      [get, post].flatMap((one) => (one ? [{ path, ...one }] : [])),
    )
    const taking = operations.filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'X-Min-Block'),
    )
    const tagsOf = (of: typeof operations) => new Set(of.flatMap(({ tags }) => tags))
    const others = operations.filter((one) => !taking.includes(one))
    expect(tagsOf(taking)).toEqual(
      new Set(['Reads', 'Exports', 'Statements', 'Transactions', 'Routes', 'Prepares']),
    )
    expect(tagsOf(others)).toEqual(new Set(['Sign-in', 'Health']))
    // The operations of the description are the ones tested above and in test/rest/min-block.test.ts.
    const { calls } = await register()
    const tested = calls.map(({ path }) => path.replace(vault, '{vault}').replace(/0x[0-9a-f]+/, '{claimId}'))
    const onChain = taking.filter(({ tags }) => tags.includes('Routes') || tags.includes('Prepares'))
    const known = [...tested, '/routes/{routeId}/prepare-execution']
    expect(onChain.map(({ path }) => path.replace('/api/v1', '')).toSorted()).toEqual(known.toSorted())
    await the.project()
  })
})
