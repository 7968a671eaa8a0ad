/**
 * A lender deposits and withdraws with what the gateway prepares. The figures are those of the vault, and each refusal
 * has its code.
 */
import fc from 'fast-check'
import { decodeFunctionData, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { catalogue, type ErrorCode } from '../../api/errors.ts'
import {
  dishonestTokenAbi,
  dishonestTokenBytecode,
} from '../../contracts/testing/generated/DishonestToken.ts'
import { describedRefusals } from '../support/described-refusals.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import type { Party } from '../support/parties.ts'
import { createPermitToken } from '../support/permits.ts'
import { postPrepare, prepare, sendAll, sendPrepared } from '../support/prepared.ts'
import { deployForTest } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { readJson, signIn } from '../support/sign-in.ts'
import { eventsOf, inOneBlock, send } from '../support/transactions.ts'
import { newCounts, playFlow, startFlows, vaultFlows } from './vault-flows.ts'

const USD = 1_000_000n
const FACE = 1_000n * USD
const MAX_UINT256 = 2n ** 256n - 1n
const FLOWS = Number(process.env.VAULT_FLOWS ?? 5)
const SEED = Number(process.env.SEED ?? 20_261_127)
const abi = financingVaultAbi

let the: LiveWorld
let lender: Party
let token: string
beforeAll(async () => {
  the = await startLiveWorld()
  lender = the.world.parties.stranger
  token = await signIn(the.app, { address: lender.address, signMessage: lender.key.signMessage })
})
afterAll(() => the?.stop())

const depositPath = (vault: Hex) => `/vaults/${vault}/deposits/prepare`
const withdrawalPath = (vault: Hex) => `/vaults/${vault}/withdrawals/prepare`
const prepared = (path: string, body: unknown) => prepare(the.app, token, path, body)
const refused = async (path: string, body: unknown) => readJson(await postPrepare(the.app, token, path, body))
const fund = (amount: bigint, asset = the.world.usd) =>
  act.mint(the.world, { token: asset, to: lender.address, amount })
const created = async (terms: Partial<act.VaultTerms> = {}) => {
  const { vault } = await act.createVault(the.world, { token: the.world.usd, ...terms })
  await act.finalize(the.world)
  return vault
}
/** A vault with `capital` of another lender, and of this one. */
const shared = async (capital: bigint) => {
  const vault = await act.createFundedVault(the.world, { token: the.world.usd, capital })
  await act.deposit(the.world, { provider: lender, vault, assets: capital })
  await act.finalize(the.world)
  return vault
}
const finance = async (vault: Hex, faceAmount: bigint, dueDate?: bigint) => {
  const { issuer, beneficiary } = the.world.parties
  const due = dueDate ?? (await act.inDays(the.world, 30))
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, dueDate: due }
  const { claimId } = await act.registerClaim(the.world, { ...terms, faceValue: faceAmount })
  await act.executeFinancing(the.world, { user: beneficiary, claimId, vault, faceAmount })
  return { claimId, dueDate: due }
}
const read = (
  vault: Hex,
  functionName: 'previewDeposit' | 'previewMint' | 'previewRedeem' | 'previewWithdraw',
  amount: bigint,
) => the.world.chain.readContract({ abi, address: vault, functionName, args: [amount] })
const limit = (vault: Hex, functionName: 'maxRedeem' | 'maxWithdraw' | 'balanceOf') =>
  the.world.chain.readContract({ abi, address: vault, functionName, args: [lender.address] })

