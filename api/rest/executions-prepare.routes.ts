import { z } from '@hono/zod-openapi'
import { addressInput } from '../domain/address.ts'
import { hash, hashInput } from '../domain/hash.ts'
import { ROUTE_DEADLINE_SECONDS } from '../domain/limits.ts'
import { moneyInput, positiveMoneyInput } from '../domain/money.ts'
import { time } from '../domain/time.ts'
import { defineRoute } from './define-route.ts'
import { boundLeg, preparedTransaction, totals } from './prepare-wire.ts'
import { noQuery, okJson, problems, tokenProblems } from './wire.ts'

const financingBody = z
  .strictObject({
    claimId: hashInput.openapi({ description: 'A claim of yours.' }),
    vault: addressInput.openapi({ description: 'The vault that is to finance it.' }),
    faceAmount: positiveMoneyInput.openapi({ description: 'How much of its face.' }),
    minimumAdvanceAmount: moneyInput.optional().openapi({
      description: 'The least to be paid for it; the router enforces it. The fresh quote unless given.',
    }),
    deadlineSeconds: z
      .int()
      .min(ROUTE_DEADLINE_SECONDS.min)
      .max(ROUTE_DEADLINE_SECONDS.max)
      .default(ROUTE_DEADLINE_SECONDS.default)
      .openapi({ description: 'Seconds from now by which the transaction must be mined.' }),
  })
  .openapi('FinancingRequest')

export const preparedFinancing = preparedTransaction
  .extend({
    executionId: hash.openapi({
      description:
        'GET /executions/{executionId} follows it. It counts the slices of the claim, so it changes if another financing of the claim is mined first.',
    }),
    deadline: time.openapi({ description: 'The last second in which the router accepts the transaction.' }),
    legs: z.array(boundLeg).length(1),
    totals: totals.openapi({ description: 'At the quote of `blockNumber`.' }),
  })
  .openapi('PreparedFinancing')

export const prepareExecutionRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/executions/prepare',
    tags: ['Prepares'],
    operationId: 'prepareExecution',
    summary: 'The transaction that finances one claim with one vault',
    description:
      'For a claim and a vault of your choice; `POST /routes/optimize` chooses for you. Everything that the router will check is checked at a finalized block and for as long as the deadline allows.',
    request: {
      query: noQuery,
      body: { required: true, content: { 'application/json': { schema: financingBody } } },
    },
    responses: {
      ...okJson('The transaction; it needs no approval.', preparedFinancing),
      ...problems(
        'VALIDATION_FAILED',
        'CLAIM_NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'ROUTER_PAUSED',
        'LEG_NOT_FINANCEABLE',
        'ISSUER_INACTIVE',
        'VAULT_INACTIVE',
        'TOKEN_MISMATCH',
        'MANDATE_REJECTED',
        'TARGET_NO_LONGER_MET',
        'INSUFFICIENT_LIQUIDITY',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
