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
import { ceilDiv, repaidAdvanceOf } from './model-value.ts'

export type ModelSettlement = { claimId: Hex; token: Address; maxAmount: bigint }
export type ModelPayment = { claimId: Hex; token: Address; faceAmount: bigint }

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
  const faceAmount = claim.faceValue - claim.paidFaceValue
  if (faceAmount > maxAmount) return refuse('AmountExceedsMaximum', faceAmount, maxAmount)
  return transfer(model, { claimId, claim, payer, blocked, faceAmount })
}

/** @param blocked accounts that the claim's token does not pay */
export function pay(
  model: Model,
  payer: Address,
  { claimId, token, faceAmount }: ModelPayment,
  blocked: readonly Address[],
): Refusal | undefined {
  const claim = model.claims.get(claimId)
  if (!claim) return refuse('UnknownClaim', claimId)
  if (claim.token !== token) return refuse('UnexpectedToken', token, claim.token)
  if (model.now < claim.dueDate) return refuse('ClaimNotDue', claimId, claim.dueDate, model.now)
  const unpaid = claim.faceValue - claim.paidFaceValue
  return transfer(model, {
    claimId,
    claim,
    payer,
    blocked,
    faceAmount: faceAmount < unpaid ? faceAmount : unpaid,
  })
}

export function isPayable(state: number): boolean {
  return state !== State.SETTLED && state !== State.REVOKED
}

export function revoke(model: Model, issuer: Address, claimId: Hex): Refusal | undefined {
  const claim = model.claims.get(claimId)
  if (claim?.issuer !== issuer) return refuse('NotIssuer', claimId, issuer)
  const { state } = claim
  const isOpen = state === State.ELIGIBLE || state === State.PARTIALLY_FUNDED
  if (!isOpen || claim.paidFaceValue > 0n) return refuse('ClaimNotRevocable', claimId, state)
  claim.state = state === State.ELIGIBLE ? State.REVOKED : State.CLOSED
  return undefined
}

type Payment = {
  claimId: Hex
  claim: ModelClaim
  payer: Address
  blocked: readonly Address[]
  faceAmount: bigint
}

/** Pays each vault its share, then the beneficiary the rest. */
function transfer(
  model: Model,
  { claimId, claim, payer, blocked, faceAmount }: Payment,
): Refusal | undefined {
  if (!isPayable(claim.state)) return refuse('ClaimNotSettleable', claimId, claim.state)
  const unpaid = claim.faceValue - claim.paidFaceValue
  if (faceAmount === 0n || faceAmount > unpaid)
    return refuse('FaceExceedsUnpaid', claimId, faceAmount, unpaid)
  const { token, allocations } = claim
  const before = sharesOf(claim, claim.paidFaceValue)
  const amounts = sharesOf(claim, claim.paidFaceValue + faceAmount).map(
    (share, i) => share - (before[i] ?? 0n),
  )
  let left = balance(model, token, payer)
  for (const amount of amounts) {
    if (amount > left) return refuse('ERC20InsufficientBalance', payer, left, amount)
    left -= amount
  }
  const isCredited = (to: Address, amount: bigint) => {
    const credited = blocked.includes(to)
    move(model, token, payer, credited ? model.router : to, amount)
    if (credited) add(model.credits, token, to, amount)
    return credited
  }
  for (const [sliceIndex, { vault }] of allocations.entries()) {
    const amount = amounts[sliceIndex] ?? 0n
    const key = sliceKey(claimId, sliceIndex)
    if (amount === 0n) continue
    if (isCredited(vault, amount)) model.held.set(key, (model.held.get(key) ?? 0n) + amount)
    else repay(model, claimId, sliceIndex, amount)
  }
  isCredited(claim.beneficiary, amounts.at(-1) ?? 0n)
  claim.paidFaceValue += faceAmount
  if (faceAmount === unpaid) claim.state = State.SETTLED
  return undefined
}

/** The share of each slice, and last of the beneficiary: the share of all who follow is rounded up. */
export function sharesOf({ allocations, faceValue }: ModelClaim, paid: bigint): bigint[] {
  const faces = allocations.map(({ faceAmount }) => faceAmount)
  const rest = faces.reduce((face, part) => face - part, faceValue)
  const shares: bigint[] = []
  let [left, face] = [paid, faceValue]
  for (const part of faces) {
    const ofOthers = face === part ? 0n : ceilDiv(left * (face - part), face)
    shares.push(left - ofOthers)
    left = ofOthers
    face -= part
  }
  if (rest !== face) throw new Error('the faces of the slices and the rest are not the face of the claim')
  return [...shares, left]
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
  const held = model.held.get(key)
  if (!held) return refuse('RepaymentNotHeld', claimId, BigInt(sliceIndex))
  model.held.delete(key)
  const claim = model.claims.get(claimId)
  const part = claim?.allocations[sliceIndex]
  if (!part) throw new Error(`the model holds a repayment of ${key}, which is not allocated`)
  add(model.credits, claim.token, part.vault, -held)
  move(model, claim.token, model.router, part.vault, held)
  repay(model, claimId, sliceIndex, held)
  return undefined
}

function repay(model: Model, claimId: Hex, sliceIndex: number, amount: bigint): void {
  const part = model.claims.get(claimId)?.allocations[sliceIndex]
  const vault = part && vaultOf(model, part.vault)
  const financed = vault?.financed.get(sliceKey(claimId, sliceIndex))
  if (!vault || !financed) throw new Error(`slice ${sliceIndex} of claim ${claimId} is not financed`)
  const before = repaidAdvanceOf(financed)
  financed.repaidFace += amount
  vault.idleAssets += amount
  vault.outstandingFace -= amount
  vault.outstandingAdvance -= repaidAdvanceOf(financed) - before
}
