/**
 * The model of repayments: settlements and revocations, and what the router holds for recipients that a token cannot
 * pay.
 */
import type { Address, Hex } from 'viem'
import {
  add,
  balance,
  type Model,
  type ModelClaim,
  move,
  type Refusal,
  refuse,
  State,
  sliceKey,
  vaultOf,
} from './model.ts'
import { lockGain } from './model-profit.ts'

export type ModelSettlement = { claimId: Hex; token: Address; maxAmount: bigint }

/** @param blocked accounts that the claim's token does not pay */
export function settle(
  model: Model,
  payer: Address,
  { claimId, token, maxAmount }: ModelSettlement,
  blocked: readonly Address[],
): Refusal | undefined {
  const claim = model.claims.get(claimId)
  if (!claim) return refuse('UnknownClaim', claimId)
  if (claim.token !== token) return refuse('UnexpectedToken', token, claim.token)
  if (claim.faceValue > maxAmount) return refuse('AmountExceedsMaximum', claim.faceValue, maxAmount)
  if (model.now < claim.dueDate) return refuse('ClaimNotMatured', claimId, claim.dueDate, model.now)
  if (claim.state >= State.SETTLED) return refuse('ClaimNotSettleable', claimId, claim.state)
  const rest = { to: claim.beneficiary, amount: claim.faceValue - claim.financedFaceValue }
  const refusal = pay(model, { claimId, claim, payer, others: [rest], blocked })
  if (!refusal) claim.state = State.SETTLED
  return refusal
}

/** @param blocked accounts that the claim's token does not pay */
export function revoke(
  model: Model,
  issuer: Address,
  claimId: Hex,
  blocked: readonly Address[],
): Refusal | undefined {
  const claim = model.claims.get(claimId)
  if (claim?.issuer !== issuer) return refuse('NotIssuer', claimId, issuer)
  if (claim.state >= State.SETTLED) return refuse('ClaimNotRevocable', claimId, claim.state)
  const refusal = pay(model, { claimId, claim, payer: issuer, others: [], blocked })
  if (!refusal) claim.state = State.REVOKED
  return refusal
}

type Payment = {
  claimId: Hex
  claim: ModelClaim
  payer: Address
  others: readonly { to: Address; amount: bigint }[]
  blocked: readonly Address[]
}

/** Pays every vault the face that it financed, then the others. */
function pay(model: Model, { claimId, claim, payer, others, blocked }: Payment): Refusal | undefined {
  const { token, allocations } = claim
  let left = balance(model, token, payer)
  for (const amount of [
    ...allocations.map((part) => part.faceAmount),
    ...others.map(({ amount }) => amount),
  ]) {
    if (amount > left) return refuse('ERC20InsufficientBalance', payer, left, amount)
    left -= amount
  }
  const isCredited = (to: Address, amount: bigint) => {
    const credited = blocked.includes(to)
    move(model, token, payer, credited ? model.router : to, amount)
    if (credited) add(model.credits, token, to, amount)
    return credited
  }
  for (const [sliceIndex, { vault, faceAmount }] of allocations.entries()) {
    if (isCredited(vault, faceAmount)) model.held.add(sliceKey(claimId, sliceIndex))
    else repay(model, claimId, sliceIndex)
  }
  for (const { to, amount } of others) isCredited(to, amount)
  return undefined
}

export function withdrawCredit(
  model: Model,
  account: Address,
  token: Address,
  receiver: Address,
): Refusal | undefined {
  const amount = model.credits.get(token)?.get(account) ?? 0n
  if (amount === 0n) return refuse('NoCredit', account, token)
  add(model.credits, token, account, -amount)
  move(model, token, model.router, receiver, amount)
  return undefined
}

export function releaseRepayment(model: Model, claimId: Hex, sliceIndex: number): Refusal | undefined {
  const key = sliceKey(claimId, sliceIndex)
  if (!model.held.delete(key)) return refuse('RepaymentNotHeld', claimId, BigInt(sliceIndex))
  const claim = model.claims.get(claimId)
  const part = claim?.allocations[sliceIndex]
  if (!part) throw new Error(`the model holds a repayment of ${key}, which is not allocated`)
  add(model.credits, claim.token, part.vault, -part.faceAmount)
  move(model, claim.token, model.router, part.vault, part.faceAmount)
  repay(model, claimId, sliceIndex)
  return undefined
}

function repay(model: Model, claimId: Hex, sliceIndex: number): void {
  const part = model.claims.get(claimId)?.allocations[sliceIndex]
  if (!part) throw new Error(`slice ${sliceIndex} of claim ${claimId} is not allocated`)
  const vault = vaultOf(model, part.vault)
  const key = sliceKey(claimId, sliceIndex)
  vault.idleAssets += part.faceAmount
  vault.outstandingFace -= part.faceAmount
  vault.outstandingAdvance -= part.advanceAmount
  const gain = part.faceAmount - part.advanceAmount + (vault.impairments.get(key) ?? 0n)
  vault.impairments.delete(key)
  lockGain(vault, gain, model.now)
}
