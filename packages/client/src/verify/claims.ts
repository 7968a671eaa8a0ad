/** Transactions about a registered claim: settlement and revocation. */
import { encodeFunctionData } from 'viem'
import { claimRegistryAbi, financingRouterAbi } from '../generated/contracts.ts'
import { type Expected, hexAt, integerAt, listAt } from './compare.ts'
import { toAddress } from './deployment.ts'
import { equal, paymentOf, sum, timeOf, tokenOf, transactionOf } from './parts.ts'
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

/** `POST /claims/{claimId}/revocation/prepare`. */
export function revocation(prepared: Prepared): Expected {
  const claimId = hexAt(prepared.request, 'params.path.claimId')
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'revoke', args: [claimId] })
  const to = toAddress(prepared.deployment.contracts.claimRegistry)
  return { ...transactionOf(prepared, { to, data, words: `revoke(${claimId})` }), claimId }
}

function repaidIn({ answer }: Prepared): bigint {
  return sum(
    listAt(answer, 'repayments').map((_, index) => integerAt(answer, `repayments.${index}.faceAmount`)),
  )
}
