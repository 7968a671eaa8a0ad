import { z } from '@hono/zod-openapi'
import { wholeNumber } from '../../domain/integer.ts'
import { money } from '../../domain/money.ts'
import { time } from '../../domain/time.ts'
import { DUE_DAYS_SHOWN } from '../../projection/tables/due-days.ts'
import { finalizedThrough, okJson, orNull } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { exchangeFields, isOne, ofVault, position, preparedExchange } from './shares.ts'

const withdrawalBody = z
  .strictObject({
    ...exchangeFields,
    all: z.literal(true).optional().openapi({ description: 'All shares of the wallet.' }),
  })
  .refine(
    ({ assets, shares, all }) => isOne(assets, shares, all),
    'must have exactly one of assets, shares and all',
  )
  .openapi('WithdrawalRequest')

const face = {
  faceAmount: money.openapi({ description: 'Face that is owed to the vault, base units.' }),
  allocations: wholeNumber.openapi({ description: 'Number of allocations.' }),
}

const contractualRepayments = z
  .object({
    finalizedThrough,
    overdue: z.object(face).openapi({ description: 'Allocations that are past due and not paid.' }),
    days: z
      .array(z.object({ dueDay: time.openapi({ description: 'Start of the due day (UTC).' }), ...face }))
      .max(DUE_DAYS_SHOWN)
      .openapi({ description: `The next ${DUE_DAYS_SHOWN} days on which allocations are due.` }),
    later: z.object(face).openapi({ description: 'Allocations that are due after these days.' }),
  })
  .openapi('ContractualRepayments', {
    description:
      'Face that issuers owe the vault, by due day. These are terms of contracts and no forecast: issuers can pay early, late or never, the vault can lend what it is paid, and other holders can withdraw it first.',
  })

export const preparedWithdrawal = preparedExchange
  .extend({
    maxShares: orNull(money).openapi({
      description: 'Most shares for `assets`, which the contract enforces; null for a request of shares.',
    }),
    minAssets: orNull(money).openapi({
      description: 'Least assets for `shares`, which the contract enforces; null for a request of assets.',
    }),
    position,
    contractualRepayments: orNull(contractualRepayments).openapi({
      description: 'Null while the projection does not answer.',
    }),
  })
  .openapi('PreparedWithdrawal')

export type ContractualRepayments = z.output<typeof contractualRepayments>

export const prepareWithdrawalRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/vaults/{vault}/withdrawals/prepare',
    tags: ['Prepares'],
    operationId: 'prepareWithdrawal',
    summary: 'Prepare the transaction that withdraws from a vault',
    description:
      'The wallet gives shares for assets, as far as idle assets of the vault reach: `position` states how far. Shares and price are those of the latest block, and the transaction has a bound: it reverts if its block has a price that is worse by more than `slippageBps`. To take all idle assets, request `assets` of `withdrawableAssets`: the number of shares that they cover changes with time.',
    request: {
      params: ofVault,
      body: { required: true, content: { 'application/json': { schema: withdrawalBody } } },
    },
    responses: {
      ...okJson('The transaction, which needs no approval.', preparedWithdrawal),
      ...problems(
        'VALIDATION_FAILED',
        'VAULT_NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'RECEIVER_INVALID',
        'NO_SHARES',
        'AMOUNT_TOO_LARGE',
        'AMOUNT_TOO_SMALL',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
