import { z } from '@hono/zod-openapi'
import { address } from '../domain/address.ts'
import { hash, hashInput } from '../domain/hash.ts'
import { MAX_CLAIM_IDS, ROUTE_DEADLINE_SECONDS } from '../domain/limits.ts'
import { money, moneyInput, positiveMoneyInput } from '../domain/money.ts'
import { claimReasons, vaultReasons } from '../domain/reasons.ts'
import { time } from '../domain/time.ts'
import { revalidationCodes } from '../errors.ts'
import { defineRoute } from './define-route.ts'
import { boundLeg, issues, leg, totals, typedData } from './prepare-wire.ts'
import { sides } from './refusal-wire.ts'
import { finalizedThrough, noQuery, okJson, orNull, problems, tokenProblems } from './wire.ts'

const optimizeBody = z
  .strictObject({
    claimIds: z
      .array(hashInput)
      .min(1, 'must name at least one claim')
      .max(MAX_CLAIM_IDS, `must name ${MAX_CLAIM_IDS} claims at most`)
      .refine((ids) => new Set(ids).size === ids.length, 'must not name a claim twice')
      .openapi({ description: 'Claims of yours, all in one token.' }),
    targetAdvance: positiveMoneyInput.openapi({ description: 'The advance to reach.' }),
    maxTotalFace: positiveMoneyInput
      .optional()
      .openapi({ description: 'Bound on the total face; the router enforces it. No bound without it.' }),
    maxTotalCost: moneyInput
      .optional()
      .openapi({ description: 'Bound on the total cost; advisory, only the optimizer heeds it.' }),
    routeDeadlineSeconds: z
      .int()
      .min(ROUTE_DEADLINE_SECONDS.min)
      .max(ROUTE_DEADLINE_SECONDS.max)
      .default(ROUTE_DEADLINE_SECONDS.default)
      .openapi({ description: 'Seconds from now by which the route must be executed.' }),
  })
  .openapi('OptimizeRequest')

const allocation = z
  .object({ legs: z.array(leg), totals })
  .openapi('RouteAllocation', { description: 'Estimates at blockNumber.' })

const executable = z
  .object({
    executable: z.literal(true),
    approximation: z.enum(['exact', 'greedy']),
    explanation: z.object({
      strategy: z.enum(['bounded-exact', 'greedy-degraded']),
      provenGap: money.openapi({
        description: 'Upper bound on how much more it costs than the best route. 0 when it is the best.',
      }),
    }),
    ...allocation.shape,
  })
  .openapi('ExecutableRoute')

const partial = z
  .object({
    ...allocation.shape,
    provenGap: money.openapi({
      description:
        'Upper bound on how much more it costs than the best route that reaches as far. 0 when it is the best.',
    }),
  })
  .openapi('PartialRoute', { description: 'A route that reaches `maxAchievableAdvance`.' })

const nonExecutable = z
  .object({
    executable: z.literal(false),
    reason: z.enum(['NO_ELIGIBLE_CANDIDATES', 'MAX_COST_EXCEEDED', 'TARGET_UNSATISFIABLE']),
    shortfallAdvance: money.openapi({ description: '`targetAdvance` less `maxAchievableAdvance`.' }),
    maxAchievableAdvance: money.openapi({
      description:
        'The largest advance found within every bound but the target: the exact maximum where `maxAchievableGap` is 0.',
    }),
    maxAchievableGap: money.openapi({
      description:
        'Upper bound on how much more than `maxAchievableAdvance` can be reached. 0 when it is the maximum.',
    }),
    bestFeasiblePartial: partial.optional(),
  })
  .openapi('NonExecutableRoute')

const filteredClaim = z
  .object({
    claimId: hash,
    reason: z.enum(claimReasons),
    ...sides,
    vaults: z.array(z.object({ vault: address, reason: z.enum(vaultReasons), ...sides })).optional(),
  })
  .openapi('FilteredClaim', {
    description:
      'Of `CLAIM_PAST_DUE` and `DUE_WITHIN_DEADLINE`, `have` is the due date and `need` the first due date that would do, in Unix seconds: after the block, and after the last second for which the route is planned.',
  })

