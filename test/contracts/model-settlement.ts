/** The model of repayments: settlements, and what the router holds for recipients that a token cannot pay. */
import type { Address, Hex } from 'viem'
import { add, balance, type Model, move, type Refusal, refuse, State, sliceKey, vaultOf } from './model.ts'
import { lockGain } from './model-profit.ts'

/** @param blocked accounts that the claim's token does not pay */
export function settle(
  model: Model,
  payer: Address,
  claimId: Hex,
  blocked: readonly Address[],
): Refusal | undefined {
  const claim = model.claims.get(claimId)
  if (!claim) return refuse('UnknownClaim', claimId)
  if (model.now < claim.dueDate) return refuse('ClaimNotMatured', claimId, claim.dueDate, model.now)
  if (claim.state >= State.SETTLED) return refuse('ClaimNotSettleable', claimId, claim.state)
  const { token, beneficiary, allocations } = claim
  const rest = claim.faceValue - claim.financedFaceValue
  let left = balance(model, token, payer)
  for (const amount of [...allocations.map((part) => part.faceAmount), rest]) {
    if (amount > left) return refuse('ERC20InsufficientBalance', payer, left, amount)
    left -= amount
  }
  const pay = (to: Address, amount: bigint) => {
    const credited = blocked.includes(to)
    move(model, token, payer, credited ? model.router : to, amount)
    if (credited) add(model.credits, token, to, amount)
    return credited
  }
  for (const [sliceIndex, { vault, faceAmount }] of allocations.entries()) {
    if (pay(vault, faceAmount)) model.held.add(sliceKey(claimId, sliceIndex))
    else repay(model, claimId, sliceIndex)
  }
  pay(beneficiary, rest)
  claim.state = State.SETTLED
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