describe('a deposit', () => {
  it('of assets states the shares at the latest block, and carries the bound in its call', async () => {
    const vault = await created()
    await fund(FACE)
    const shares = await read(vault, 'previewDeposit', FACE)
    const minShares = (shares * 9_900n) / 10_000n
    const block = await the.world.chain.getBlock()

    const answer = await prepared(depositPath(vault), { assets: `${FACE}`, slippageBps: 100 })

    expect(answer).toMatchObject({
      vault,
      receiver: lender.address,
      assets: `${FACE}`,
      shares: `${shares}`,
      minShares: `${minShares}`,
      maxAssets: null,
      exitAssets: `${FACE}`,
      pricedAt: { blockNumber: Number(block.number) },
      transaction: { from: lender.address, to: vault, value: '0' },
      issues: [{ code: 'ALLOWANCE_TOO_LOW', have: '0', need: `${FACE}` }],
    })
    expect(answer.description).toContain('Deposit 1000 dUSD (1000000000 base units) from this wallet')
    expect(answer.description).toMatch(
      new RegExp(
        `, for at least \\S+ shares \\(${minShares} base units\\), which ${lender.address} receives\\.`,
      ),
    )
    expect(decodeFunctionData({ abi, data: answer.transaction.data })).toMatchObject({
      functionName: 'deposit',
      args: [FACE, expect.stringMatching(new RegExp(lender.address, 'i')), minShares],
    })
    const receipt = await sendAll(the.world, answer)
    expect(eventsOf(receipt).at(-1)).toMatchObject({ name: 'Deposit', args: { assets: FACE, shares } })
  })

  it.each([
    ['next to nothing', 5n],
    ['the price', 7n * USD],
  ])(
    'of shares approves the most that it may cost where it may take %s, and pays the price',
    async (_, have) => {
      const vault = await created({ token: the.world.eur })
      await act.deposit(the.world, { provider: lender, vault, assets: 3n * USD })
      await fund(FACE, the.world.eur)
      await act.approve(the.world, { owner: lender, token: the.world.eur, spender: vault, amount: have })
      const shares = 7n * USD * USD
      const { receiver } = { receiver: the.world.parties.payer.address }

      const answer = await prepared(depositPath(vault), { shares: `${shares}`, receiver })

      expect(answer).toMatchObject({ assets: `${7n * USD}`, minShares: null, maxAssets: '7007000', receiver })
      expect(answer.description).toMatch(
        /^Deposit at most 7\.007 \S+ \(7007000 base units\) from this wallet/,
      )
      expect(answer.description).toContain(`7 shares (${shares} base units), which ${receiver} receives.`)
      expect(answer.issues).toMatchObject([{ code: 'ALLOWANCE_TOO_LOW', have: `${have}`, need: '7007000' }])
      // This token changes an allowance by a reset only.
      expect(answer.approvals).toHaveLength(2)
      const receipt = await sendAll(the.world, answer)
      expect(eventsOf(receipt).at(-1)).toMatchObject({
        args: { owner: receiver, assets: 7n * USD, shares },
      })
    },
  )

  it('that the wallet cannot pay states what it has', async () => {
    const vault = await created()
    const have = await act.balanceOf(the.world, the.world.usd, lender.address)
    const { issues } = await prepared(depositPath(vault), { assets: `${have + 1n}` })
    expect(issues).toMatchObject([
      { code: 'BALANCE_TOO_LOW', have: `${have}`, need: `${have + 1n}` },
      { code: 'ALLOWANCE_TOO_LOW', have: '0', need: `${have + 1n}` },
    ])
  })

  it('of shares that the wallet can pay at the price, and not at the bound, lacks nothing', async () => {
    const asset = await createPermitToken(the.world)
    const vault = await created({ token: asset })
    await fund(7n * USD, asset)
    const answer = await prepared(depositPath(vault), { shares: `${7n * USD * USD}` })
    expect(answer).toMatchObject({ assets: `${7n * USD}`, maxAssets: '7007000' })
    expect(answer.issues).toMatchObject([{ code: 'ALLOWANCE_TOO_LOW', have: '0', need: '7007000' }])
    await sendAll(the.world, answer)
    expect(await act.balanceOf(the.world, asset, lender.address)).toBe(0n)
  })

  it('in a vault with an overdue claim states what the shares would pay at once', async () => {
    const vault = await shared(FACE)
    const { dueDate } = await finance(vault, FACE)
    await act.travelTo(the.world, dueDate + 46n * act.DAY)
    await fund(FACE)
    const answer = await prepared(depositPath(vault), { assets: `${FACE}` })
    const shares = await read(vault, 'previewDeposit', FACE)
    // Half of the vault's claim is lost, a quarter of its value. A third of what remains belongs to the new shares.
    const { timestamp } = await the.world.chain.getBlock()
    for (const step of [...answer.approvals, answer]) {
      await the.world.chain.setNextBlockTimestamp({ timestamp })
      await sendPrepared(the.world, step)
    }
    const exitAssets = await read(vault, 'previewRedeem', shares)
    expect(exitAssets).toBeGreaterThan((FACE * 80n) / 100n)
    expect(exitAssets).toBeLessThan((FACE * 85n) / 100n)
    expect(answer).toMatchObject({ shares: `${shares}`, exitAssets: `${exitAssets}` })
  })

  it('in a vault that has lost its whole value states that the shares would pay nothing at once', async () => {
    const vault = await shared(495n * USD)
    const { dueDate } = await finance(vault, FACE)
    await act.travelTo(the.world, dueDate + 92n * act.DAY)
    expect(await read(vault, 'previewRedeem', 10n ** 12n)).toBe(0n)
    await fund(FACE)
    const answer = await prepared(depositPath(vault), { assets: `${FACE}` })
    // Losses beyond the value, which a deposit would pay first, are not known.
    expect(answer).toMatchObject({ assets: `${FACE}`, exitAssets: '0' })
  })

  it('reverts where the price became worse than its bound', async () => {
    const vault = await shared(FACE)
    await finance(vault, FACE)
    await fund(FACE)
    await act.approve(the.world, { owner: lender, token: the.world.usd, spender: vault, amount: FACE })
    const answer = await prepared(depositPath(vault), { assets: `${FACE}`, slippageBps: 0 })
    expect(answer.issues).toEqual([])
    await act.travelDays(the.world, 10)
    const { to, data } = answer.transaction
    await expect(send(the.world.chain, lender, { to, data })).rejects.toMatchObject({
      errorName: 'BelowMinimum',
    })
  })
})

