import { z } from '@hono/zod-openapi'
import { money } from '../../domain/money.ts'
import { okJson } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { preparedTransaction } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'

export const preparedRouteCancellation = preparedTransaction
  .extend({
    nonce: money.openapi({
      description:
        'Nonce of the router at the latest block, which the transaction uses up: every route that is signed with it is cancelled. If a route is mined first, the transaction uses up the next nonce.',
    }),
  })
  .openapi('PreparedRouteCancellation')

export const prepareRouteCancellationRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/routes/cancellation/prepare',
    tags: ['Routes'],
    operationId: 'prepareRouteCancellation',
    summary: 'Prepare the transaction that cancels the signed routes of the wallet',
    description:
      'A cancellation is possible at any time, even while the router is paused. Once it is mined, the prepared executions with its nonce are `CANCELLED`. Direct financings use no nonce and are not affected.',
    request: {
      body: { required: false, content: { 'application/json': { schema: z.strictObject({}) } } },
    },
    responses: {
      ...okJson('The transaction, which needs no approval.', preparedRouteCancellation),
      ...problems(
        'VALIDATION_FAILED',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
