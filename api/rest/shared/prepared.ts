/** Shared parts of prepared answers: legs and totals, typed data, transactions, issues. */
import { z } from '@hono/zod-openapi'
import { numberToHex } from 'viem'
import { SIGNATURE_LENGTH_MAX } from '../../auth/sign-in-limits.ts'
import { address } from '../../domain/address.ts'
import { effectiveDiscountBps } from '../../domain/discount.ts'
import { hash } from '../../domain/hash.ts'
import { basisPoints, chainIdNumber, wholeNumber } from '../../domain/integer.ts'
import { type Issue, issueCatalogue, issueCodes } from '../../domain/issues.ts'
import { type BaseUnits, formatMoney, money } from '../../domain/money.ts'
import type { ShownEvents } from '../../head/unfinalized.ts'
import type { Leg } from '../../optimizer/index.ts'
import type { PreparedTransaction, Step } from '../../prepare/transaction.ts'
import type { RouteLegMessage } from '../../typed-data/execution-route.ts'
import { signableTypedData } from '../../typed-data/signable.ts'
import { errorArguments, errorName, sentence } from './texts.ts'
import { pendingChanges, presentPending } from './unfinalized.ts'
import { type NameOf, vaultName } from './vault-names.ts'

export const totals = z.object({
  totalCost: money,
  totalFace: money,
  totalAdvance: money,
  effectiveDiscountBps: basisPoints.openapi({ description: 'Cost over face, basis points, rounded up.' }),
})

export function presentTotals({
  totalFace,
  totalAdvance,
}: {
  totalFace: BaseUnits
  totalAdvance: BaseUnits
}): z.output<typeof totals> {
  const totalCost = totalFace - totalAdvance
  return {
    totalCost: formatMoney(totalCost),
    totalFace: formatMoney(totalFace),
    totalAdvance: formatMoney(totalAdvance),
    effectiveDiscountBps: Number(effectiveDiscountBps(totalCost, totalFace)),
  }
}

export const leg = z
  .object({
    claimId: hash,
    vault: address,
    vaultName,
    faceAmount: money,
    advanceAmount: money.openapi({
      description: 'Advance for the face, base units; the sum over the legs is the total.',
    }),
    discountAmount: money.openapi({
      description: '`faceAmount` less `advanceAmount`, base units: the cost.',
    }),
    effectiveDiscountBps: basisPoints.openapi({
      description: '`discountAmount` over `faceAmount`, basis points, rounded up.',
    }),
  })
  .openapi('RouteLeg')

export const boundLeg = leg.extend({ minimumAdvanceAmount: money })

export function presentLeg(
  { claimId, vault, faceAmount }: Leg,
  advanceAmount: BaseUnits,
  nameOf: NameOf,
): z.output<typeof leg> {
  const discountAmount = faceAmount - advanceAmount
  return {
    claimId,
    vault,
    vaultName: nameOf(vault),
    faceAmount: formatMoney(faceAmount),
    advanceAmount: formatMoney(advanceAmount),
    discountAmount: formatMoney(discountAmount),
    effectiveDiscountBps: Number(effectiveDiscountBps(discountAmount, faceAmount)),
  }
}

export function presentBoundLeg(
  bound: RouteLegMessage,
  advanceAmount: BaseUnits,
  nameOf: NameOf,
): z.output<typeof boundLeg> {
  return {
    ...presentLeg(bound, advanceAmount, nameOf),
    minimumAdvanceAmount: formatMoney(bound.minimumAdvanceAmount),
  }
}

export const typedData = signableTypedData.openapi('TypedData', {
  description: 'Argument of `eth_signTypedData_v4`. With ethers, remove `EIP712Domain` from `types`.',
})

const issueMeanings = Object.entries(issueCatalogue).map(([code, meaning]) => `\`${code}\`: ${meaning}`)

export const issue = z
  .object({
    code: z.enum(issueCodes).openapi({ description: issueMeanings.join('\n\n') }),
    message: sentence,
    have: money.optional(),
    need: money.optional(),
    errorName: errorName.optional(),
    arguments: errorArguments.optional(),
  })
  .openapi('Issue', {
    description:
      'A reason why the transaction would fail at the latest block. An action of the wallet, or time, can remove it.',
  })

/** Each code at most once. */
export const issues = z.array(issue).max(issueCodes.length).openapi({
  description: 'Issues at the latest block, which is not final. The list is empty if none is known.',
})

/**
 * The longest registers a claim: the selector, ten words, and a signature of the most digits, padded to whole words.
 */
const CALLDATA_LENGTH = '0x'.length + 2 * (4 + 10 * 32) + SIGNATURE_LENGTH_MAX

const data = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .max(CALLDATA_LENGTH)
  .openapi({ description: 'Calldata.' })
const quantity = z
  .string()
  .regex(/^0x(0|[1-9a-f][0-9a-f]*)$/)
  .max('0x'.length + 64)
  .openapi({ description: 'Value in hex, without leading zeros.' })

const step = z
  .object({
    transaction: z.object({ chainId: chainIdNumber, from: address, to: address, data, value: money }),
    rpc: z
      .object({
        method: z.literal('eth_sendTransaction'),
        params: z
          .array(z.object({ from: address, to: address, data, value: quantity, chainId: quantity }))
          .min(1)
          .max(1),
      })
      .openapi({
        description:
          'The transaction as an argument of a wallet: `ethereum.request(rpc)`. It has no gas limit. Add half of the estimate of its gas to this estimate, and use at most 2^24 (EIP-7825): the first transaction after midnight (UTC) needs more gas.',
      }),
    description: sentence.openapi({ description: 'The effect of the transaction in words.' }),
  })
  .openapi('UnsignedTransaction')

/** The approval, after one that resets the allowance where the token asks for it. */
const APPROVALS = 2

/** Fields of every prepared transaction; endpoints add their own. */
export const preparedTransaction = step
  .extend({
    blockNumber: wholeNumber.openapi({ description: 'Number of the finalized block of all checks.' }),
    approvals: z.array(step).max(APPROVALS).openapi({
      description: 'Transactions to send first, in this order. Send each one when the previous one is mined.',
    }),
    issues,
    pendingChanges,
  })
  .openapi('PreparedTransaction')

/**
 * @param pending changes after its block of what it was made from
 * @param obstacles issues of these changes
 */
export function presentPreparedTransaction(
  prepared: PreparedTransaction,
  pending: ShownEvents | undefined,
  obstacles: readonly Issue[] = [],
): z.output<typeof preparedTransaction> {
  return {
    ...presentStep(prepared),
    blockNumber: Number(prepared.block.number),
    approvals: prepared.approvals.map(presentStep),
    issues: [...prepared.issues, ...obstacles].map(presentIssue),
    pendingChanges: presentPending(pending),
  }
}

function presentStep({ transaction, description }: Step): z.output<typeof step> {
  const { chainId, from, to, data, value } = transaction
  const request = { from, to, data, value: numberToHex(value), chainId: numberToHex(chainId) }
  return {
    transaction: { chainId, from, to, data, value: formatMoney(value) },
    rpc: { method: 'eth_sendTransaction', params: [request] },
    description,
  }
}

export function presentIssue({ have, need, arguments: args, ...rest }: Issue): z.output<typeof issue> {
  return {
    ...rest,
    ...(have !== undefined && { have: formatMoney(have) }),
    ...(need !== undefined && { need: formatMoney(need) }),
    ...(args && { arguments: [...args] }),
  }
}
