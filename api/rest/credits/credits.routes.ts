import { z } from '@hono/zod-openapi'
import { address, addressInput } from '../../domain/address.ts'
import { money } from '../../domain/money.ts'
import { okJson } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { preparedTransaction } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { foundToken } from '../shared/vault-names.ts'

const body = z
  .strictObject({
    token: addressInput.openapi({ description: 'Token of the credit.' }),
  })
  .openapi('CreditWithdrawalRequest')

export const preparedCreditWithdrawal = preparedTransaction
  .extend({
    account: address,
    token: address,
    tokenInfo: foundToken,
    amount: money.openapi({ description: 'The whole credit at `blockNumber`, base units.' }),
  })
  .openapi('PreparedCreditWithdrawal')

export const prepareCreditWithdrawalRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/credits/withdrawal/prepare',
    tags: ['Prepares'],
    operationId: 'prepareCreditWithdrawal',
    summary: 'Prepare the transaction that withdraws a credit',
    description:
      'A settlement credits a recipient whom the token does not pay. The account withdraws its whole credit in a token to itself, even while the router is paused.',
    request: {
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: {
      ...okJson('The transaction.', preparedCreditWithdrawal),
      ...problems(
        'VALIDATION_FAILED',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'NO_CREDIT',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
