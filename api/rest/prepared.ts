/** Shared parts of prepared answers: legs and totals, typed data, transactions, issues. */
import { z } from '@hono/zod-openapi'
import { numberToHex } from 'viem'
import { address } from '../domain/address.ts'
import { effectiveDiscountBps } from '../domain/discount.ts'
import { hash } from '../domain/hash.ts'
import { type Issue, issueCatalogue, issueCodes } from '../domain/issues.ts'
import { type BaseUnits, formatMoney, money } from '../domain/money.ts'
import type { Leg } from '../optimizer/index.ts'
import type { PreparedTransaction, Step } from '../prepare/transaction.ts'
import type { RouteLegMessage } from '../typed-data/execution-route.ts'
import { signableTypedData } from '../typed-data/signable.ts'

/** Headers of everything that is prepared for one wallet. */
export const NOT_STORED = { 'Cache-Control': 'no-store' }

export const totals = z.object({
  totalCost: money,
  totalFace: money,
  totalAdvance: money,
  effectiveDiscountBps: z.int().openapi({ description: 'Cost over face, basis points, rounded up.' }),
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

export const leg = z.object({ claimId: hash, vault: address, faceAmount: money }).openapi('RouteLeg')

export const boundLeg = leg.extend({ minimumAdvanceAmount: money })

export function presentLeg({ claimId, vault, faceAmount }: Leg): z.output<typeof leg> {
  return { claimId, vault, faceAmount: formatMoney(faceAmount) }
}

export function presentBoundLeg(bound: RouteLegMessage): z.output<typeof boundLeg> {
  return { ...presentLeg(bound), minimumAdvanceAmount: formatMoney(bound.minimumAdvanceAmount) }
}

export const typedData = signableTypedData.openapi('TypedData', {
  description: 'Argument of `eth_signTypedData_v4`. For ethers, remove `EIP712Domain` from `types`.',
})

const issueMeanings = Object.entries(issueCatalogue).map(([code, meaning]) => `\`${code}\`: ${meaning}`)

export const issue = z
  .object({
    code: z.enum(issueCodes).openapi({ description: issueMeanings.join('\n\n') }),
    message: z.string(),
    have: money.optional(),
    need: money.optional(),
    errorName: z.string().optional(),
    arguments: z.array(z.string()).optional(),
  })
  .openapi('Issue', {
    description: 'A reason for which the transaction would fail now, which the wallet or time can remove.',
  })

export const issues = z.array(issue).openapi({
  description: 'Issues at the latest block, which is not final. Empty: the simulation passed.',
})

const data = z
  .string()
  .regex(/^0x([0-9a-f]{2})*$/)
  .openapi({ description: 'Calldata.' })
const quantity = z
  .string()
  .regex(/^0x(0|[1-9a-f][0-9a-f]*)$/)
  .openapi({ description: 'Value in hex, without leading zeros.' })

const step = z
  .object({
    transaction: z.object({ chainId: z.int(), from: address, to: address, data, value: money }),
    rpc: z
      .object({
        method: z.literal('eth_sendTransaction'),
        params: z
          .array(z.object({ from: address, to: address, data, value: quantity, chainId: quantity }))
          .length(1),
      })
      .openapi({ description: 'The transaction as an argument of a wallet: `ethereum.request(rpc)`.' }),
    description: z.string().openapi({ description: 'The effect of the transaction in words.' }),
  })
  .openapi('UnsignedTransaction')

/** Fields of every prepared transaction; endpoints add their own. */
export const preparedTransaction = step
  .extend({
    blockNumber: z.int().openapi({ description: 'Number of the finalized block of all checks.' }),
    approvals: z.array(step).openapi({
      description: 'Transactions to send first, in order. Send each after the one before it is mined.',
    }),
    issues,
  })
  .openapi('PreparedTransaction')

export function presentPreparedTransaction(
  prepared: PreparedTransaction,
): z.output<typeof preparedTransaction> {
  return {
    ...presentStep(prepared),
    blockNumber: Number(prepared.block.number),
    approvals: prepared.approvals.map(presentStep),
    issues: prepared.issues.map(presentIssue),
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