describe('a withdrawal', () => {
  it('states what can be withdrawn now, and when contracts owe the vault the rest', async () => {
    const vault = await shared(FACE)
    const dayOf = (time: bigint) =>
      new Date(Number((time / act.DAY) * act.DAY) * 1000).toISOString().replace('.000Z', 'Z')
    const late = await finance(vault, 100n * USD, (await act.chainTime(the.world)) + 100n)
    await act.travelTo(the.world, late.dueDate + 1n)
    const { payer } = the.world.parties
    await act.mintAndPay(the.world, { payer, claimId: late.claimId, faceAmount: 40n * USD })
    const [first, second] = [await act.inDays(the.world, 10), await act.inDays(the.world, 20)]
    for (const [face, dueDate] of [
      [700n * USD, first],
      [200n * USD, first + 1n],
      [600n * USD, second],
    ] as const)
      await finance(vault, face, dueDate)
    await the.project()

    const answer = await prepared(withdrawalPath(vault), { all: true })

    const [shares, withdrawable] = [await limit(vault, 'balanceOf'), await limit(vault, 'maxWithdraw')]
    const assets = await read(vault, 'previewRedeem', shares)
    expect(answer).toMatchObject({
      assets: `${assets}`,
      shares: `${shares}`,
      maxShares: null,
      minAssets: `${(assets * 9_990n) / 10_000n}`,
      position: {
        shares: `${shares}`,
        assets: `${assets}`,
        withdrawableShares: `${await limit(vault, 'maxRedeem')}`,
        withdrawableAssets: `${withdrawable}`,
        lentAssets: `${assets - withdrawable}`,
      },
      contractualRepayments: {
        overdue: { faceAmount: `${60n * USD}`, allocations: 1 },
        days: [
          { dueDay: dayOf(first), faceAmount: `${900n * USD}`, allocations: 2 },
          { dueDay: dayOf(second), faceAmount: `${600n * USD}`, allocations: 1 },
        ],
        later: { faceAmount: '0', allocations: 0 },
      },
      approvals: [],
      issues: [{ code: 'LIQUIDITY_TOO_LOW', have: `${withdrawable}`, need: `${assets}` }],
    })
    expect(answer.description).toMatch(
      new RegExp(
        `^Redeem all .*\\(${shares} base units\\) .* for at least .*\\(${answer.minAssets} base units\\), which`,
      ),
    )
  })

  it('of the assets that are idle pays them to the receiver, for at most its bound of shares', async () => {
    const vault = await shared(FACE)
    await finance(vault, FACE + FACE / 2n)
    const idle = await limit(vault, 'maxWithdraw')
    const receiver = the.world.parties.relayer.address
    const answer = await prepared(withdrawalPath(vault), { assets: `${idle}`, receiver, slippageBps: 50 })
    const shares = await read(vault, 'previewWithdraw', idle)
    const maxShares = (shares * 10_050n + 9_999n) / 10_000n
    expect(answer).toMatchObject({
      shares: `${shares}`,
      maxShares: `${maxShares}`,
      minAssets: null,
      issues: [],
    })
    const position = z.object({ assets: z.string() }).parse(answer.position)
    expect(answer.description).toMatch(
      new RegExp(
        `\\(${idle} base units\\) from vault ${vault} to ${receiver}, for at most .*\\(${maxShares} base units\\)`,
      ),
    )
    expect(answer.description).toMatch(
      new RegExp(
        `worth \\S+ dUSD \\(${position.assets} base units\\) then, and can withdraw \\S+ dUSD \\(${idle} base`,
      ),
    )
    const receipt = await sendPrepared(the.world, answer)
    expect(eventsOf(receipt).at(-1)).toMatchObject({ name: 'Withdraw', args: { assets: idle, receiver } })
    const { issues } = await prepared(withdrawalPath(vault), { assets: '1' })
    expect(issues).toMatchObject([{ code: 'LIQUIDITY_TOO_LOW', have: '0', need: '1' }])
  })

  it('of more shares than the wallet has states both numbers', async () => {
    const vault = await shared(FACE)
    const have = await limit(vault, 'balanceOf')
    for (const shares of [have + 1n, MAX_UINT256]) {
      const { issues, description } = await prepared(withdrawalPath(vault), { shares: `${shares}` })
      expect(description).toMatch(/^Redeem [0-9]/)
      expect(issues).toMatchObject([{ code: 'SHARES_TOO_LOW', have: `${have}`, need: `${shares}` }])
    }
  })

  it('of all, while a gain is earned, leaves the lender with the gain and no shares', async () => {
    const { payer } = the.world.parties
    const vault = await created()
    await fund(FACE)
    await sendAll(the.world, await prepared(depositPath(vault), { assets: `${FACE}` }))
    const { claimId, dueDate } = await finance(vault, FACE)
    await act.mintAndSettle(the.world, { payer, claimId })
    await act.travelTo(the.world, dueDate - 15n * act.DAY)
    const before = await act.balanceOf(the.world, the.world.usd, lender.address)
    const answer = await prepared(withdrawalPath(vault), { all: true })
    expect(answer.issues).toEqual([])
    await sendPrepared(the.world, answer)
    const after = await act.balanceOf(the.world, the.world.usd, lender.address)
    // Half of the discount of 10 is earned after half of the days; half of this is that of the virtual shares.
    expect(after - before).toBeGreaterThan(FACE + 4n * USD)
    expect(after - before).toBeLessThan(FACE + 6n * USD)
    expect(await limit(vault, 'balanceOf')).toBe(0n)
  })

  it('from an inactive vault is prepared', async () => {
    const vault = await shared(FACE)
    await act.setVaultActive(the.world, { vault, active: false })
    await act.finalize(the.world)
    expect(await prepared(withdrawalPath(vault), { assets: '5' })).toMatchObject({ issues: [] })
  })
})

