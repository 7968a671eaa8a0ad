import { z } from '@hono/zod-openapi'
import { address } from '../../domain/address.ts'
import { hash, hashInput } from '../../domain/hash.ts'
import { money, positiveMoneyInput } from '../../domain/money.ts'
import { time } from '../../domain/time.ts'
import { okJson } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { preparedTransaction } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { repayments } from '../shared/repayments.ts'
import { foundToken } from '../shared/vault-names.ts'

const settlementBody = z
  .strictObject({
    amount: positiveMoneyInput.optional().openapi({
      description: 'The most that the wallet pays, base units. Default: all that is unpaid.',
    }),
  })
  .openapi('SettlementRequest')

export const preparedSettlement = preparedTransaction
  .extend({
    claimId: hash,
    token: address,
    tokenInfo: foundToken,
    faceValue: money.openapi({ description: 'Face value of the claim, base units.' }),
    faceAmount: money.openapi({
      description: 'Face that is paid, and amount taken from the wallet, base units.',
    }),
    settles: z.boolean().openapi({
      description: 'Whether the payment settles the claim; otherwise a part of its face remains unpaid.',
    }),
    dueDate: time,
    repayments,
    beneficiary: address,
    beneficiaryAmount: money.openapi({
      description:
        'Part of the payment for the beneficiary: that of the face that is not financed, base units.',
    }),
  })
  .openapi('PreparedSettlement')

export const prepareSettlementRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/settlements/{claimId}/prepare',
    tags: ['Prepares'],
    operationId: 'prepareSettlement',
    summary: 'Prepare the payment of a matured claim',
    description:
      'The wallet pays the unpaid face, or at most `amount` of it. Vaults and beneficiary share the payment in proportion to their faces. Anyone may pay once the claim is due, even while the router is paused. Balance and allowance of the wallet are read at the latest block, all other facts at `blockNumber`.',
    request: {
      params: z.object({ claimId: hashInput }),
      body: { required: false, content: { 'application/json': { schema: settlementBody } } },
    },
    responses: {
      ...okJson('The transaction, with the approvals to send before it.', preparedSettlement),
      ...problems(
        'VALIDATION_FAILED',
        'CLAIM_NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'CLAIM_NOT_MATURED',
        'CLAIM_NOT_SETTLEABLE',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
