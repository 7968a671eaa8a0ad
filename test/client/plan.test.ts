/** What the gateway prepared, carried out by the client with a wallet: in order, and to the end. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway, type Eip1193Provider, GatewayError, graphql } from '../../client/index.ts'
import { createAccountWallet } from '../../demo/wallet.ts'
import type { Party } from '../support/parties.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { TEST_SITE } from '../support/sign-in.ts'
import { type FollowedWorld, startFollowedWorld } from '../transactions/gateway.ts'

const EUR = 1_000_000n
const QUICK = { pollMs: 20 }

describe('the client', () => {
  let the: FollowedWorld

  beforeAll(async () => {
    // Blocks come by themselves, so that what was sent becomes final without anyone's doing.
    the = await startFollowedWorld({ blockTime: 1, mixedMining: true })
    await the.startIndexer()
  })
  afterAll(() => the.stop())

  const gatewayOf = ({ key }: Pick<Party, 'key'>, wrap = (wallet: Eip1193Provider) => wallet) =>
    createGateway({
      url: 'http://gateway.test',
      site: TEST_SITE,
      wallet: wrap(createAccountWallet(key, the.world.rpcUrl)),
      fetch: async (request) => the.app.fetch(request),
      now: the.clock.now,
    })

  /** A wallet that sends what it was asked to without trying it first. */
  const reckless = (wallet: Eip1193Provider): Eip1193Provider => ({
    request: async ({ method, params = [] }) => {
      if (method !== 'eth_sendTransaction') return wallet.request({ method, params })
      const blind = { ...Object(params[0]), gas: 1_000_000n, chain: null }
      return the.world.chain.sendTransaction({ ...blind, account: blind.from })
    },
  })

  const claimOf = async (terms: Partial<act.ClaimTerms> = {}) => {
    const { issuer, beneficiary } = the.world.parties
    const all = { issuer, beneficiary: beneficiary.address, token: the.world.eur, faceValue: 100n * EUR }
    return (await act.registerClaim(the.world, { ...all, ...terms })).claimId
  }

  it('runs a plan: resets a stale allowance, approves, settles, and waits until reads show it', async () => {
    const { eur, parties, protocol } = the.world
    const { payer } = parties
    const claimId = await claimOf({ dueDate: (await act.chainTime(the.world)) + 600n })
    await act.mint(the.world, { token: eur, to: payer.address, amount: 100n * EUR })
    await act.approve(the.world, { owner: payer, token: eur, spender: protocol.financingRouter, amount: 5n })
    await act.travelDays(the.world, 1)
    await routes.followChain(the)
    await the.project()

    const gateway = gatewayOf(payer)
    await gateway.signIn()
    const plan = await gateway.post('/api/v1/settlements/{claimId}/prepare', {
      params: { path: { claimId } },
    })
    const steps: string[] = []
    const seen: string[] = []
    // Nothing becomes final before the last step: the approvals are waited for until they are mined, and no longer.
    await the.world.chain.setIntervalMining({ interval: 0 })
    await the.world.chain.setAutomine(true)
    const settled = await gateway.run(plan, {
      ...QUICK,
      until: 'PROJECTED',
      timeoutMs: 60_000,
      onStep: async ({ index, count }) => {
        steps.push(`${index + 1}/${count}`)
        if (index + 1 === count) await the.world.chain.setIntervalMining({ interval: 1 })
      },
      onStatus: ({ status }) => seen.push(status),
    })
    expect(await gateway.follow(settled.hash, { ...QUICK, until: 'MINED', timeoutMs: 60_000 })).toEqual(
      settled,
    )
    expect(steps).toEqual(['1/3', '2/3', '3/3'])
    expect(seen.at(-1)).toBe('PROJECTED')
    expect(settled).toMatchObject({ status: 'PROJECTED', claimIds: [claimId] })
    const { claim } = await gateway.ask(
      graphql('query ($id: Hash!) { claim(claimId: $id) { state settlement { payer { address } } } }'),
      { id: claimId },
    )
    expect(claim).toEqual({ state: 'SETTLED', settlement: { payer: { address: payer.address } } })
  })

  it('signs a route, sends it, and finds its execution', async () => {
    const { eur, parties } = the.world
    await act.createFundedVault(the.world, { token: eur, capital: 500n * EUR })
    const claimIds = [await claimOf()]
    await the.project()
    await routes.followChain(the)
    const gateway = gatewayOf(parties.beneficiary)
    await gateway.signIn()
    const { routeId } = await gateway.post('/api/v1/routes/optimize', {
      body: { claimIds, targetAdvance: String(50n * EUR), routeDeadlineSeconds: 300 },
    })
    if (routeId === null) throw new Error('no route')
    const prepared = await gateway.post('/api/v1/routes/{routeId}/prepare-execution', {
      params: { path: { routeId } },
    })
    const executed = await gateway.runRoute(prepared, { ...QUICK, until: 'MINED' })
    expect(executed.executionIds).toEqual([prepared.executionId])
    const execution = await gateway.get('/api/v1/executions/{executionId}', {
      params: { path: { executionId: prepared.executionId } },
    })
    expect(execution).toMatchObject({
      user: parties.beneficiary.address,
      submitter: parties.beneficiary.address,
    })

    const again = gatewayOf(parties.beneficiary, reckless)
    await again.signIn()
    await expect(again.runRoute(prepared, QUICK)).rejects.toMatchObject({
      code: 'TRANSACTION_REVERTED',
      revert: { errorName: 'InvalidAccountNonce', arguments: [parties.beneficiary.address, '1'] },
    })
  })

  it('refuses to send what was prepared for another wallet', async () => {
    const { parties } = the.world
    const claimId = await claimOf({ dueDate: (await act.chainTime(the.world)) + 60n })
    await act.travelDays(the.world, 1)
    await routes.followChain(the)
    await the.project()
    const payer = gatewayOf(parties.payer)
    await payer.signIn()
    const plan = await payer.post('/api/v1/settlements/{claimId}/prepare', { params: { path: { claimId } } })
    await expect(gatewayOf(parties.stranger).run(plan)).rejects.toMatchObject({ code: 'WRONG_WALLET' })
  })

  it('throws every refusal as a GatewayError with its code', async () => {
    const gateway = gatewayOf({ key: the.world.parties.stranger.key })
    const params = { path: { claimId: `0x${'00'.repeat(32)}` } }
    const refusal = await gateway.get('/api/v1/claims/{claimId}', { params }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(GatewayError)
    expect(refusal).toMatchObject({ code: 'CLAIM_NOT_FOUND', status: 404, requestId: expect.any(String) })
    const malformed = { path: { claimId: 'no' } }
    await expect(gateway.get('/api/v1/claims/{claimId}', { params: malformed })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'claimId' }],
    })
    await expect(gateway.ask(graphql('{ viewer { address } }'))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    const away = createGateway({
      url: 'http://127.0.0.1:1',
      wallet: createAccountWallet(privateKeyToAccount(generatePrivateKey()), the.world.rpcUrl),
    })
    await expect(away.get('/api/v1/vaults')).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })

  it('gives up waiting for a transaction that nobody knows', async () => {
    const gateway = gatewayOf(the.world.parties.stranger)
    await gateway.signIn()
    const waiting = gateway.follow(`0x${'ab'.repeat(32)}`, { ...QUICK, timeoutMs: 60 })
    await expect(waiting).rejects.toMatchObject({ code: 'TIMEOUT' })
  })
})
