/** The client carries out with a wallet what the gateway prepared: in order, and to the end. */
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { decodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { createAccountWallet } from '../../demo/wallet.ts'
import {
  createGateway,
  deployments,
  type Eip1193Provider,
  GatewayError,
  graphql,
  type Hash,
  minBlock,
} from '../../packages/client/src/index.ts'
import { createRouteMemory } from '../../packages/client/src/resume.ts'
import { execute, plan, type RateChange } from '../../packages/react/src/finance.ts'
import type { Party } from '../support/parties.ts'
import { createPermitToken } from '../support/permits.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { serveHttp } from '../support/serve.ts'
import { TEST_SITE } from '../support/sign-in.ts'
import { type FollowedWorld, startFollowedWorld } from '../transactions/gateway.ts'
import { answeringWithOwnId, batching, changing, memoryStorage, refusing, withoutSigning } from './wallets.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const EUR = 1_000_000n
const QUICK = { pollMs: 20 }
const FINALIZED = graphql('subscription { finalizedBlock { blockNumber } }')

async function readAll(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const event of events) all.push(event)
  return all
}

describe('the client', () => {
  let the: FollowedWorld

  beforeAll(async () => {
    // Blocks come by themselves, so that what was sent becomes final without anyone's doing.
    the = await startFollowedWorld({ blockTime: 1, mixedMining: true })
    await the.startIndexer()
  })
  afterAll(() => the.stop())

  /** Signals of the subscriptions since a test cleared the list. */
  const subscriptions: AbortSignal[] = []
  /** End of the address of a request whose next answer is lost. */
  let lost: string | undefined
  const gatewayOf = (
    { key }: Pick<Party, 'key'>,
    wrap = (wallet: Eip1193Provider) => wallet,
    storage = memoryStorage(),
    now = the.clock.now,
  ) =>
    createGateway({
      storage,
      url: 'http://gateway.test',
      site: TEST_SITE,
      deployment: { ...deployments[31337], tokens: [] },
      wallet: wrap(createAccountWallet(key, the.world.rpcUrl)),
      fetch: async (request) => {
        const isSubscription = request.headers.get('Accept') === 'text/event-stream'
        if (isSubscription) subscriptions.push(request.signal)
        const response = await the.app.fetch(request)
        if (!lost || !request.url.endsWith(lost)) return response
        lost = undefined
        throw new TypeError('the connection was lost')
      },
      now,
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

  /** A claim that is due, and whose face the payer has. */
  const payableClaim = async () => {
    const { eur, parties } = the.world
    const claimId = await claimOf({ dueDate: (await act.chainTime(the.world)) + 600n })
    await act.mint(the.world, { token: eur, to: parties.payer.address, amount: 100n * EUR })
    await act.travelDays(the.world, 1)
    await routes.followChain(the)
    await the.project()
    return claimId
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
    // The block of the read is a later one if the chain went on in between.
    const { finalizedThrough: _, ...own } = settled
    expect(await gateway.follow(settled.hash, { ...QUICK, until: 'MINED', timeoutMs: 60_000 })).toMatchObject(
      own,
    )
    expect(steps).toEqual(['1/3', '2/3', '3/3'])
    expect(seen.at(-1)).toBe('PROJECTED')
    expect(settled).toMatchObject({ status: 'PROJECTED', claimIds: [claimId] })
    const { claim } = await gateway.ask(
      graphql(
        'query ($id: Hash!) { claim(claimId: $id) { state settlements { nodes { payer { address } } } } }',
      ),
      { id: claimId },
    )
    expect(claim).toEqual({
      state: 'SETTLED',
      settlements: { nodes: [{ payer: { address: payer.address } }] },
    })
  })

  it('sends each step of a plan when the step before it is mined', async () => {
    const { parties, chain } = the.world
    const { payer } = parties
    const claimId = await payableClaim()
    /** How many transactions of the wallet are pending whenever it is asked for another one. */
    const pending: number[] = []
    const countPending = (wallet: Eip1193Provider): Eip1193Provider => ({
      request: async (call) => {
        if (call.method === 'eth_sendTransaction') {
          const [sent, mined] = await Promise.all(
            (['pending', 'latest'] as const).map((blockTag) =>
              chain.getTransactionCount({ address: payer.address, blockTag }),
            ),
          )
          pending.push((sent ?? 0) - (mined ?? 0))
        }
        return wallet.request(call)
      },
    })
    const gateway = gatewayOf(payer, countPending)
    await gateway.signIn()
    const params = { path: { claimId } }
    const plan = await gateway.post('/api/v1/settlements/{claimId}/prepare', { params })
    expect(plan.approvals).not.toEqual([])
    // A transaction is pending until the next second.
    await chain.setIntervalMining({ interval: 1 })
    const options = { ...QUICK, until: 'MINED', timeoutMs: 60_000 } as const
    expect(await gateway.run(plan, options)).toMatchObject({ status: 'MINED', claimIds: [claimId] })
    expect(pending).toEqual([...plan.approvals, plan].map(() => 0))
  })

  it('sends approvals and transaction as one batch where the wallet can, and follows it', async () => {
    const { parties } = the.world
    const { payer } = parties
    const claimId = await payableClaim()
    const batches: number[] = []
    const gateway = gatewayOf(payer, (wallet) => batching(wallet, (calls) => batches.push(calls)))
    await gateway.signIn()
    subscriptions.length = 0
    const params = { path: { claimId } }
    const plan = await gateway.post('/api/v1/settlements/{claimId}/prepare', { params })
    const steps: number[] = []
    const sent: Hash[] = []
    const settled = await gateway.run(plan, {
      ...QUICK,
      onStep: ({ count }) => steps.push(count),
      onSent: (hash) => sent.push(hash),
    })
    expect(sent).toEqual([settled.hash])
    expect(settled).toMatchObject({ status: 'PROJECTED', claimIds: [claimId] })
    expect([batches, steps]).toEqual([[plan.approvals.length + 1], [1]])
    expect(subscriptions.map(({ aborted }) => aborted)).toEqual([true])
    expect(plan.approvals.length).toBeGreaterThan(0)
    // One transaction is no batch.
    const alone = await gateway.run(await gateway.post('/api/v1/routes/cancellation/prepare'), QUICK)
    expect(alone).toMatchObject({ status: 'PROJECTED', from: payer.address })
    expect(batches).toHaveLength(1)
  })

  /** A prepared deposit of the payer, in a vault whose token has a permit. */
  const depositBy = async (wrap?: (wallet: Eip1193Provider) => Eip1193Provider) => {
    const { payer, relayer: receiver } = the.world.parties
    const token = await createPermitToken(the.world)
    const { vault } = await act.createVault(the.world, { token })
    await act.mint(the.world, { token, to: payer.address, amount: 70n * EUR })
    await routes.followChain(the)
    await the.project()
    const gateway = gatewayOf(payer, wrap)
    await gateway.signIn()
    const plan = await gateway.post('/api/v1/vaults/{vault}/deposits/prepare', {
      params: { path: { vault } },
      body: { assets: `${70n * EUR}`, receiver: receiver.address, slippageBps: 20 },
    })
    expect(plan).toMatchObject({ permit: { typedData: { primaryType: 'Permit' } } })
    const steps: string[] = []
    const onStep = ({ index, count }: { index: number; count: number }) =>
      void steps.push(`${index + 1}/${count}`)
    const run = () => gateway.run(plan, { ...QUICK, onStep })
    const deposited = () => act.balanceOf(the.world, token, vault)
    const received = () => act.balanceOf(the.world, vault, receiver.address)
    return { plan, run, steps, deposited, received }
  }
  const asking =
    (methods: string[], sent: unknown[] = []) =>
    (wallet: Eip1193Provider) => ({
      request: (call: Parameters<Eip1193Provider['request']>[0]) => {
        if (/^eth_(?:signTyped|send)/.test(call.method)) methods.push(call.method)
        if (call.method === 'eth_sendTransaction') sent.push(call.params?.[0])
        return wallet.request(call)
      },
    })

  it('has a permit signed in place of an approval, and deposits with it for the receiver at the slippage', async () => {
    const methods: string[] = []
    const sent: { data: Hash }[] = []
    const { plan, run, steps, deposited, received } = await depositBy(asking(methods, sent))
    expect(await run()).toMatchObject({ status: 'PROJECTED' })
    const [{ data } = { data: '0x' as const }] = sent
    const { functionName, args = [] } = decodeFunctionData({ abi: financingVaultAbi, data })
    const [, , minShares]: readonly unknown[] = args
    expect([functionName, `${minShares}`]).toEqual(['depositWithPermit', plan.minShares])
    expect(methods).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction'])
    expect(steps).toEqual(['1/2', '2/2'])
    expect(await deposited()).toBe(70n * EUR)
    expect(await received()).toBeGreaterThan(0n)
  })

  it('sends the approval of a wallet whose signature is of no key, and of one that sends batches', async () => {
    const methods: string[] = []
    const byContract = await depositBy((wallet) =>
      asking(methods)({
        request: (call) =>
          call.method === 'eth_signTypedData_v4' ? Promise.resolve('0x1234') : wallet.request(call),
      }),
    )
    await byContract.run()
    expect(methods).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction', 'eth_sendTransaction'])
    expect(await byContract.deposited()).toBe(70n * EUR)
    const batches: number[] = []
    const inBatch = await depositBy((wallet) => batching(wallet, (calls) => batches.push(calls), 'ready'))
    await inBatch.run()
    expect(batches).toEqual([2])
    expect(await inBatch.deposited()).toBe(70n * EUR)
  })

  it('signs a route, sends it, and finds its execution', async () => {
    const { eur, parties } = the.world
    await act.createFundedVault(the.world, { token: eur, capital: 500n * EUR })
    const claimIds = [await claimOf()]
    await the.project()
    await routes.followChain(the)
    const wallet = changing((own) => own)
    const gateway = gatewayOf(parties.beneficiary, wallet.wrap)
    await gateway.signIn()
    const { routeId } = await gateway.post('/api/v1/routes/optimize', {
      body: { claimIds, targetAdvance: `${50n * EUR}` },
    })
    if (routeId === null) throw new Error('no route')
    const prepared = await gateway.post('/api/v1/routes/{routeId}/prepare-execution', {
      params: { path: { routeId } },
    })
    const steps: string[] = []
    const executed = await gateway.runRoute(prepared, {
      ...QUICK,
      until: 'MINED',
      onStep: ({ description, index, count }) => steps.push(`${index + 1}/${count} ${description}`),
      onSent: (hash) => steps.push(hash),
    })
    expect(steps).toEqual(['1/2 Sign the route', '2/2 Send it to the router', executed.hash])
    expect(executed.executionIds).toEqual([prepared.executionId])
    const execution = await gateway.get('/api/v1/executions/{executionId}', {
      params: { path: { executionId: prepared.executionId } },
    })
    expect(execution).toMatchObject({
      user: parties.beneficiary.address,
      submitter: parties.beneficiary.address,
    })

    expect(await gateway.get('/api/v1/exports/claims.csv', { parseAs: 'text' })).toContain(claimIds[0])
    const later = minBlock(Number((await the.world.chain.getBlockNumber()) + 1_000_000n))
    await expect(gateway.ask(graphql('{ viewer { address } }'), {}, later)).rejects.toMatchObject({
      code: 'PROJECTION_BEHIND',
      retryable: true,
    })

    await expect(gateway.runRoute(prepared, QUICK)).rejects.toMatchObject({
      code: 'WALLET_FAILED',
      revert: { errorName: 'InvalidAccountNonce' },
      message: expect.stringContaining('another route of the wallet was executed'),
    })
    wallet.become(reckless)
    const sent: Hash[] = []
    await gateway.runRoute(prepared, { ...QUICK, onSent: (hash) => sent.push(hash) })
    const [again = executed.hash] = sent
    await expect(gateway.follow(again, QUICK)).rejects.toMatchObject({
      code: 'TRANSACTION_REVERTED',
      revert: { errorName: 'InvalidAccountNonce', arguments: [parties.beneficiary.address, '1'] },
    })
  })

  it('executes a planned route whose advance has become lower only if its user accepts it', async () => {
    const { usd, parties } = the.world
    const { curator, beneficiary } = parties
    // The smallest lot advances more than the target, so there is room for a higher discount. The number of digits of
    // the advance changes with it.
    const mandate = { minFace: 101_500_000n }
    const vault = await act.createFundedVault(the.world, { token: usd, capital: 500n * EUR, mandate })
    const claimIds = [await claimOf({ token: usd, faceValue: 1_000n * EUR })]
    await the.project()
    await routes.followChain(the)
    const gateway = gatewayOf(beneficiary)
    await gateway.signIn()
    const changes: RateChange[] = []
    const planThenSet = async (baseDiscountBps: number, answer: boolean) => {
      const { route } = await plan(gateway, { claimIds, targetAdvance: `${90n * EUR}` })
      if (!route) throw new Error('no route')
      await act.setPricing(the.world, { curator, vault, pricing: { baseDiscountBps } })
      await the.project()
      const acceptRateChange = (change: RateChange) => {
        changes.push(change)
        return answer
      }
      const executed = execute(gateway, route, { report: () => {}, acceptRateChange })
      return { planned: route.totals, executed }
    }

    const declined = await planThenSet(200, false)
    await expect(declined.executed).rejects.toMatchObject({ code: 'USER_REJECTED' })
    expect(gateway.interruptedRoute()).toBeUndefined()
    const accepted = await planThenSet(300, true)
    expect(await accepted.executed).toMatchObject({
      transaction: { status: 'PROJECTED' },
      totals: changes[1]?.prepared,
    })
    expect(changes.map(({ planned }) => planned)).toEqual([declined.planned, accepted.planned])
    expect(changes.map(({ prepared }) => prepared.totalAdvance)).toEqual(['99470000', '98455000'])
    // The gateway gives a lost answer again: a second preparation of a route would be refused.
    lost = '/prepare-execution'
    const better = await planThenSet(100, false)
    expect(await better.executed).toMatchObject({ totals: { totalAdvance: '100485000' } })
    expect(changes).toHaveLength(2)
    const equal = await planThenSet(100, false)
    expect(await equal.executed).toMatchObject({ totals: { totalAdvance: equal.planned.totalAdvance } })
    expect(changes).toHaveLength(2)
  })

  it('gets the token of the amounts of routes and financings', async () => {
    const { eur, usd, parties } = the.world
    const vault = await act.createFundedVault(the.world, { token: eur, capital: 500n * EUR })
    const [claimId, foreign] = [
      await claimOf(),
      await claimOf({ beneficiary: parties.otherBeneficiary.address }),
    ]
    const other = await claimOf({ token: usd, beneficiary: parties.otherBeneficiary.address })
    await the.project()
    await routes.followChain(the)
    const gateway = gatewayOf(parties.beneficiary)
    await gateway.signIn()
    const { token } = await gateway.ask(
      graphql('query ($address: Address!) { token(address: $address) { address symbol name decimals } }'),
      { address: eur },
    )
    expect(token).toMatchObject({ address: eur, decimals: 6 })
    const optimize = (...claimIds: Hash[]) =>
      gateway.post('/api/v1/routes/optimize', { body: { claimIds, targetAdvance: `${10n * EUR}` } })
    const unknown: Hash = `0x${'12'.repeat(32)}`
    const { routeId, tokenInfo } = await optimize(claimId, other)
    expect(tokenInfo).toEqual(token)
    // Without a claim that can be financed: that of all claims, if it is one.
    expect((await optimize(foreign, unknown)).tokenInfo).toEqual(token)
    expect((await optimize(foreign, other)).tokenInfo).toBeNull()
    expect((await optimize(unknown)).tokenInfo).toBeNull()
    if (routeId === null) throw new Error('no route')
    const params = { path: { routeId } }
    const prepared = await gateway.post('/api/v1/routes/{routeId}/prepare-execution', { params })
    expect(prepared.tokenInfo).toEqual(token)
    const direct = await gateway.post('/api/v1/executions/prepare', {
      body: { claimId, vault, faceAmount: `${20n * EUR}` },
    })
    expect(direct.tokenInfo).toEqual(token)
  })

  describe('a route whose page was closed', () => {
    beforeAll(async () => {
      await act.createFundedVault(the.world, { token: the.world.eur, capital: 500n * EUR })
    })

    const prepareOn = async (page: ReturnType<typeof gatewayOf>) => {
      const claimIds = [await claimOf()]
      await the.project()
      await routes.followChain(the)
      await page.signIn()
      const { routeId } = await page.post('/api/v1/routes/optimize', {
        body: { claimIds, targetAdvance: `${20n * EUR}` },
      })
      if (routeId === null) throw new Error('no route')
      const params = { path: { routeId } }
      return page.post('/api/v1/routes/{routeId}/prepare-execution', { params })
    }
    /** A route of the beneficiary that was prepared on a page, whose storage the next page has. */
    const prepareRoute = async (wrap?: (wallet: Eip1193Provider) => Eip1193Provider) => {
      const storage = memoryStorage()
      const page = gatewayOf(the.world.parties.beneficiary, wrap, storage)
      const prepared = await prepareOn(page)
      const reopen = (next?: typeof wrap, { key } = the.world.parties.beneficiary, now = the.clock.now) =>
        gatewayOf({ key }, next, storage, now)
      return { page, prepared, reopen, storage }
    }
    /** The wallet was locked when the route was to be signed, so the route is kept. */
    const interruptBeforeSigning = async () => {
      const { page, ...route } = await prepareRoute(withoutSigning)
      await expect(page.runRoute(route.prepared)).rejects.toMatchObject({ code: 'WALLET_FAILED' })
      return { page, ...route }
    }
    const MINED = { ...QUICK, until: 'MINED' } as const
    const ROUTE = 'claim-financing-route http://gateway.test'

    it('is followed if it was sent, and then forgotten', async () => {
      const { page, prepared, reopen } = await prepareRoute()
      const left = new AbortController()
      const closing = { onSent: () => left.abort(), signal: left.signal }
      await expect(page.runRoute(prepared, closing)).rejects.toThrow('aborted')

      const after = reopen(withoutSigning)
      expect(after.interruptedRoute()?.hash).toBeDefined()
      const resumed = await after.resumeRoute(MINED)
      expect(resumed).toMatchObject({ transaction: { executionIds: [prepared.executionId] } })
      expect(after.interruptedRoute()).toBeUndefined()
      expect(await after.resumeRoute()).toBeUndefined()
    })

    it('ends with the transaction that executed it, also where the one that was sent first failed', async () => {
      const { page, prepared, reopen, storage } = await prepareRoute()
      const left = new AbortController()
      const closing = { onSent: () => left.abort(), signal: left.signal }
      await expect(page.runRoute(prepared, closing)).rejects.toThrow('aborted')
      const { beneficiary } = the.world.parties
      const call = { to: the.world.protocol.financingRouter, data: '0x12345678', gas: 100_000n } as const
      const failed = await the.world.chain.sendTransaction({
        account: beneficiary.address,
        chain: null,
        ...call,
      })
      const kept: object = JSON.parse(storage.getItem(ROUTE) ?? '')
      storage.setItem(ROUTE, JSON.stringify({ ...kept, hash: failed }))
      const resumed = await reopen(withoutSigning).resumeRoute(MINED)
      expect(resumed).toMatchObject({ transaction: { executionIds: [prepared.executionId] } })
    })

    it('is followed if it was sent under an id of the wallet', async () => {
      const { page, prepared, reopen } = await prepareRoute(answeringWithOwnId)
      const left = new AbortController()
      const closing = { onSent: () => left.abort(), signal: left.signal }
      await expect(page.runRoute(prepared, closing)).rejects.toThrow('aborted')
      const resumed = await reopen(withoutSigning).resumeRoute({ ...MINED, timeoutMs: 60_000 })
      expect(resumed).toMatchObject({ transaction: { executionIds: [prepared.executionId] } })
    })

    it('is forgotten if its transaction failed', async () => {
      const { page, prepared } = await prepareRoute(reckless)
      await act.cancelRoutes(the.world, { user: the.world.parties.beneficiary })
      await expect(page.runRoute(prepared, MINED)).rejects.toMatchObject({ code: 'TRANSACTION_REVERTED' })
      expect(page.interruptedRoute()).toBeUndefined()
    })

    it('is forgotten without a request to the wallet if what is kept of it was changed', async () => {
      const { storage, reopen } = await interruptBeforeSigning()
      const kept = storage.getItem(ROUTE) ?? ''
      storage.setItem(ROUTE, kept.replace(/"totalFace":"\d+"/, '"totalFace":"1"'))
      const after = reopen(withoutSigning)
      expect(await after.resumeRoute()).toMatchObject({ error: { code: 'ANSWER_MISMATCH' }, isKept: false })
      expect(after.interruptedRoute()).toBeUndefined()
    })

    it('stays without a request to the wallet while the gateway does not answer', async () => {
      const { prepared, reopen } = await interruptBeforeSigning()
      lost = `/executions/${prepared.executionId}`
      expect(await reopen(withoutSigning).resumeRoute()).toMatchObject({
        error: { code: 'UNREACHABLE' },
        isKept: true,
      })
    })

    it('is signed until five minutes after its deadline, by a clock that may be ahead', async () => {
      const { page, prepared, reopen } = await interruptBeforeSigning()
      await page.logout()
      const last = Date.parse(prepared.deadline) + 300_000
      const resumeAt = (now: number) =>
        reopen(withoutSigning, the.world.parties.beneficiary, () => now).resumeRoute()
      expect(await resumeAt(last)).toMatchObject({ error: { code: 'WALLET_FAILED' }, isKept: true })
      expect(await resumeAt(last + 1)).toMatchObject({ error: { code: 'ROUTE_ENDED' }, isKept: false })
    })

    it('is signed and sent if it could not be signed', async () => {
      const { prepared, reopen } = await interruptBeforeSigning()
      const resumed = await reopen().resumeRoute(MINED)
      expect(resumed).toMatchObject({ transaction: { executionIds: [prepared.executionId] } })
    })

    it('is not kept if its user declined it', async () => {
      const { page, prepared } = await prepareRoute((wallet) => refusing(wallet, { code: 4001 }))
      await expect(page.runRoute(prepared)).rejects.toMatchObject({ code: 'USER_REJECTED' })
      expect(page.interruptedRoute()).toBeUndefined()
    })

    it('is forgotten without a request to the wallet once it was cancelled', async () => {
      const { reopen } = await interruptBeforeSigning()
      await act.cancelRoutes(the.world, { user: the.world.parties.beneficiary })
      const after = reopen(withoutSigning)
      expect(await after.resumeRoute()).toMatchObject({
        error: { code: 'ROUTE_ENDED', facts: { status: 'CANCELLED' } },
        isKept: false,
      })
      expect(after.interruptedRoute()).toBeUndefined()
    })

    it('is forgotten without a request to the wallet after its deadline, with a session or without', async () => {
      const kept = [await interruptBeforeSigning(), await interruptBeforeSigning()]
      await kept[1]?.page.logout()
      await act.travelTo(the.world, (await act.chainTime(the.world)) + 900n)
      await routes.followChain(the)
      for (const { reopen } of kept) {
        const after = reopen(withoutSigning)
        expect(await after.resumeRoute()).toMatchObject({
          error: { code: 'ROUTE_ENDED', facts: { status: 'EXPIRED' } },
          isKept: false,
        })
        expect(after.interruptedRoute()).toBeUndefined()
      }
    })

    it('stays for its own wallet when another one is connected, until it is forgotten', async () => {
      const { reopen } = await interruptBeforeSigning()
      const other = reopen(undefined, the.world.parties.stranger)
      expect(await other.resumeRoute()).toMatchObject({ error: { code: 'WRONG_WALLET' }, isKept: true })
      expect(other.interruptedRoute()).toBeDefined()
      other.forgetRoute()
      expect(await other.resumeRoute()).toBeUndefined()
    })

    it.each(['{"prepared":', '{"prepared":null,"request":null}', '7'])(
      'is none where the entry is %s',
      async (entry) => {
        const gateway = gatewayOf(the.world.parties.beneficiary, undefined, {
          ...memoryStorage(),
          getItem: () => entry,
        })
        expect(gateway.interruptedRoute()).toBeUndefined()
        expect(await gateway.resumeRoute()).toBeUndefined()
      },
    )

    it('stays when its user declines a prompt at page start, since the one before may have been confirmed', async () => {
      const { reopen } = await interruptBeforeSigning()
      const declined = reopen((wallet) => refusing(wallet, { code: 4001 }))
      expect(await declined.resumeRoute()).toMatchObject({ error: { code: 'USER_REJECTED' }, isKept: true })
      expect(declined.interruptedRoute()).toBeDefined()
    })

    it('has run if it was sent twice and the other transaction was executed', async () => {
      const twice = (wallet: Eip1193Provider): Eip1193Provider => ({
        request: async (call) => {
          const first = await wallet.request(call)
          return call.method === 'eth_sendTransaction' ? reckless(wallet).request(call) : first
        },
      })
      const { page, prepared } = await prepareRoute(twice)
      const sent: Hash[] = []
      const executed = await page.runRoute(prepared, { ...MINED, onSent: (hash) => sent.push(hash) })
      expect(executed.executionIds).toEqual([prepared.executionId])
      expect(sent).not.toContain(executed.hash)
    })

    it('stays when an older one is sent while it is prepared', async () => {
      const sent = Promise.withResolvers<void>()
      const shown = Promise.withResolvers<void>()
      const slow = (wallet: Eip1193Provider): Eip1193Provider => ({
        request: async (call) => {
          const answer = await wallet.request(call)
          if (call.method !== 'eth_sendTransaction') return answer
          sent.resolve()
          await shown.promise
          return answer
        },
      })
      const older = await prepareRoute(slow)
      const following = older.page.runRoute(older.prepared, MINED)
      await sent.promise
      const newer = older.reopen(withoutSigning)
      const prepared = await prepareOn(newer)
      await expect(newer.runRoute(prepared)).rejects.toMatchObject({ code: 'WALLET_FAILED' })
      shown.resolve()
      expect((await following).executionIds).toEqual([older.prepared.executionId])
      expect(newer.interruptedRoute()?.prepared.executionId).toBe(prepared.executionId)
    })

    it('stays when an older one ends', async () => {
      const { page, prepared } = await interruptBeforeSigning()
      const { request } = page.interruptedRoute() ?? {}
      if (!request) throw new Error('the route is not kept')
      const memory = createRouteMemory(memoryStorage(), 'route')
      const newer: Hash = `0x${'cd'.repeat(32)}`
      memory.keep({ prepared: { ...prepared, executionId: newer }, request })
      memory.forget(prepared.executionId)
      expect(memory.read()?.prepared.executionId).toBe(newer)
      memory.forget(newer)
      expect(memory.read()).toBeUndefined()
    })
  })

  it('follows the execution of a route whose wallet answers with an id of its own', async () => {
    const { eur, parties } = the.world
    await act.createFundedVault(the.world, { token: eur, capital: 500n * EUR })
    const claimIds = [await claimOf()]
    await the.project()
    await routes.followChain(the)
    const gateway = gatewayOf(parties.beneficiary, answeringWithOwnId)
    await gateway.signIn()
    const { routeId } = await gateway.post('/api/v1/routes/optimize', {
      body: { claimIds, targetAdvance: `${20n * EUR}` },
    })
    if (routeId === null) throw new Error('no route')
    const params = { path: { routeId } }
    const prepared = await gateway.post('/api/v1/routes/{routeId}/prepare-execution', { params })
    const sent: Hash[] = []
    const executed = await gateway.runRoute(prepared, {
      ...QUICK,
      // The error of the client names the last status.
      timeoutMs: 60_000,
      until: 'MINED',
      onSent: (hash) => sent.push(hash),
    })
    expect(executed.executionIds).toEqual([prepared.executionId])
    expect(sent).not.toContain(executed.hash)
  })

  it('streams a subscription until its reader leaves', async () => {
    const gateway = gatewayOf(the.world.parties.stranger)
    const seen: number[] = []
    const blocks = gateway.subscribe(FINALIZED)
    for await (const { finalizedBlock } of blocks) {
      seen.push(finalizedBlock.blockNumber)
      if (seen.length === 2) break
    }
    expect(seen[1]).toBeGreaterThan(seen[0] ?? Number.POSITIVE_INFINITY)
    const leaving = new AbortController()
    const left = gateway.subscribe(FINALIZED, {}, { signal: leaving.signal })
    await left.next()
    leaving.abort(new Error('left'))
    await expect(readAll(left)).rejects.toThrow('left')
    const invalid = gateway.subscribe(graphql('subscription { account(address: "0x1") { address } }'))
    await expect(invalid.next()).rejects.toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' })
  })

  it('ends a subscription over HTTP at its signal, though garbage was collected since', async () => {
    const server = await serveHttp(the.app.fetch)
    const leaving = new AbortController()
    const events = createGateway({ url: server.url }).subscribe(FINALIZED, {}, { signal: leaving.signal })
    await events.next()
    const all = readAll(events)
    for (let collections = 0; collections < 5; collections++) {
      await pause(20)
      collectGarbage()
    }
    leaving.abort(new Error('left'))
    await expect(all).rejects.toThrow('left')
    await server.close()
  })

  it('refuses to send what was prepared for another wallet', async () => {
    const { parties } = the.world
    const claimId = await claimOf({ dueDate: (await act.chainTime(the.world)) + 60n })
    await act.travelDays(the.world, 1)
    await routes.followChain(the)
    await the.project()
    const changed = changing((own) => own)
    const payer = gatewayOf(parties.payer, changed.wrap)
    await payer.signIn()
    const plan = await payer.post('/api/v1/settlements/{claimId}/prepare', { params: { path: { claimId } } })
    changed.become(() => createAccountWallet(parties.stranger.key, the.world.rpcUrl))
    await expect(payer.run(plan)).rejects.toMatchObject({ code: 'WRONG_WALLET' })

    const issuer = gatewayOf(parties.issuer, changed.wrap)
    changed.become(() => createAccountWallet(parties.issuer.key, the.world.rpcUrl))
    await issuer.signIn()
    const attestation = await issuer.post('/api/v1/issuer/attestations/prepare', {
      body: {
        beneficiary: parties.beneficiary.address,
        token: the.world.eur,
        faceValue: '1000',
        dueDate: '2099-01-01T00:00:00Z',
        claimType: 0,
        documentHash: `0x${'12'.repeat(32)}`,
      },
    })
    expect(await issuer.sign(attestation)).toMatch(/^0x[0-9a-f]{130}$/)
    changed.become(() => createAccountWallet(parties.stranger.key, the.world.rpcUrl))
    await expect(issuer.sign(attestation)).rejects.toMatchObject({ code: 'WRONG_WALLET' })
  })

  it('throws every refusal as a GatewayError with its code', async () => {
    const gateway = gatewayOf({ key: the.world.parties.stranger.key })
    const claimId: Hash = `0x${'00'.repeat(32)}`
    const params = { path: { claimId } }
    const refusal = await gateway.get('/api/v1/claims/{claimId}', { params }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(GatewayError)
    expect(refusal).toMatchObject({ code: 'CLAIM_NOT_FOUND', status: 404, requestId: expect.any(String) })
    const tooShort: Hash = '0xno'
    const malformed = { path: { claimId: tooShort } }
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
