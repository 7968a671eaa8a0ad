import {
  type Address,
  encodeFunctionData,
  type Hex,
  parseEventLogs,
  type TransactionReceipt,
  zeroAddress,
} from 'viem'
import { financingRouterAbi } from '../../../abis/FinancingRouter.ts'
import {
  type ExecutionRouteMessage,
  executionRouteTypes,
  financingRouterDomain,
} from '../../../api/typed-data/execution-route.ts'
import type { Party } from '../parties.ts'
import type { World } from '../protocol.ts'
import { send } from '../transactions.ts'
import { claimOf } from './claims.ts'
import { chainTime } from './time.ts'
import { approve, mint } from './tokens.ts'

/** `minimumAdvanceAmount` is 0 unless given; amounts in base units. */
export type LegTerms = { claimId: Hex; vault: Address; faceAmount: bigint; minimumAdvanceAmount?: bigint }

/**
 * The token of the first leg's claim (none: zero), target 0, no limit of face, the user's next nonce and a deadline
 * five minutes from now unless given.
 */
export type RouteTerms = {
  user: Party
  token?: Address
  legs: readonly LegTerms[]
  targetAdvance?: bigint
  maxTotalFace?: bigint
  nonce?: bigint
  deadline?: bigint
}

const UNLIMITED = 2n ** 256n - 1n

/** The message that the user signs, with what `terms` leaves open filled in. */
export async function routeOf(world: World, terms: RouteTerms): Promise<ExecutionRouteMessage> {
  return {
    user: terms.user.address,
    token: terms.token ?? (await tokenOf(world, terms.legs)),
    legs: terms.legs.map((leg) => ({ minimumAdvanceAmount: 0n, ...leg })),
    targetAdvance: terms.targetAdvance ?? 0n,
    maxTotalFace: terms.maxTotalFace ?? UNLIMITED,
    nonce: terms.nonce ?? (await nonceOf(world, terms.user.address)),
    deadline: terms.deadline ?? (await chainTime(world)) + 300n,
  }
}

async function tokenOf(world: World, [first]: readonly LegTerms[]): Promise<Address> {
  return first ? (await claimOf(world, first.claimId)).token : zeroAddress
}

/** Signs as `signer`, whatever user the route names. */
export function signRoute(world: World, signer: Party, message: ExecutionRouteMessage): Promise<Hex> {
  return signer.key.signTypedData({
    domain: financingRouterDomain(world.chainId, world.protocol.financingRouter),
    types: executionRouteTypes,
    primaryType: 'ExecutionRoute',
    message,
  })
}

export async function submitRoute(
  world: World,
  { route, signature, submitter }: { route: ExecutionRouteMessage; signature: Hex; submitter: Party },
): Promise<{ executionId: Hex; receipt: TransactionReceipt }> {
  const data = encodeFunctionData({
    abi: financingRouterAbi,
    functionName: 'executeRoute',
    args: [route, signature],
  })
  return executed(await send(world.chain, submitter, { to: world.protocol.financingRouter, data }))
}

/** The user signs a route and `submitter` (the user unless given) sends it. */
export async function executeRoute(
  world: World,
  { submitter, ...terms }: RouteTerms & { submitter?: Party },
): Promise<{ executionId: Hex; route: ExecutionRouteMessage; signature: Hex; receipt: TransactionReceipt }> {
  const route = await routeOf(world, terms)
  const signature = await signRoute(world, terms.user, route)
  return {
    route,
    signature,
    ...(await submitRoute(world, { route, signature, submitter: submitter ?? terms.user })),
  }
}

/** Uses up the user's next nonce. */
export function cancelRoutes(world: World, { user }: { user: Party }): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'cancelRoutes' })
  return send(world.chain, user, { to: world.protocol.financingRouter, data })
}

