/**
 * A payer settles a matured claim with what the gateway prepares; what the payer or time can correct is reported as an
 * issue, and the router agrees.
 */
import { decodeFunctionData, getAddress, type Hex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { demoTokenBytecode } from '../../contracts/artifacts/DemoToken.ts'
import { createGateway } from '../support/gateway.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import type { Party } from '../support/parties.ts'
import { postPrepare, prepare, sendAll, sendPrepared } from '../support/prepared.ts'
import { createSmartWallet, deployForTest } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { eventsOf, revertOf, send } from '../support/transactions.ts'

const USD = 1_000_000n
const FACE = 1_000n * USD

describe('settling', () => {
  let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
  let payer: Party
  let router: Hex

  beforeAll(async () => {
    the = await routes.startRouteWorld()
    payer = the.world.parties.payer
    router = the.world.protocol.financingRouter
  })
  afterAll(() => the.stop())

  const register = async (terms: Partial<act.ClaimTerms> = {}) => {
    const { issuer, beneficiary } = the.world.parties
    const all = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: FACE, ...terms }
    return (await act.registerClaim(the.world, all)).claimId
  }
  const finance = (claimId: Hex, vault: Hex, faceAmount: bigint) =>
    act.executeFinancing(the.world, { user: the.world.parties.beneficiary, claimId, vault, faceAmount })
  const mature = async () => {
    await act.travelDays(the.world, 31)
    await routes.settleDown(the)
  }
  const maturedClaim = async (terms: Partial<act.ClaimTerms> = {}) => {
    const claimId = await register(terms)
    await mature()
    return claimId
  }
  const pathOf = (claimId: Hex) => `/settlements/${claimId}/prepare`
  const tokenOf = (party = payer) => routes.tokenOf(the, party)
  const prepared = async (claimId: Hex, party = payer) =>
    prepare(the.app, await tokenOf(party), pathOf(claimId))
  const refused = async (claimId: Hex) =>
    readJson(await postPrepare(the.app, await tokenOf(), pathOf(claimId)))
  const fund = (amount = FACE, token = the.world.usd) =>
    act.mint(the.world, { token, to: payer.address, amount })
  const allow = (amount: bigint, token = the.world.usd) =>
    act.approve(the.world, { owner: payer, token, spender: router, amount })
  const allowed = (token: Hex) => {
    const args = [payer.address, router] as const
    return the.world.chain.readContract({
      address: token,
      abi: demoTokenAbi,
      functionName: 'allowance',
      args,
    })
  }
  const holdings = (addresses: readonly Hex[]) =>
    Promise.all(addresses.map((address) => act.balanceOf(the.world, the.world.usd, address)))
  /** Takes what is left from the payer, so that each test starts with nothing. */
  const empty = async () => {
    for (const token of [the.world.usd, the.world.eur]) {
      const amount = await act.balanceOf(the.world, token, payer.address)
      await act.transfer(the.world, { from: payer, token, to: the.world.parties.admin.address, amount })
      await allow(0n, token)
    }
  }

  it('pays every vault what it financed and the beneficiary the rest, as the answer says', async () => {
    const { world } = the
    const vaults = [
      await act.createFundedVault(world, { token: world.usd, capital: FACE }),
      await act.createFundedVault(world, { token: world.usd, capital: FACE }),
    ] as const
    const claimId = await register()
    for (const [vault, face] of [
      [vaults[0], 100n],
      [vaults[1], 250n],
      [vaults[0], 50n],
    ] as const) {
      await finance(claimId, vault, face * USD)
    }
    await mature()
    await fund()

    const answer = await prepared(claimId)
    expect(answer).toMatchObject({
      claimId,
      faceValue: String(FACE),
      repayments: [
        { vault: vaults[0], faceAmount: String(150n * USD) },
        { vault: vaults[1], faceAmount: String(250n * USD) },
      ],
      beneficiary: world.parties.beneficiary.address,
      beneficiaryAmount: String(600n * USD),
      transaction: { chainId: 31_337, from: payer.address, to: router, value: '0' },
      issues: [{ code: 'ALLOWANCE_TOO_LOW', have: '0', need: String(FACE) }],
    })
    const { dueDate } = await act.claimOf(world, claimId)
    expect([answer.token, Date.parse(String(answer.dueDate))]).toEqual([world.usd, Number(dueDate) * 1000])
    expect(answer.approvals).toHaveLength(1)
    expect(answer.description).toContain('Pay 1000 HUSD (1000000000 base units) from this wallet')
    expect(answer.description).toContain(`150 HUSD (150000000 base units) to vault ${vaults[0]}`)
    expect(answer.description).toContain('600 HUSD (600000000 base units) to the beneficiary')
    expect(decodeFunctionData({ abi: financingRouterAbi, data: answer.transaction.data })).toEqual({
      functionName: 'settle',
      args: [claimId, getAddress(world.usd), FACE],
    })

    const people = [payer.address, ...vaults, world.parties.beneficiary.address]
    const before = await holdings(people)
    const receipt = await sendAll(world, answer)
    const gained = (await holdings(people)).map((after, index) => after - (before[index] ?? 0n))
    expect(gained).toEqual([-FACE, 150n * USD, 250n * USD, 600n * USD])
    expect(await act.claimOf(world, claimId)).toMatchObject({ state: 'SETTLED' })
    expect(eventsOf(receipt).find(({ name }) => name === 'ClaimPaid')?.args).toMatchObject({
      claimId,
      payer: payer.address,
      sliceAmounts: [100n * USD, 250n * USD, 50n * USD],
      beneficiaryAmount: 600n * USD,
    })
  })

  it('pays the vaults alone where all of the face was financed', async () => {
    const { world } = the
    await empty()
    const vaults = [
      await act.createFundedVault(world, { token: world.usd, capital: FACE }),
      await act.createFundedVault(world, { token: world.usd, capital: FACE }),
    ] as const
    const claimId = await register()
    await finance(claimId, vaults[0], 999n * USD)
    await finance(claimId, vaults[1], 1n * USD)
    await mature()
    await fund()
    const answer = await prepared(claimId)
    expect(answer).toMatchObject({ beneficiaryAmount: '0', repayments: [{ vault: vaults[0] }, {}] })
    expect(answer.description).not.toContain('beneficiary')
    const people = [payer.address, ...vaults, world.parties.beneficiary.address]
    const before = await holdings(people)
    await sendAll(world, answer)
    const gained = (await holdings(people)).map((after, index) => after - (before[index] ?? 0n))
    expect(gained).toEqual([-FACE, 999n * USD, 1n * USD, 0n])
  })

  it('pays a part, of which each has its part, and later all that is left', async () => {
    const { world } = the
    await empty()
    const vault = await act.createFundedVault(world, { token: world.usd, capital: FACE })
    const claimId = await register()
    await finance(claimId, vault, 250n * USD)
    await mature()
    await fund()
    const people = [payer.address, vault, world.parties.beneficiary.address]
    const pay = async (amount?: bigint) => {
      const body = amount === undefined ? {} : { amount: String(amount) }
      const answer = await prepare(the.app, await tokenOf(), pathOf(claimId), body)
      const before = await holdings(people)
      await sendAll(world, answer)
      const gained = (await holdings(people)).map((after, index) => after - (before[index] ?? 0n))
      await routes.settleDown(the)
      return { answer, gained }
    }

    const least = await prepare(the.app, await tokenOf(), pathOf(claimId), { amount: '1' })
    expect(least).toMatchObject({ repayments: [{ vault, faceAmount: '0' }], beneficiaryAmount: '1' })
    expect(least.description).toContain('the payment goes: 0.000001 HUSD (1 base units) to the beneficiary')

    const part = await pay(400n * USD)
    expect(part.gained).toEqual([-400n * USD, 100n * USD, 300n * USD])
    expect(part.answer).toMatchObject({
      faceValue: String(FACE),
      faceAmount: String(400n * USD),
      settles: false,
      repayments: [{ vault, faceAmount: String(100n * USD) }],
      beneficiaryAmount: String(300n * USD),
      issues: [{ code: 'ALLOWANCE_TOO_LOW', have: '0', need: String(400n * USD) }],
    })
    expect(part.answer.description).toContain(
      'Pay 400 HUSD (400000000 base units) from this wallet, a part of',
    )
    expect(await act.claimOf(world, claimId)).toMatchObject({ state: 'PARTIALLY_FUNDED' })

    const rest = await pay()
    expect(rest.gained).toEqual([-600n * USD, 150n * USD, 450n * USD])
    expect(rest.answer).toMatchObject({
      faceAmount: String(600n * USD),
      settles: true,
      repayments: [{ vault, faceAmount: String(150n * USD) }],
      beneficiaryAmount: String(450n * USD),
    })
    expect(rest.answer.description).toContain('all that is unpaid of')
    expect(await act.claimOf(world, claimId)).toMatchObject({ state: 'SETTLED' })
  })

  it('pays no more than what is unpaid, and at least a base unit', async () => {
    const claimId = await maturedClaim()
    const answer = await prepare(the.app, await tokenOf(), pathOf(claimId), {
      amount: String(2n ** 256n - 1n),
    })
    expect(answer).toMatchObject({ faceAmount: String(FACE), settles: true })
    const callOf = async (amount: bigint) => {
      const body = { amount: String(amount) }
      const { transaction, settles } = await prepare(the.app, await tokenOf(), pathOf(claimId), body)
      const { functionName, args } = decodeFunctionData({ abi: financingRouterAbi, data: transaction.data })
      return [functionName, args?.at(-1), settles]
    }
    expect(await callOf(FACE)).toEqual(['settle', FACE, true])
    expect(await callOf(FACE - 1n)).toEqual(['pay', FACE - 1n, false])
    for (const amount of ['0', '-1', '1.5', String(2n ** 256n), 1]) {
      const refusal = await postPrepare(the.app, await tokenOf(), pathOf(claimId), { amount })
      expect([amount, await readJson(refusal)]).toMatchObject([amount, { code: 'VALIDATION_FAILED' }])
    }
  })

  it('is refused if its body is not JSON, which could limit the amount', async () => {
    const claimId = await maturedClaim()
    const authorization = `Bearer ${await tokenOf()}`
    for (const [type, status] of [
      ['text/plain', 415],
      ['Application/JSON', 415],
      ['application/json', 200],
    ] as const) {
      const response = await the.app.request(`/api/v1${pathOf(claimId)}`, {
        method: 'POST',
        headers: { Authorization: authorization, 'Content-Type': type },
        body: '{ "amount": "400" }',
      })
      expect([type, response.status]).toEqual([type, status])
    }
  })

  it('is possible for a contract wallet, approvals included', async () => {
    const { world } = the
    const wallet = await createSmartWallet(world, world.parties.stranger)
    const claimId = await maturedClaim({ token: world.eur })
    await act.mint(world, { token: world.eur, to: wallet.address, amount: FACE })
    await act.approve(world, { owner: wallet, token: world.eur, spender: router, amount: 1n })
    const { approvals, transaction } = await prepared(claimId, wallet)
    expect(approvals.map((step) => approvedBy(step.transaction))).toEqual([
      [router, 0n],
      [router, FACE],
    ])
    for (const step of [...approvals, { transaction }]) await send(world.chain, wallet, step.transaction)
    expect(await act.claimOf(world, claimId)).toMatchObject({ state: 'SETTLED' })
    expect(await act.balanceOf(world, world.eur, wallet.address)).toBe(0n)
  })

  it('is possible for anyone, while the router is paused, without an approval where there is one', async () => {
    const claimId = await maturedClaim()
    await fund()
    await allow(FACE)
    await act.pauseRouter(the.world)
    const answer = await prepared(claimId)
    expect([answer.approvals, answer.issues]).toEqual([[], []])
    await sendAll(the.world, answer)
    await act.unpauseRouter(the.world)
    expect(await act.claimOf(the.world, claimId)).toMatchObject({ state: 'SETTLED' })
  })

  it('asks for one approval of the exact amount where a token lets an allowance be changed', async () => {
    await empty()
    const claimId = await maturedClaim()
    await fund()
    await allow(1n)
    const answer = await prepared(claimId)
    expect(answer.approvals.map(({ transaction }) => approvedBy(transaction))).toEqual([[router, FACE]])
    expect(answer.issues).toMatchObject([{ code: 'ALLOWANCE_TOO_LOW', have: '1', need: String(FACE) }])
    await sendAll(the.world, answer)
    expect(await act.claimOf(the.world, claimId)).toMatchObject({ state: 'SETTLED' })
  })

  it('asks to reset the allowance first where the token demands it, and only then', async () => {
    await empty()
    const { world } = the
    const [first, second] = [await register({ token: world.eur }), await register({ token: world.eur })]
    await mature()
    await fund(2n * FACE, world.eur)
    const fresh = await prepared(first)
    expect(fresh.approvals.map(({ transaction }) => approvedBy(transaction))).toEqual([[router, FACE]])
    await sendAll(world, fresh)

    await allow(1n, world.eur)
    const answer = await prepared(second)
    const steps = answer.approvals.map(({ transaction }) => approvedBy(transaction))
    expect(steps).toEqual([
      [router, 0n],
      [router, FACE],
    ])
    expect(await revertOf(allow(FACE, world.eur))).toMatchObject({ errorName: 'ApprovalNotReset' })
    for (const [index, approval] of answer.approvals.entries()) {
      await sendPrepared(world, approval)
      expect(await allowed(world.eur)).toBe(steps[index]?.[1])
    }
    await sendPrepared(world, answer)
    expect(await allowed(world.eur)).toBe(0n)
    expect(await act.claimOf(world, second)).toMatchObject({ state: 'SETTLED' })
  })

  it('reports a balance that is too low once, and the router agrees', async () => {
    await empty()
    const claimId = await maturedClaim()
    await fund(FACE - 1n)
    await allow(FACE)
    const answer = await prepared(claimId)
    expect(answer.issues).toEqual([
      {
        code: 'BALANCE_TOO_LOW',
        message: `The wallet holds 999.999999 HUSD (999999999 base units), and 1000 HUSD (1000000000 base units) will be taken.`,
        have: String(FACE - 1n),
        need: String(FACE),
      },
    ])
    expect(await revertOf(act.settle(the.world, { payer, claimId }))).toMatchObject({
      errorName: 'ERC20InsufficientBalance',
    })
    await fund(1n)
    expect((await prepared(claimId)).issues).toEqual([])
    await sendPrepared(the.world, answer)
  })

  it('reports an allowance and a balance that are both too low, each once', async () => {
    await empty()
    const claimId = await maturedClaim()
    const { issues } = await prepared(claimId)
    expect(issues.map(({ code }) => code)).toEqual(['BALANCE_TOO_LOW', 'ALLOWANCE_TOO_LOW'])
    await fund()
    expect(await revertOf(act.settle(the.world, { payer, claimId }))).toMatchObject({
      errorName: 'ERC20InsufficientAllowance',
    })
  })

  it('prepares a claim from the second on in which it is due, by the clock too while no block says so', async () => {
    await empty()
    const claimId = await register()
    await fund()
    await allow(FACE)
    await act.finalize(the.world)
    const { dueDate } = await act.claimOf(the.world, claimId)
    the.clock.skewMs = Number(dueDate) * 1000 - Date.now() - 60_000
    expect(await refused(claimId)).toMatchObject({ code: 'CLAIM_NOT_MATURED' })
    the.clock.skewMs += 60_000
    const answer = await prepared(claimId)
    expect(answer.issues).toEqual([])
    await sendPrepared(the.world, answer)
    expect(await act.claimOf(the.world, claimId)).toMatchObject({ state: 'SETTLED' })
    await routes.settleDown(the)
  })

  it('reports a claim that was settled a moment ago', async () => {
    const claimId = await maturedClaim()
    await fund(2n * FACE)
    await allow(2n * FACE)
    await act.settle(the.world, { payer, claimId })
    expect((await prepared(claimId)).issues).toEqual([
      {
        code: 'EXECUTION_WOULD_REVERT',
        message: `At the latest block this would revert with ClaimNotSettleable(${claimId}, SETTLED).`,
        errorName: 'ClaimNotSettleable',
        arguments: [claimId, 'SETTLED'],
      },
    ])
    await routes.settleDown(the)
  })

  it('reports a token that is none any more, as the router would', async () => {
    const { chain, protocol } = the.world
    const args = ['Replaced', 'GONE', 6] as const
    const token = await deployForTest(the.world, demoTokenAbi, demoTokenBytecode, args)
    await act.setTokenListed(the.world, { token, listed: true })
    const claimId = await maturedClaim({ token })
    const bytecode = await chain.getCode({ address: protocol.issuerRegistry })
    await chain.setCode({ address: token, bytecode: bytecode ?? '0x' })
    const { issues } = await prepared(claimId)
    expect(issues.map(({ code }) => code)).toEqual([
      'BALANCE_TOO_LOW',
      'ALLOWANCE_TOO_LOW',
      'EXECUTION_WOULD_REVERT',
    ])
    await expect(act.settle(the.world, { payer, claimId })).rejects.toThrow()
  })

  it('asks to reset the allowance first where no node can try to change it', async () => {
    await empty()
    const claimId = await maturedClaim()
    await fund()
    await allow(1n)
    const isApproval = (params: readonly unknown[]) =>
      JSON.stringify(params).includes(toFunctionSelector('approve(address,uint256)').slice(2))
    const node = await startNodeProxy(
      ({ params }) => (isApproval(params) ? { status: 400 } : undefined),
      the.world.rpcUrl,
    )
    const app = createGateway(the.store, { rpcUrl: node.url, clock: () => Date.now() + the.clock.skewMs })
    const answer = await prepare(app, await tokenOf(), pathOf(claimId)).finally(node.stop)
    expect(answer.approvals.map(({ transaction }) => approvedBy(transaction))).toEqual([
      [router, 0n],
      [router, FACE],
    ])
    await sendAll(the.world, answer)
    expect(await act.claimOf(the.world, claimId)).toMatchObject({ state: 'SETTLED' })
  })

  it('says so when no node can try the transaction after its approval', async () => {
    await empty()
    const claimId = await maturedClaim()
    await fund()
    const node = await startNodeProxy(
      ({ method }) => (method === 'eth_simulateV1' ? { status: 400 } : undefined),
      the.world.rpcUrl,
    )
    const app = createGateway(the.store, { rpcUrl: node.url, clock: () => Date.now() + the.clock.skewMs })
    const answer = await prepare(app, await tokenOf(), pathOf(claimId)).finally(node.stop)
    expect(answer.issues.map(({ code }) => code)).toEqual(['ALLOWANCE_TOO_LOW', 'SIMULATION_UNAVAILABLE'])
    await sendAll(the.world, answer)
    expect(await act.claimOf(the.world, claimId)).toMatchObject({ state: 'SETTLED' })
  })

  it('answers nothing that a cache may keep, and takes no body with other fields', async () => {
    const claimId = await maturedClaim()
    const response = await postPrepare(the.app, await tokenOf(), pathOf(claimId))
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const refused = await readJson(
      await postPrepare(the.app, await tokenOf(), pathOf(claimId), { faceAmount: '1' }),
    )
    expect(refused).toMatchObject({ status: 400, detail: 'faceAmount: is unknown; remove it' })
  })
})

function approvedBy({ data }: { data: Hex }) {
  const { functionName, args } = decodeFunctionData({ abi: demoTokenAbi, data })
  if (functionName !== 'approve') throw new Error(`${functionName} is no approval`)
  const [spender, amount] = args
  return [spender.toLowerCase(), amount]
}