describe('in a hostile world', () => {
  const dishonest = async (feeBps: bigint, movesNothing: boolean, reportsFailure: boolean) => {
    const token = await deployForTest(the.world, dishonestTokenAbi, dishonestTokenBytecode, [])
    await act.setTokenListed(the.world, { token, listed: true })
    const vault = await created({ token })
    await fund(FACE, token)
    const data = encodeFunctionData({
      abi: dishonestTokenAbi,
      functionName: 'behave',
      args: [feeBps, movesNothing, reportsFailure],
    })
    await send(the.world.chain, lender, { to: token, data })
    return { token, vault }
  }

  it('a gift to an empty vault changes no price', async () => {
    const vault = await created()
    const { provider } = the.world.parties
    await act.deposit(the.world, { provider, vault, assets: 1n })
    await act.mint(the.world, { token: the.world.usd, to: provider.address, amount: FACE })
    await act.transfer(the.world, { from: provider, token: the.world.usd, to: vault, amount: FACE })
    await fund(FACE)
    const answer = await prepared(depositPath(vault), { assets: `${FACE}`, slippageBps: 0 })
    expect(answer).toMatchObject({ shares: `${FACE}000000`, exitAssets: `${FACE}` })
    await sendAll(the.world, answer)
    expect(await prepared(withdrawalPath(vault), { all: true })).toMatchObject({
      assets: `${FACE}`,
      position: { withdrawableAssets: `${FACE}` },
      issues: [],
    })
  })

  it('a token that takes a fee leaves a vault short, which the withdrawal of the last states', async () => {
    const { vault } = await dishonest(100n, false, false)
    const answer = await prepared(depositPath(vault), { assets: `${FACE}` })
    expect(answer.issues.map(({ code }) => code)).toEqual(['ALLOWANCE_TOO_LOW'])
    await sendAll(the.world, answer)
    const { issues } = await prepared(withdrawalPath(vault), { all: true })
    expect(issues).toMatchObject([
      {
        code: 'EXECUTION_WOULD_REVERT',
        errorName: 'ERC20InsufficientBalance',
        arguments: [vault, expect.any(String), expect.any(String)],
      },
    ])
  })

  it('a token that reports a failure is an issue, and takes nothing', async () => {
    const { token, vault } = await dishonest(0n, false, true)
    const answer = await prepared(depositPath(vault), { assets: `${FACE}` })
    expect(answer.issues.at(-1)).toMatchObject({ errorName: 'SafeERC20FailedOperation', arguments: [token] })
    await expect(sendAll(the.world, answer)).rejects.toThrow()
    expect(await act.balanceOf(the.world, token, lender.address)).toBe(FACE)
  })

  it('a token that lies about its transfers has the shares that the contract issues for the lie', async () => {
    const { token, vault } = await dishonest(0n, true, false)
    const answer = await prepared(depositPath(vault), { assets: `${FACE}` })
    await sendAll(the.world, answer)
    expect(answer.shares).toBe(`${await limit(vault, 'balanceOf')}`)
    expect(await act.balanceOf(the.world, token, vault)).toBe(0n)
  })

  it('shares that are sent to the vault belong to nobody, and the others keep their value', async () => {
    const vault = await shared(FACE)
    const shares = (await limit(vault, 'balanceOf')) / 2n
    await act.transferShares(the.world, { from: lender, vault, to: vault, shares })
    const answer = await prepared(withdrawalPath(vault), { all: true })
    expect(answer).toMatchObject({ shares: `${shares}`, assets: `${FACE / 2n}`, issues: [] })
    await sendPrepared(the.world, answer)
    expect(await act.vaultCapital(the.world, vault)).toMatchObject({ totalAssets: (FACE * 3n) / 2n })
  })

  it.each([
    ['of 1 unit', depositPath, { assets: '1' }, { shares: '1000000', exitAssets: '1' }],
    ['of 1 share', depositPath, { shares: '1' }, { assets: '1', maxAssets: '2', exitAssets: '0' }],
    ['of 1 unit', withdrawalPath, { assets: '1' }, { shares: '1000000' }],
  ])('the least amount is prepared as the contract takes it: %s', async (_, path, body, expected) => {
    const vault = await shared(FACE)
    await fund(FACE)
    const answer = await prepared(path(vault), { ...body, slippageBps: 1 })
    expect(answer).toMatchObject(expected)
    await sendAll(the.world, answer)
  })

  it('a withdrawal of all reverts while claims are outstanding, and one of what is idle passes', async () => {
    const vault = await shared(FACE)
    await finance(vault, FACE + FACE / 2n)
    const all = await prepared(withdrawalPath(vault), { all: true })
    expect(all.issues).toMatchObject([{ code: 'LIQUIDITY_TOO_LOW' }])
    const { to, data } = all.transaction
    await expect(send(the.world.chain, lender, { to, data })).rejects.toMatchObject({
      errorName: 'ERC4626ExceededMaxRedeem',
    })
    const idle = await limit(vault, 'maxWithdraw')
    await sendPrepared(the.world, await prepared(withdrawalPath(vault), { assets: `${idle}` }))
    expect((await act.vaultCapital(the.world, vault)).idleAssets).toBe(0n)
  })

  it('new terms in the block of a deposit change nothing of it', async () => {
    const { curator } = the.world.parties
    const vault = await shared(FACE)
    await fund(FACE)
    await act.approve(the.world, { owner: lender, token: the.world.usd, spender: vault, amount: FACE })
    const answer = await prepared(depositPath(vault), { assets: `${FACE}`, slippageBps: 0 })
    const mandate = { ...act.OPEN_MANDATE, supportedTypesBitmap: 0n }
    const terms = encodeFunctionData({ abi, functionName: 'submitTerms', args: [mandate, act.FLAT_PRICING] })
    const receipts = await inOneBlock(the.world.chain, [
      { from: curator.address, to: vault, data: terms },
      answer.transaction,
    ])
    expect(receipts.map(({ status }) => status)).toEqual(['success', 'success'])
    expect(receipts.flatMap(eventsOf).at(-1)).toMatchObject({
      args: { shares: BigInt(String(answer.shares)) },
    })
  })
})