/** The user finances one claim directly; the deadline is five minutes from now unless given. */
export async function executeFinancing(
  world: World,
  terms: LegTerms & { user: Party; deadline?: bigint },
): Promise<{ executionId: Hex; receipt: TransactionReceipt }> {
  const { user, claimId, vault, faceAmount, minimumAdvanceAmount = 0n } = terms
  const deadline = terms.deadline ?? (await chainTime(world)) + 300n
  const data = encodeFunctionData({
    abi: financingRouterAbi,
    functionName: 'executeFinancing',
    args: [claimId, vault, faceAmount, minimumAdvanceAmount, deadline],
  })
  return executed(await send(world.chain, user, { to: world.protocol.financingRouter, data }))
}

/** Token and most amount are the claim's own unless given. */
export type SettlementTerms = { claimId: Hex; token?: Address; maxAmount?: bigint }

export async function settlementCall(world: World, terms: SettlementTerms): Promise<Hex> {
  const claim = await claimOf(world, terms.claimId)
  const args = [terms.claimId, terms.token ?? claim.token, terms.maxAmount ?? claim.faceValue] as const
  return encodeFunctionData({ abi: financingRouterAbi, functionName: 'settle', args })
}

/** `payer` pays a matured claim from what it has and has approved. */
export async function settle(
  world: World,
  { payer, ...terms }: SettlementTerms & { payer: Party },
): Promise<TransactionReceipt> {
  const data = await settlementCall(world, terms)
  return send(world.chain, payer, { to: world.protocol.financingRouter, data })
}

/** `payer` pays a part of a claim that is due from what it has and has approved. */
export async function pay(
  world: World,
  { payer, claimId, ...terms }: { payer: Party; claimId: Hex; faceAmount: bigint; token?: Address },
): Promise<TransactionReceipt> {
  const token = terms.token ?? (await claimOf(world, claimId)).token
  const args = [claimId, token, terms.faceAmount] as const
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'pay', args })
  return send(world.chain, payer, { to: world.protocol.financingRouter, data })
}

/** Mints a part of the face value to `payer`, approves the router for exactly that, and pays it. */
export async function mintAndPay(
  world: World,
  { payer, claimId, faceAmount }: { payer: Party; claimId: Hex; faceAmount: bigint },
): Promise<TransactionReceipt> {
  const { token } = await claimOf(world, claimId)
  await mint(world, { token, to: payer.address, amount: faceAmount })
  await approve(world, { owner: payer, token, spender: world.protocol.financingRouter, amount: faceAmount })
  return pay(world, { payer, claimId, faceAmount, token })
}

/** Mints the face value to `payer`, approves the router for exactly that, and settles. */
export async function mintAndSettle(
  world: World,
  { payer, claimId }: { payer: Party; claimId: Hex },
): Promise<TransactionReceipt> {
  const { token, faceValue } = await claimOf(world, claimId)
  await mint(world, { token, to: payer.address, amount: faceValue })
  await approve(world, { owner: payer, token, spender: world.protocol.financingRouter, amount: faceValue })
  return settle(world, { payer, claimId })
}

/** Pays `account` what the router holds for it. */
export async function withdrawCredit(
  world: World,
  { account, token }: { account: Party; token: Address },
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'withdrawCredit', args: [token] })
  return send(world.chain, account, { to: world.protocol.financingRouter, data })
}

/** Pays a vault the repayment of a slice that the router holds for it; anyone may. */
export async function releaseRepayment(
  world: World,
  { sender, claimId, sliceIndex }: { sender: Party; claimId: Hex; sliceIndex: number },
): Promise<TransactionReceipt> {
  const args = [claimId, sliceIndex] as const
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'releaseRepayment', args })
  return send(world.chain, sender, { to: world.protocol.financingRouter, data })
}

/** The next nonce of `user` in the router. */
export function nonceOf(world: World, user: Address): Promise<bigint> {
  return world.chain.readContract({
    abi: financingRouterAbi,
    address: world.protocol.financingRouter,
    functionName: 'nonces',
    args: [user],
  })
}

function executed(receipt: TransactionReceipt): { executionId: Hex; receipt: TransactionReceipt } {
  const [execution] = parseEventLogs({ abi: financingRouterAbi, logs: receipt.logs, eventName: 'Executed' })
  if (!execution) throw new Error('the router emitted no Executed')
  return { executionId: execution.args.executionId, receipt }
}
