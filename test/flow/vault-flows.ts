/**
 * Random flows of a lender and a curator, each in a vault of its own. They send what the gateway prepares, at once or
 * after the vault has changed. Promises are compared with the state of the contracts.
 */
import fc from 'fast-check'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { financingVaultAbi as abi } from '../../abis/FinancingVault.ts'
import { demoTokenBytecode } from '../../contracts/artifacts/DemoToken.ts'
import type { LiveWorld } from '../support/live-world.ts'
import type { Party } from '../support/parties.ts'
import { type PreparedAnswer, type PreparedStep, postPrepare, toPreparedAnswer } from '../support/prepared.ts'
import { deployForTest } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { readJson, signIn } from '../support/sign-in.ts'
import { callAt, minedReceipt, outcomeOf } from '../support/transactions.ts'
import { checkExchange, type Exchange, isBeyondBound, type Sent } from './vault-exchanges.ts'
import { changedMandate, changedPricing, make, moves, type Scene, termsOf } from './vault-moves.ts'
import { checkTerms, readAcceptance, toTerms } from './vault-terms.ts'

const size = fc.integer({ min: 1, max: 1000 })
const kinds = Object.keys(moves).filter((kind): kind is keyof typeof moves => kind in moves)
const move = fc.record({
  kind: fc.oneof(fc.constantFrom('finance', 'finance', 'wait', 'activate'), fc.constantFrom(...kinds)),
  size,
})
const slippageBps = fc.constantFrom(0, 10, 10, 100, 10_000)
const amounts = fc.oneof(
  fc.constantFrom(1n, 999_999n, 2n ** 191n, 2n ** 256n - 1n),
  fc.bigInt({ min: 1n, max: 10n ** 6n }),
  fc.bigInt({ min: 10n ** 6n, max: 10n ** 11n }),
  fc.bigInt({ min: 10n ** 6n, max: 10n ** 11n }),
)

