/** Transactions about a registered claim: settlement, revocation, impairment. */
import { encodeFunctionData } from 'viem'
import { financingRouterAbi, financingVaultAbi } from '../generated/contracts.ts'
import { type Expected, hexAt, integerAt, listAt, mismatch } from './compare.ts'
import { atMost, equal, optional, paymentOf, sum, timeOf, tokenOf, transactionOf } from './parts.ts'
import type { Prepared } from './prepared.ts'

/** `POST /settlements/{claimId}/prepare`: the face value of the claim, from the wallet. */
export async function settlement(prepared: Prepared): Promise<Expected> {
  const claimId = hexAt(prepared.request, 'params.path.claimId')
  const { token, faceValue, dueDate, beneficiary } = await prepared.readClaim(claimId)
  const args = [claimId, token, faceValue] as const
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'settle', args })
  return {
    ...paymentOf(prepared, { token, amount: faceValue, data, words: `settle(${args.join(', ')})` }),
    claimId,
    token,
    tokenInfo: tokenOf(prepared, token),
    faceValue: `${faceValue}`,
    dueDate: timeOf(dueDate),
    beneficiary,
    beneficiaryAmount: equal(faceValue - repaidIn(prepared), '`faceValue` less the sum of `repayments`'),
  }
}

/** `POST /claims/{claimId}/revocation/prepare`: at most the face value of the claim, from the wallet. */
export async function revocation(prepared: Prepared): Promise<Expected> {
  const claimId = hexAt(prepared.request, 'params.path.claimId')
  const { token, faceValue } = await prepared.readClaim(claimId)
  const repaid = repaidIn(prepared)
  // The most that the wallet pays is of the request, although the gateway raises it to what is financed.
  const limit = optional(prepared.request, 'body.maxAmount') ?? faceValue
  if (repaid > limit) throw mismatch('repayments', `${repaid}`, `at most ${limit} together`)
  const maxAmount = optional(prepared.request, 'body.maxAmount') ?? repaid
  const args = [claimId, token, maxAmount] as const
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'revoke', args })
  return {
    maxAmount: equal(maxAmount, '`maxAmount` of the request, or the sum of `repayments`'),
    ...paymentOf(prepared, { token, amount: maxAmount, data, words: `revoke(${args.join(', ')})` }),
    claimId,
    token,
    tokenInfo: tokenOf(prepared, token),
  }
}

function repaidIn({ answer }: Prepared): bigint {
  return sum(
    listAt(answer, 'repayments').map((_, index) => integerAt(answer, `repayments.${index}.faceAmount`)),
  )
}

/** `POST /claims/{claimId}/impairment/prepare`: the vault that financed the slice writes it down. */
export async function impairment(prepared: Prepared): Promise<Expected> {
  const { request } = prepared
  const claimId = hexAt(request, 'params.path.claimId')
  const sliceIndex = Number(integerAt(request, 'body.sliceIndex'))
  const carryingValue = optional(request, 'body.carryingValue') ?? 0n
  const { token, slices } = await prepared.readClaim(claimId)
  const slice = slices[sliceIndex]
  if (!slice) throw mismatch('sliceIndex', sliceIndex, `a slice of the claim, which has ${slices.length}`)
  const { vault, faceAmount, advanceAmount } = slice
  const args = [claimId, sliceIndex, carryingValue] as const
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'impair', args })
  return {
    ...transactionOf(prepared, { to: vault, data, words: `impair(${args.join(', ')})` }),
    claimId,
    sliceIndex,
    vault,
    faceAmount: `${faceAmount}`,
    advanceAmount: `${advanceAmount}`,
    // An earlier impairment of the slice makes it less.
    loss: atMost(advanceAmount - carryingValue),
    carryingValue: `${carryingValue}`,
    tokenInfo: tokenOf(prepared, token),
  }
}
