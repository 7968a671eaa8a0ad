/** `POST /executions/prepare`: one claim, one vault. */
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbiParameters,
} from 'viem'
import { financingRouterAbi } from '../generated/contracts.ts'
import { at, type Expected, hexAt, integerAt, mismatch, Rule } from './compare.ts'
import { type Deployment, toAddress } from './deployment.ts'
import { legsOf, optional, refuseLater, secondsAt, timeOf, tokenOf, transactionOf } from './parts.ts'
import type { Prepared } from './prepared.ts'

/** Default of `deadlineSeconds`. */
const DEADLINE_SECONDS = 300
const SLICES_MAX = 8

/** Without `minimumAdvanceAmount`, the transaction binds the quote that the answer states. */
export async function financing(prepared: Prepared): Promise<Expected> {
  const { answer, request, deployment } = prepared
  const claimId = hexAt(request, 'body.claimId')
  const vault = hexAt(request, 'body.vault')
  const faceAmount = integerAt(request, 'body.faceAmount')
  const advanceAmount = integerAt(answer, 'legs.0.advanceAmount')
  const minimumAdvanceAmount = optional(request, 'body.minimumAdvanceAmount') ?? advanceAmount
  if (advanceAmount < minimumAdvanceAmount || advanceAmount > faceAmount)
    throw mismatch(
      'legs.0.advanceAmount',
      `${advanceAmount}`,
      `between ${minimumAdvanceAmount} and ${faceAmount}`,
    )
  const deadline = secondsAt(answer, 'deadline')
  refuseLater(prepared, 'deadline', deadline, Number(at(request, 'body.deadlineSeconds') ?? DEADLINE_SECONDS))
  const router = toAddress(deployment.contracts.financingRouter)
  const args = [claimId, vault, faceAmount, minimumAdvanceAmount, deadline] as const
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'executeFinancing', args })
  const words = `executeFinancing(${args.join(', ')})\` of the request, \`deadline\` and \`legs.0.advanceAmount`
  const { token } = await prepared.readClaim(claimId)
  return {
    ...transactionOf(prepared, { to: router, data, words }),
    executionId: executionIdOf(deployment, router, claimId),
    deadline: timeOf(deadline),
    tokenInfo: tokenOf(prepared, token),
    ...legsOf([{ claimId, vault, faceAmount, minimumAdvanceAmount, advanceAmount }]),
  }
}

const ID_FIELDS = parseAbiParameters('string, uint256, address, bytes32, uint8')

/** The id depends on the next slice of the claim, which nobody knows before the transaction is mined. */
function executionIdOf({ chainId }: Deployment, router: Address, claimId: Hex): Rule {
  const ids = Array.from({ length: SLICES_MAX }, (_, slice) =>
    keccak256(encodeAbiParameters(ID_FIELDS, ['DIRECT', BigInt(chainId), router, claimId, slice])),
  )
  return new Rule('the id of a slice of the claim', (received) => ids.some((id) => id === received))
}