const deposits = fc.record({
  kind: fc.constant('deposit'),
  unit: fc.constantFrom('assets', 'shares'),
  amount: amounts,
  slippageBps,
  /** Balance of the wallet: the price, twice the price, or less. */
  funds: fc.constantFrom('price', 'twice', 'twice', 'less'),
  forOther: fc.boolean(),
})
const withdrawals = fc.record({
  kind: fc.constant('withdrawal'),
  unit: fc.constantFrom('assets', 'shares', 'all'),
  /** `withdrawable` is all that the vault can pay now. */
  amount: fc.constantFrom('withdrawable', 'withdrawable', 'more', 'least', 'part', 'part'),
  size,
  slippageBps,
  forOther: fc.boolean(),
})
const terms = fc.record({
  kind: fc.constant('terms'),
  action: fc.constantFrom('submit', 'submit', 'submit', 'accept', 'accept', 'revoke'),
  half: fc.constantFrom('mandate', 'pricing', 'both'),
  size,
  byOther: fc.oneof(
    { weight: 5, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  /** Whether the projection is at the latest block, so that effects can be compared. */
  isProjected: fc.boolean(),
})
const asks = fc.oneof(deposits, withdrawals, terms)
type Ask = typeof asks extends fc.Arbitrary<infer Value> ? Value : never

const steps = fc.record({
  before: fc.array(move, { maxLength: 3 }),
  isFinal: fc.boolean(),
  ask: asks,
  /** Changes before the transaction, and the seconds after them. Undefined: it is sent at once. */
  later: fc.oneof(
    fc.constant(undefined),
    fc.record({ moves: fc.array(move, { maxLength: 2 }), seconds: fc.constantFrom(0, 1, 12, 7_200) }),
  ),
})
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never

export const vaultFlows = fc.record({
  noticePeriod: fc.constantFrom(0, 3_600, 86_400),
  baseDiscountBps: fc.constantFrom(0, 100, 2_500, 9_000),
  durationBpsPerDay: fc.constantFrom(0, 3),
  capital: fc.oneof(fc.constant(0n), amounts),
  steps: fc.array(steps, { minLength: 5, maxLength: 9 }),
})
export type VaultFlow = typeof vaultFlows extends fc.Arbitrary<infer Value> ? Value : never

const LARGEST = 2n ** 191n
/** The contract's error for each refusal that it has one for. */
const ERRORS = new Map<unknown, RegExp>([
  ['VAULT_INACTIVE', /^ERC4626ExceededMax(Deposit|Mint)$/],
  ['AMOUNT_TOO_LARGE', /^ERC4626ExceededMax/],
  ['CURATOR_MISMATCH', /^OwnableUnauthorizedAccount$/],
  ['AMOUNT_TOO_SMALL', /^NoShares$/],
  ['TERMS_INVALID', /^Invalid(Mandate|Pricing)$/],
  ['NO_PENDING_TERMS', /^NoPendingTerms$/],
  ['NOTICE_NOT_OVER', /^NoticeNotOver$/],
])
/** Issues that an approval removes. */
const isObstacle = ({ code }: { code: string }) => code !== 'ALLOWANCE_TOO_LOW'

/** Counts of what happened, so that a run that tests nothing is noticed. */
export const newCounts = () => ({
  executed: { deposit: 0, withdrawal: 0, terms: 0 },
  executedLater: 0,
  beyondBound: 0,
  foretold: 0,
  effects: 0,
  refused: new Set<unknown>(),
  issues: new Set<string>(),
})
export type Counts = ReturnType<typeof newCounts>

/** A token for the flows alone, so that their claims are known. */
export async function startFlows(the: LiveWorld) {
  const { world } = the
  const asset = await deployForTest(world, demoTokenAbi, demoTokenBytecode, ['Flow Dollar', 'fUSD', 6])
  await act.setTokenListed(world, { token: asset, listed: true })
  const open: Hex[] = []
  return { the, asset, open }
}
type Flows = Awaited<ReturnType<typeof startFlows>>
type Flow = Flows & Scene & { sessions: { lender: string; curator: string }; counts: Counts }

export async function playFlow(flows: Flows, drawn: VaultFlow, counts: Counts): Promise<void> {
  const { world } = flows.the
  const { noticePeriod, baseDiscountBps, durationBpsPerDay, capital } = drawn
  const terms = { token: flows.asset, noticePeriod, pricing: { baseDiscountBps, durationBpsPerDay } }
  const { vault } = await act.createVault(world, { ...terms, mandate: { maxDurationDays: 300 } })
  const assets = capital >= LARGEST ? 0n : capital
  const { provider, stranger, curator } = world.parties
  // The lender has shares of the others at first.
  for (const receiver of assets > 0n ? [provider, stranger] : [])
    await act.deposit(world, { provider, vault, assets, receiver })
  await act.finalize(world)
  const sessionOf = ({ address, key }: Party) =>
    signIn(flows.the.app, { address, signMessage: key.signMessage })
  const sessions = { lender: await sessionOf(stranger), curator: await sessionOf(curator) }
  const flow = { ...flows, world, vault, sessions, counts, claims: [] }
  for (const step of drawn.steps) await playStep(flow, step)
}

/** A request with the wallet that makes it, and the call of the contract without a bound. */
type Request = { path: string; body: object; session: string; from: Address; data: Hex }

async function playStep(flow: Flow, { before, isFinal, ask, later }: Step): Promise<void> {
  const { the, world, counts } = flow
  for (const one of before) await make(flow, one)
  const isProjected = ask.kind === 'terms' && ask.isProjected
  if (isProjected) await the.project()
  else if (isFinal) await act.finalize(world)
  const request = await requestOf(flow, ask)
  const first = await answerOf(flow, request)
  if (!first) return force(flow, ask, request)
  for (const { code } of first.issues) counts.issues.add(code)
  const isMoved = later !== undefined
  const terms = ask.kind === 'terms' ? toTerms(first) : undefined
  const isCompared = isProjected && !isMoved && terms?.effects
  const was = isCompared ? await readAcceptance(flow, terms, await world.chain.getBlockNumber()) : undefined
  for (const one of later?.moves ?? []) await make(flow, one)
  if (later) await act.travelTo(world, (await act.chainTime(world)) + BigInt(later.seconds))
  // The gateway's word on the state that the transaction meets.
  const again = isMoved ? await answerOf(flow, repeated(request, first)) : first
  const isForetold = !again || again.issues.some(isObstacle)
  for (const approval of first.approvals) expect((await sendAtOnce(flow, approval)).errorName).toBeUndefined()
  const sent = await sendAtOnce(flow, first)
  const context = JSON.stringify({ ask, error: sent.errorName, first, again }, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  if (sent.errorName === undefined) {
    if (!isMoved) expect(isForetold, context).toBe(false)
    if (terms) await checkTerms(flow, terms, sent, was)
    else if (ask.kind !== 'terms') await checkExchange(flow, exchangeOf(first, ask.kind), sent, !isMoved)
    counts.executed[ask.kind] += 1
    counts.executedLater += isMoved ? 1 : 0
    counts.effects += was ? 1 : 0
  } else if (ask.kind !== 'terms' && (await isBeyondBound(flow, exchangeOf(first, ask.kind), sent))) {
    expect(isMoved, context).toBe(true)
    counts.beyondBound += 1
  } else {
    expect(isForetold, context).toBe(true)
    if (!isMoved) expect(foretells(first, sent.errorName), context).toBe(true)
    counts.foretold += 1
  }
}

/** The request of the amounts that were prepared: all shares may be others by now. */
function repeated(request: Request, { shares }: PreparedAnswer): Request {
  if (!('all' in request.body)) return request
  const { all: _, ...rest } = request.body
  return { ...request, body: { ...rest, shares } }
}

/** The error of each issue that does not name it. */
const ISSUE_ERRORS = new Map([
  ['BALANCE_TOO_LOW', /^ERC20InsufficientBalance$/],
  ['SHARES_TOO_LOW', /^ERC4626ExceededMax(Withdraw|Redeem)$/],
  ['LIQUIDITY_TOO_LOW', /^ERC4626ExceededMax(Withdraw|Redeem)$/],
])

function foretells({ issues }: PreparedAnswer, errorName: string): boolean {
  return issues.some(
    (issue) => issue.errorName === errorName || ISSUE_ERRORS.get(issue.code)?.test(errorName),
  )
}

/** Asks with what the vault and the wallet have now. */
async function requestOf(flow: Flow, ask: Ask): Promise<Request> {
  const { vault, sessions } = flow
  const { stranger, curator, relayer } = flow.world.parties
  if (ask.kind === 'terms') {
    const [session, by] = ask.byOther ? [sessions.lender, stranger] : [sessions.curator, curator]
    return {
      path: `/vaults/${vault}/terms/prepare`,
      session,
      from: by.address,
      ...(await termsCall(flow, ask)),
    }
  }
  const from = stranger.address
  const receiver = ask.forOther ? relayer.address : from
  const path = `/vaults/${vault}/${ask.kind}s/prepare`
  const call =
    ask.kind === 'deposit'
      ? await depositCall(flow, ask, receiver)
      : await withdrawalCall(flow, ask, { receiver, owner: from })
  const { slippageBps } = ask
  const body = { ...call.body, ...(ask.forOther && { receiver }), slippageBps }
  return { path, body, session: sessions.lender, from, data: call.data }
}

async function termsCall({ world, vault }: Flow, { action, half, size }: Extract<Ask, { kind: 'terms' }>) {
  if (action !== 'submit') {
    const functionName = action === 'accept' ? 'acceptTerms' : 'revokeTerms'
    return { body: { action }, data: encodeFunctionData({ abi, functionName }) }
  }
  const present = await termsOf(world, vault)
  const mandate = half === 'pricing' ? present.mandate : changedMandate(present.mandate, size)
  const pricing = half === 'mandate' ? present.pricing : changedPricing(present.pricing, size)
  const { supportedTypesBitmap, minFace, maxFace, maxClaimFace, maxIssuerFace, ...days } = mandate
  const faces = { supportedTypesBitmap, minFace, maxFace, maxClaimFace, maxIssuerFace }
  const texts = Object.fromEntries(Object.entries(faces).map(([name, value]) => [name, `${value}`]))
  const body = {
    ...(half !== 'pricing' && { mandate: { ...days, ...texts } }),
    ...(half !== 'mandate' && { pricing }),
  }
  return { body, data: encodeFunctionData({ abi, functionName: 'submitTerms', args: [mandate, pricing] }) }
}

async function depositCall(
  flow: Flow,
  { unit, amount, funds }: Extract<Ask, { kind: 'deposit' }>,
  receiver: Address,
) {
  if (amount <= LARGEST) {
    const price = unit === 'assets' ? amount : await read(flow, 'previewMint', amount)
    await setBalance(flow, { price, twice: 2n * price, less: price - 1n }[funds])
  }
  const functionName = unit === 'assets' ? 'deposit' : 'mint'
  const data = encodeFunctionData({ abi, functionName, args: [amount, receiver] })
  return { body: { [unit]: `${amount}` }, data }
}

async function withdrawalCall(
  flow: Flow,
  { unit, amount, size }: Extract<Ask, { kind: 'withdrawal' }>,
  { receiver, owner }: { receiver: Address; owner: Address },
) {
  const shares = await limit(flow, 'balanceOf', owner)
  const redeem = (all: bigint) =>
    encodeFunctionData({ abi, functionName: 'redeem', args: [all, receiver, owner] })
  if (unit === 'all') return { body: { all: true }, data: redeem(shares) }
  const most = await limit(flow, unit === 'assets' ? 'maxWithdraw' : 'maxRedeem', owner)
  const whole = unit === 'shares' ? shares : await read(flow, 'previewRedeem', shares)
  const part = (whole * BigInt(size)) / 900n
  const wanted = { withdrawable: most, more: most + 1n, least: 1n, part }[amount] || 1n
  const withdraw = encodeFunctionData({ abi, functionName: 'withdraw', args: [wanted, receiver, owner] })
  return { body: { [unit]: `${wanted}` }, data: unit === 'shares' ? redeem(wanted) : withdraw }
}

/** Gives the lender exactly this much of the token. */
async function setBalance({ world, asset: token }: Flow, wanted: bigint): Promise<void> {
  const { stranger, admin } = world.parties
  const has = await act.balanceOf(world, token, stranger.address)
  if (has < wanted) await act.mint(world, { token, to: stranger.address, amount: wanted - has })
  if (has > wanted)
    await act.transfer(world, { from: stranger, token, to: admin.address, amount: has - wanted })
}

const read = (
  { world, vault: address }: Flow,
  functionName: 'previewMint' | 'previewRedeem',
  amount: bigint,
) => world.chain.readContract({ abi, address, functionName, args: [amount] })

const limit = (
  { world, vault: address }: Flow,
  functionName: 'maxWithdraw' | 'maxRedeem' | 'balanceOf',
  owner: Address,
) => world.chain.readContract({ abi, address, functionName, args: [owner] })

/** @returns undefined for a refusal */
async function answerOf({ the, counts }: Flow, { path, body, session }: Request) {
  const response = await postPrepare(the.app, session, path, body)
  if (response.status === 200) return toPreparedAnswer(await response.json())
  const { code } = await readJson(response)
  counts.refused.add(code)
  return undefined
}

/** Enough for any of these calls. */
const GAS = 3_000_000n

/** Sends a step in a block of the time of the latest one. @returns the error of the contract, if any */
async function sendAtOnce({ world: { chain } }: Flow, { transaction }: PreparedStep): Promise<Sent> {
  const { from, to, data } = transaction
  const { timestamp } = await chain.getBlock()
  await chain.setNextBlockTimestamp({ timestamp })
  const hash = await chain.sendTransaction({ account: from, chain: null, to, data, gas: GAS })
  const receipt = await minedReceipt(chain, hash)
  const before = { blockNumber: receipt.blockNumber - 1n, timestamp }
  if (receipt.status === 'success') return { receipt, before, errorName: undefined }
  return { receipt, before, errorName: await outcomeOf(callAt(chain, from, { to, data }, before)) }
}

const amount = z.string().transform(BigInt)
const bound = amount.nullable().default(null)
const exchange = z.object({
  assets: amount,
  shares: amount,
  receiver: z.string(),
  minShares: bound,
  maxAssets: bound,
  maxShares: bound,
  minAssets: bound,
  exitAssets: amount.optional(),
})

function exchangeOf(answer: PreparedAnswer, kind: Exchange['kind']): Exchange {
  return { kind, ...exchange.parse(answer) }
}

/** The contract refuses it, too, at the finalized block or at the latest one. It would withdraw nothing. */
async function force(flow: Flow, ask: Ask, { path, body, session, from, data }: Request): Promise<void> {
  const { chain } = flow.world
  const answer = await readJson(await postPrepare(flow.the.app, session, path, body))
  if (answer.code === 'NO_SHARES') return expect(await limit(flow, 'balanceOf', from)).toBe(0n)
  if (answer.code === 'AMOUNT_TOO_SMALL' && ask.kind === 'withdrawal')
    return expect(answer.detail).toMatch(/, 0 base units of its token/)
  const outcomes: string[] = []
  for (const blockTag of ['latest', 'finalized'] as const) {
    const { number: blockNumber, timestamp } = await chain.getBlock({ blockTag })
    const at = { blockNumber, timestamp }
    outcomes.push(await outcomeOf(callAt(chain, from, { to: flow.vault, data }, at)))
  }
  const expected = ERRORS.get(answer.code)
  const context = JSON.stringify({ body, answer, outcomes })
  expect(
    outcomes.some((name) => expected?.test(name)),
    context,
  ).toBe(true)
}
