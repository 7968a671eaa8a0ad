import { z } from '@hono/zod-openapi'
import { addressInput } from '../../domain/address.ts'
import { hash, hashInput } from '../../domain/hash.ts'
import { ROUTE_DEADLINE_SECONDS } from '../../domain/limits.ts'
import { moneyInput, positiveMoneyInput } from '../../domain/money.ts'
import { time } from '../../domain/time.ts'
import { revalidationCodes } from '../../errors.ts'
import { okJson } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { boundLeg, preparedTransaction, totals } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { foundToken } from '../shared/vault-names.ts'

const financingBody = z
  .strictObject({
    claimId: hashInput.openapi({ description: 'Id of a claim of the signed-in wallet.' }),
    vault: addressInput.openapi({ description: 'Vault that finances the claim.' }),
    faceAmount: positiveMoneyInput.openapi({ description: 'Face to finance, base units.' }),
    minimumAdvanceAmount: moneyInput.optional().openapi({
      description: 'Minimum advance, base units, enforced by the router. Default: the quote.',
    }),
    deadlineSeconds: z
      .int()
      .min(ROUTE_DEADLINE_SECONDS.min)
      .max(ROUTE_DEADLINE_SECONDS.max)
      .default(ROUTE_DEADLINE_SECONDS.default)
      .openapi({ description: 'Deadline in seconds from now: the transaction must be mined by then.' }),
  })
  .openapi('FinancingRequest')

export const preparedFinancing = preparedTransaction
  .extend({
    executionId: hash.openapi({
      description:
        'Id for `GET /executions/{executionId}`. It depends on the number of slices of the claim, so it changes if another financing of the claim is mined first.',
    }),
    deadline: time.openapi({
      description: 'Deadline, inclusive: the last second in which the router accepts the transaction.',
    }),
    tokenInfo: foundToken,
    legs: z.array(boundLeg).min(1).max(1),
    totals: totals.openapi({ description: 'Totals of the quote at `blockNumber`.' }),
  })
  .openapi('PreparedFinancing')

export const prepareExecutionRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/executions/prepare',
    tags: ['Prepares'],
    operationId: 'prepareExecution',
    summary: 'Prepare the transaction that finances one claim with one vault',
    description:
      'The financing is of one claim by one vault; `POST /routes/optimize` selects vaults. All checks of the router are made at a finalized block, for every second up to the deadline.',
    request: {
      body: { required: true, content: { 'application/json': { schema: financingBody } } },
    },
    responses: {
      ...okJson('The transaction, which needs no approval.', preparedFinancing),
      ...problems(
        'VALIDATION_FAILED',
        'CLAIM_NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        ...revalidationCodes.filter((code) => code !== 'ROUTE_DEADLINE_TOO_SOON'),
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