type Case = { code: ErrorCode; path: (vault: Hex) => string; body: object; expected?: object; when: string }

const [deposits, withdrawals] = [depositPath, withdrawalPath]
const CASES: Case[] = [
  { when: 'of nothing', code: 'VALIDATION_FAILED', path: deposits, body: { assets: '0' } },
  {
    when: 'of assets and shares',
    code: 'VALIDATION_FAILED',
    path: deposits,
    body: { assets: '1', shares: '1' },
  },
  { when: 'of neither', code: 'VALIDATION_FAILED', path: withdrawals, body: {} },
  { when: 'of 2^256', code: 'VALIDATION_FAILED', path: deposits, body: { assets: `${MAX_UINT256 + 1n}` } },
  {
    when: 'in no vault',
    code: 'VAULT_NOT_FOUND',
    path: () => deposits('0x00000000000000000000000000000000000000aa'),
    body: { assets: '1' },
  },
  {
    when: 'from no vault',
    code: 'VAULT_NOT_FOUND',
    path: () => withdrawals('0x00000000000000000000000000000000000000aa'),
    body: { all: true },
  },
  {
    when: 'of 2^256 - 1',
    code: 'AMOUNT_TOO_LARGE',
    path: deposits,
    body: { assets: `${MAX_UINT256}` },
    expected: { need: `${MAX_UINT256}` },
  },
  {
    when: 'of 2^256 - 1 shares',
    code: 'AMOUNT_TOO_LARGE',
    path: deposits,
    body: { shares: `${MAX_UINT256}` },
    expected: { need: `${MAX_UINT256}` },
  },
  {
    when: 'of assets that no shares are worth',
    code: 'AMOUNT_TOO_LARGE',
    path: withdrawals,
    body: { assets: `${MAX_UINT256}` },
    expected: { have: `${FACE}`, need: `${MAX_UINT256}` },
  },
  {
    when: 'of shares that are worth nothing',
    code: 'AMOUNT_TOO_SMALL',
    path: withdrawals,
    body: { shares: '999999' },
  },
  {
    when: 'to the zero address',
    code: 'RECEIVER_INVALID',
    path: withdrawals,
    body: { all: true, receiver: zeroAddress },
  },
  {
    when: 'to the zero address',
    code: 'RECEIVER_INVALID',
    path: deposits,
    body: { assets: '1', receiver: zeroAddress },
  },
  {
    when: 'with a permit of a token that has none',
    code: 'PERMIT_INVALID',
    path: deposits,
    body: {
      assets: '1',
      permit: { signature: `0x${'11'.repeat(65)}`, deadline: '2099-01-01T00:00:00Z' },
    },
  },
  { when: 'of nothing', code: 'VALIDATION_FAILED', path: withdrawals, body: { assets: '0' } },
  { when: 'of 1 share', code: 'AMOUNT_TOO_SMALL', path: withdrawals, body: { shares: '1' } },
]

