/**
 * The model of settlements and revocations, and of what the router holds for recipients that a token cannot pay.
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
  if (!isPayable(claim.state)) return refuse('ClaimNotSettleable', claimId, claim.state)
  const refusal = pay(model, { claimId, claim, payer, blocked })
  if (!refusal) claim.state = State.SETTLED
  return refusal
}

export function isPayable(state: number): boolean {
  return state !== State.SETTLED && state !== State.REVOKED
}

export function revoke(model: Model, issuer: Address, claimId: Hex): Refusal | undefined {
  const claim = model.claims.get(claimId)
  if (claim?.issuer !== issuer) return refuse('NotIssuer', claimId, issuer)
  const { state } = claim
  if (state !== State.ELIGIBLE && state !== State.PARTIALLY_FUNDED)
    return refuse('ClaimNotRevocable', claimId, state)
  claim.state = state === State.ELIGIBLE ? State.REVOKED : State.CLOSED
  return undefined
}

type Payment = { claimId: Hex; claim: ModelClaim; payer: Address; blocked: readonly Address[] }

/** Pays every vault the face that it financed, then the beneficiary what nobody financed. */
function pay(model: Model, { claimId, claim, payer, blocked }: Payment): Refusal | undefined {
  const { token, allocations } = claim
  const rest = claim.faceValue - claim.financedFaceValue
  let left = balance(model, token, payer)
  for (const amount of [...allocations.map((part) => part.faceAmount), rest]) {
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
  isCredited(claim.beneficiary, rest)
  return undefined
}

export function withdrawCredit(model: Model, account: Address, token: Address): Refusal | undefined {
  const amount = model.credits.get(token)?.get(account) ?? 0n
  if (amount === 0n) return refuse('NoCredit', account, token)
  add(model.credits, token, account, -amount)
  move(model, token, model.router, account, amount)
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
  const vault = part && vaultOf(model, part.vault)
  const financed = vault?.financed.get(sliceKey(claimId, sliceIndex))
  if (!vault || !financed) throw new Error(`slice ${sliceIndex} of claim ${claimId} is not financed`)
  vault.idleAssets += part.faceAmount
  vault.outstandingFace -= part.faceAmount
  vault.outstandingAdvance -= part.advanceAmount
  financed.isRepaid = true
}
