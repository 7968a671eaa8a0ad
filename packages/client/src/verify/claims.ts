/** Transactions about a registered claim: settlement and revocation. */
import { encodeFunctionData, toFunctionSelector } from 'viem'
import { claimRegistryAbi, financingRouterAbi } from '../generated/contracts.ts'
import { type Expected, hexAt, integerAt, listAt, Rule } from './compare.ts'
import { toAddress } from './deployment.ts'
import { equal, optional, paymentOf, sum, timeOf, tokenOf, transactionOf } from './parts.ts'
import type { Prepared } from './prepared.ts'

const SETTLE = toFunctionSelector('settle(bytes32,address,uint256)')

/**
 * `POST /settlements/{claimId}/prepare`: the payment of a claim from the wallet. The amount is at most that of the
 * request, and the face value. `settle` and `pay` pay no more than the unpaid face.
 */
export async function settlement(prepared: Prepared): Promise<Expected> {
  const claimId = hexAt(prepared.request, 'params.path.claimId')
  const { token, faceValue, dueDate, beneficiary } = await prepared.readClaim(claimId)
  const asked = optional(prepared.request, 'body.amount') ?? faceValue
  const isWhole = asked >= faceValue
  const most = isWhole ? faceValue : asked
  const settles = hexAt(prepared.answer, 'transaction.data').startsWith(SETTLE)
  const amount = settles ? integerAt(prepared.answer, 'faceAmount') : most
  const args = [claimId, token, amount] as const
  const functionName = settles ? 'settle' : 'pay'
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName, args })
  const to = toAddress(prepared.deployment.contracts.financingRouter)
  return {
    faceAmount: settles ? atMost(most) : `${most}`,
    ...paymentOf(prepared, { to, token, amount, data, words: `${functionName}(${args.join(', ')})` }),
    settles: new Rule(
      `${settles}, as \`transaction\` calls \`${functionName}\``,
      (received) => received === settles,
    ),
    claimId,
    token,
    tokenInfo: tokenOf(prepared, token),
    faceValue: `${faceValue}`,
    dueDate: timeOf(dueDate),
    beneficiary,
    beneficiaryAmount: equal(amount - repaidIn(prepared), '`faceAmount` less the sum of `repayments`'),
  }
}

/** `POST /claims/{claimId}/revocation/prepare`. */
export function revocation(prepared: Prepared): Expected {
  const claimId = hexAt(prepared.request, 'params.path.claimId')
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'revoke', args: [claimId] })
  const to = toAddress(prepared.deployment.contracts.claimRegistry)
  return { ...transactionOf(prepared, { to, data, words: `revoke(${claimId})` }), claimId }
}

function atMost(most: bigint): Rule {
  return new Rule(`at most "${most}"`, (received) => typeof received === 'string' && BigInt(received) <= most)
}

function repaidIn({ answer }: Prepared): bigint {
  return sum(
    listAt(answer, 'repayments').map((_, index) => integerAt(answer, `repayments.${index}.faceAmount`)),
  )
}
