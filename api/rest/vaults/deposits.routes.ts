import { z } from '@hono/zod-openapi'
import { money } from '../../domain/money.ts'
import { okJson, orNull } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { exchangeFields, isOne, ofVault, preparedExchange } from './shares.ts'

const depositBody = z
  .strictObject(exchangeFields)
  .refine(({ assets, shares }) => isOne(assets, shares), 'must have either assets or shares')
  .openapi('DepositRequest')

export const preparedDeposit = preparedExchange
  .extend({
    minShares: orNull(money).openapi({
      description:
        'Least number of shares for `assets`, which the contract enforces; null for a request of shares.',
    }),
    maxAssets: orNull(money).openapi({
      description: 'Most assets for `shares`, which the contract enforces; null for a request of assets.',
    }),
    exitAssets: money.openapi({
      description:
        'Assets that `shares` would pay if they were redeemed right after the deposit. Less than `assets` by more than rounding while allocations of the vault are overdue; a lower bound if the shares of the vault are worth nothing before.',
    }),
  })
  .openapi('PreparedDeposit')

export const prepareDepositRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/vaults/{vault}/deposits/prepare',
    tags: ['Prepares'],
    operationId: 'prepareDeposit',
    summary: 'Prepare the transaction that deposits in a vault',
    description:
      'The wallet pays `assets`, or as many assets as `shares` cost. The price is that of the latest block, and the transaction has a bound: it reverts if its block has a price that is worse by more than `slippageBps`. Status and limits of the vault are read at `blockNumber`.',
    request: {
      params: ofVault,
      body: { required: true, content: { 'application/json': { schema: depositBody } } },
    },
    responses: {
      ...okJson('The transaction, with the approvals to send before it.', preparedDeposit),
      ...problems(
        'VALIDATION_FAILED',
        'VAULT_NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'VAULT_INACTIVE',
        'RECEIVER_INVALID',
        'AMOUNT_TOO_LARGE',
        'AMOUNT_TOO_SMALL',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