describe('is refused', () => {
  let vault: Hex
  beforeAll(async () => {
    vault = await shared(FACE)
  })

  it.each(CASES)('$code: $when', async ({ code, path, body, expected = {} }) => {
    expect(await refused(path(vault), body)).toMatchObject({
      status: catalogue[code].status,
      code,
      ...expected,
    })
  })

  it('RECEIVER_INVALID: to the vault itself', async () => {
    for (const path of [deposits, withdrawals])
      expect(await refused(path(vault), { assets: '1', receiver: vault })).toMatchObject({
        code: 'RECEIVER_INVALID',
        receiver: vault,
      })
  })

  it('NO_SHARES: a withdrawal of a wallet without shares', async () => {
    const other = await act.createFundedVault(the.world, { token: the.world.usd, capital: 5n })
    await act.finalize(the.world)
    expect(await refused(withdrawals(other), { all: true })).toMatchObject({
      code: 'NO_SHARES',
      vault: other,
    })
  })

  it('VAULT_INACTIVE: a deposit', async () => {
    const inactive = await created()
    await act.setVaultActive(the.world, { vault: inactive, active: false })
    // Until it is final, the simulation shows it.
    const { issues } = await prepared(deposits(inactive), { assets: '1' })
    expect(issues.at(-1)).toMatchObject({ errorName: 'ERC4626ExceededMaxDeposit' })
    await act.finalize(the.world)
    expect(await refused(deposits(inactive), { assets: '1' })).toMatchObject({ code: 'VAULT_INACTIVE' })
  })

  it('AMOUNT_TOO_LARGE: a deposit of a unit more than the contract takes, in assets or in shares', async () => {
    const open = await shared(FACE)
    for (const [unit, functionName] of [
      ['assets', 'maxDeposit'],
      ['shares', 'maxMint'],
    ] as const) {
      const args = [lender.address] as const
      const most = await the.world.chain.readContract({ abi, address: open, functionName, args })
      expect(await prepared(deposits(open), { [unit]: `${most}` })).toMatchObject({ [unit]: `${most}` })
      expect(await refused(deposits(open), { [unit]: `${most + 1n}` })).toMatchObject({
        code: 'AMOUNT_TOO_LARGE',
        have: `${most}`,
        need: `${most + 1n}`,
      })
    }
  })

  it('AMOUNT_TOO_SMALL: a deposit that is worth less than a share', async () => {
    // The discount of 99.99 % belongs to one holder and the virtual shares, so a share costs more than a unit.
    const costly = await act.createFundedVault(the.world, {
      token: the.world.usd,
      capital: 10n ** 12n,
      pricing: { baseDiscountBps: 9_999 },
    })
    for (const face of [10n ** 16n, 10n ** 20n]) {
      const { claimId, dueDate } = await finance(costly, face)
      await act.travelTo(the.world, (dueDate / act.DAY + 1n) * act.DAY)
      await act.mintAndSettle(the.world, { payer: the.world.parties.payer, claimId })
    }
    await act.finalize(the.world)
    expect(await refused(deposits(costly), { assets: '1' })).toMatchObject({
      code: 'AMOUNT_TOO_SMALL',
      have: '0',
    })
  })

  it('with no code that is not shown here', async () => {
    const shown = new Set<string>([...CASES.map(({ code }) => code), 'NO_SHARES', 'VAULT_INACTIVE'])
    const { prepareDeposit, prepareWithdrawal } = await describedRefusals(the.app)
    const described = [...(prepareDeposit ?? []), ...(prepareWithdrawal ?? [])]
    expect(described.length).toBeGreaterThan(6)
    expect(described.filter((code) => !shown.has(code))).toEqual([])
  })
})

it('transactions that are prepared keep what they promise, and those that fail are foretold', {
  timeout: 600_000 + FLOWS * 60_000,
}, async () => {
  const flows = await startFlows(the)
  const counts = newCounts()
  const property = fc.asyncProperty(vaultFlows, (flow) => playFlow(flows, flow, counts))
  await fc.assert(property, { numRuns: FLOWS, seed: SEED, endOnFailure: true })
  const { refused, issues, ...rest } = counts
  console.log(
    `vault flows: ${JSON.stringify({ seed: SEED, ...rest, refused: [...refused], issues: [...issues] })}`,
  )
  for (const count of Object.values(rest.executed)) expect(count).toBeGreaterThan(0)
})