const optimizeAnswer = z
  .object({
    routeId: orNull(hash).openapi({ description: 'Null unless the result is executable.' }),
    status: z.enum(['PENDING', 'CONSUMED', 'FAILED']).nullable(),
    expiresAt: time.nullable().openapi({ description: 'Until when the route can be prepared.' }),
    now: time.openapi({ description: "The server's time." }),
    result: z.union([executable, nonExecutable]),
    filteredOut: z.array(filteredClaim),
    blockNumber: z.int().openapi({ description: 'The finalized block on which everything was read.' }),
    finalizedThrough: orNull(finalizedThrough).openapi({
      description:
        'The block that the read endpoints have reached, which can be earlier than blockNumber; null before the first index.',
    }),
  })
  .openapi('OptimizedRoute')

export const optimizeRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/routes/optimize',
    tags: ['Routes'],
    operationId: 'optimizeRoute',
    summary: 'The cheapest route that reaches an advance',
    description:
      'Plans on one finalized block which vault finances how much of which claim. An executable route can be prepared once, within 120 seconds. Your earlier routes that were prepared or have failed are forgotten, so the same request at the same block can be prepared again; `status` says if it cannot. Every replica plans the same route for the same request at the same block.',
    request: {
      query: noQuery,
      body: { required: true, content: { 'application/json': { schema: optimizeBody } } },
    },
    responses: {
      ...okJson('The route, or why there is none.', optimizeAnswer),
      ...problems(
        'VALIDATION_FAILED',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'MIXED_TOKENS',
        'OPTIMIZER_BUSY',
        'OPTIMIZER_EXHAUSTED',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)

const KEY = /^[\x21-\x7e]{1,255}$/

const prepareHeaders = z.object({
  'idempotency-key': z.string().regex(KEY, 'must be 1 to 255 visible ASCII characters').optional().openapi({
    description:
      'Anything of your own making, new each time you optimize. Repeat the request with the same key if its answer was lost or is a 503: you get the one answer of the route, until its deadline. Without a key a 503 that says `intentStatus: CONSUMED` uses the route up.',
  }),
})

export const preparedRoute = z
  .object({
    executionId: hash.openapi({
      description: 'The digest that is signed; GET /executions/{executionId} follows it.',
    }),
    typedData,
    deadline: time.openapi({ description: 'The last second in which the router accepts the route.' }),
    legs: z.array(boundLeg),
    totals: totals.openapi({ description: 'The advance is the least that the router pays.' }),
    blockNumber: z.int(),
    submit: z
      .object({
        to: address,
        functionName: z.literal('executeRoute'),
        abi: z.array(z.unknown()),
      })
      .openapi({
        description: 'Where the signature goes: executeRoute(typedData.message, signature), sent by anyone.',
      }),
    issues,
  })
  .openapi('PreparedRoute')

export const prepareRouteExecution = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/routes/{routeId}/prepare-execution',
    tags: ['Routes'],
    operationId: 'prepareRouteExecution',
    summary: 'What the wallet signs to execute a route',
    description:
      'Possible once for each route, and for its user alone. Everything is checked again at a fresh finalized block; a 422 means: optimize again. The 409 says in `intentStatus` whether the route was prepared (`CONSUMED`) or has failed (`FAILED`, with its `failureCode`). Send an `Idempotency-Key` to be able to repeat the request.',
    request: {
      params: z.object({ routeId: hashInput }),
      query: noQuery,
      headers: prepareHeaders,
      body: { required: false, content: { 'application/json': { schema: z.strictObject({}) } } },
    },
    responses: {
      ...okJson('The typed data to sign.', preparedRoute),
      ...problems(
        'VALIDATION_FAILED',
        'ROUTE_INTENT_NOT_FOUND',
        'ROUTE_INTENT_UNAVAILABLE',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'ROUTE_INTENT_EXPIRED',
        ...revalidationCodes,
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
