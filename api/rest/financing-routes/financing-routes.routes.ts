import { z } from '@hono/zod-openapi'
import { address } from '../../domain/address.ts'
import { hash, hashInput } from '../../domain/hash.ts'
import { wholeNumber } from '../../domain/integer.ts'
import { MAX_CLAIM_IDS, MAX_LEGS, ROUTE_DEADLINE_SECONDS } from '../../domain/limits.ts'
import { money, moneyInput, positiveMoneyInput } from '../../domain/money.ts'
import { claimReasons, vaultReasons } from '../../domain/reasons.ts'
import { clockTime, time } from '../../domain/time.ts'
import { revalidationCodes } from '../../errors.ts'
import { finalizedThrough, okJson, orNull } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { boundLeg, issues, leg, totals, typedData } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { sides } from '../shared/refusal.ts'
import { pendingChanges } from '../shared/unfinalized.ts'
import { foundToken, vaultName } from '../shared/vault-names.ts'

const optimizeBody = z
  .strictObject({
    claimIds: z
      .array(hashInput)
      .min(1, 'must name at least one claim')
      .max(MAX_CLAIM_IDS, `must name ${MAX_CLAIM_IDS} claims at most`)
      .refine((ids) => new Set(ids).size === ids.length, 'must not name a claim twice')
      .openapi({ description: 'Ids of claims of the signed-in wallet, all in one token.' }),
    targetAdvance: positiveMoneyInput.openapi({ description: 'Advance to reach, base units.' }),
    maxTotalFace: positiveMoneyInput.optional().openapi({
      description: 'Maximum of the total face, base units, enforced by the router. Default: none.',
    }),
    maxTotalCost: moneyInput.optional().openapi({
      description:
        'Maximum of the total cost, base units. Only the optimizer applies it; the router does not. Default: none.',
    }),
    routeDeadlineSeconds: z
      .int()
      .min(ROUTE_DEADLINE_SECONDS.min)
      .max(ROUTE_DEADLINE_SECONDS.max)
      .default(ROUTE_DEADLINE_SECONDS.default)
      .openapi({ description: 'Deadline in seconds from now: the route must be executed by then.' }),
    certificate: z.boolean().default(false).openapi({
      description:
        'Whether `explanation` has a certificate: multipliers that prove, without a search, how much any other route costs at least.',
    }),
  })
  .openapi('OptimizeRequest')

const allocation = z
  .object({ legs: z.array(leg).max(MAX_LEGS), totals })
  .openapi('RouteAllocation', { description: 'Estimates at `blockNumber`.' })

const certificate = z
  .object({
    multiplier: money.openapi({ description: 'Multiplier of the target, in multiples of 2^-60.' }),
    vaults: z.array(
      z.object({
        vault: address,
        liquidity: money.openapi({ description: 'Liquidity that the plan could use, base units.' }),
        multiplier: money.openapi({ description: 'Multiplier of this liquidity, in multiples of 2^-60.' }),
      }),
    ),
    candidates: z
      .array(
        z.object({
          claimId: hash,
          vault: address,
          discountBps: wholeNumber.openapi({ description: 'Discount at the block, basis points of face.' }),
          maxFaceAmount: money.openapi({ description: 'Largest lot, base units of face.' }),
        }),
      )
      .openapi({ description: 'All pairs of a claim and a vault that may be a leg.' }),
  })
  .openapi('RouteCertificate', {
    description:
      'Proof of a lower bound on the cost of every route over its candidates. `leastCostOf` of the client computes the bound. The candidates follow from the state of the chain at `blockNumber`.',
  })

const executable = z
  .object({
    executable: z.literal(true),
    approximation: z.enum(['exact', 'greedy']),
    explanation: z.object({
      strategy: z.enum(['bounded-exact', 'greedy-degraded']),
      provenGap: money.openapi({
        description:
          'Upper bound on the excess cost over the best route, base units; 0 if it is proven best.',
      }),
      certificate: certificate.optional(),
    }),
    ...allocation.shape,
  })
  .openapi('ExecutableRoute')

const partial = z
  .object({
    ...allocation.shape,
    provenGap: money.openapi({
      description:
        'Upper bound on the excess cost over the best route with this advance, base units; 0 if it is proven best.',
    }),
  })
  .openapi('PartialRoute', { description: 'A route that reaches `maxAchievableAdvance`.' })

const nonExecutable = z
  .object({
    executable: z.literal(false),
    reason: z.enum(['NO_ELIGIBLE_CANDIDATES', 'MAX_COST_EXCEEDED', 'TARGET_UNSATISFIABLE']),
    shortfallAdvance: money.openapi({
      description: '`targetAdvance` less `maxAchievableAdvance`, base units.',
    }),
    maxAchievableAdvance: money.openapi({
      description:
        'Largest advance found within all bounds but the target, base units; the exact maximum if `maxAchievableGap` is 0.',
    }),
    maxAchievableGap: money.openapi({
      description:
        'Upper bound on the advance above `maxAchievableAdvance` that can be reached, base units; 0 if `maxAchievableAdvance` is the maximum.',
    }),
    bestFeasiblePartial: partial.optional(),
  })
  .openapi('NonExecutableRoute')

const filteredClaim = z
  .object({
    claimId: hash,
    reason: z.enum(claimReasons),
    ...sides,
    vaults: z
      .array(z.object({ vault: address, vaultName, reason: z.enum(vaultReasons), ...sides }))
      .optional(),
  })
  .openapi('FilteredClaim', {
    description:
      'For `CLAIM_PAST_DUE` and `DUE_WITHIN_DEADLINE`, `have` is the due date and `need` the first sufficient one, Unix seconds: after the block, and after the last second for which the route is planned.',
  })

const optimizeAnswer = z
  .object({
    routeId: orNull(hash).openapi({ description: 'Id of the route; null unless the result is executable.' }),
    status: z.enum(['PENDING', 'CONSUMED', 'FAILED']).nullable(),
    expiresAt: clockTime.nullable().openapi({ description: 'Time until which the route can be prepared.' }),
    now: clockTime.openapi({ description: 'Current time of the server.' }),
    tokenInfo: foundToken.openapi({
      description:
        'Token of all amounts of the answer; null while the projection does not answer, or if no claim can be financed and the claims have no common token.',
    }),
    result: z.union([executable, nonExecutable]),
    filteredOut: z.array(filteredClaim).max(MAX_CLAIM_IDS),
    blockNumber: wholeNumber.openapi({ description: 'Number of the finalized block of all reads.' }),
    issues: issues.openapi({
      description:
        'Reasons why the route is already impossible at the latest block, which is not final. Empty if none is known, and without a route.',
    }),
    pendingChanges,
    finalizedThrough: orNull(finalizedThrough).openapi({
      description:
        'The block of the read endpoints, which can be earlier than `blockNumber`; null before the first index.',
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
    summary: 'Plan the cheapest route to an advance',
    description:
      'The plan states which vault finances which part of which claim, at one finalized block. An executable route can be prepared once, within 120 seconds. Earlier routes of the wallet that were prepared or have failed are deleted, so the same request at the same block can be prepared again; `status` shows whether it can. Every replica plans the same route for the same request at the same block.',
    request: {
      body: { required: true, content: { 'application/json': { schema: optimizeBody } } },
    },
    responses: {
      ...okJson('The route, or the reason why there is none.', optimizeAnswer),
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

const KEY_LENGTH = 255
const KEY = /^[\x21-\x7e]{1,255}$/

const prepareHeaders = z.object({
  'idempotency-key': z.string().regex(KEY, 'must be 1 to 255 visible ASCII characters').optional().openapi({
    maxLength: KEY_LENGTH,
    description:
      'A key of your choice, new for each route. Repeat the request with the same key if its answer was lost or is a 503: the answer is the same until the deadline of the route. Without a key, a 503 with `intentStatus: CONSUMED` means that the route cannot be prepared again.',
  }),
})

export const preparedRoute = z
  .object({
    executionId: hash.openapi({
      description: 'The signed digest, the id for `GET /executions/{executionId}`.',
    }),
    typedData,
    deadline: time.openapi({
      description: 'Deadline, inclusive: the last second in which the router accepts the route.',
    }),
    tokenInfo: foundToken,
    legs: z.array(boundLeg).max(MAX_LEGS),
    totals: totals.openapi({ description: 'Totals of the route. The router pays at least this advance.' }),
    blockNumber: wholeNumber,
    submit: z
      .object({
        to: address,
        functionName: z.literal('executeRoute'),
        abi: z.array(z.unknown()).min(1).max(1),
      })
      .openapi({
        description:
          'The call that takes the signature: `executeRoute(typedData.message, signature)`. Anyone can send it.',
      }),
    issues,
    pendingChanges: pendingChanges.openapi({
      description:
        'Events after `blockNumber` that change what the route was checked against, and are not final: those of now, also in a repeated answer. Null while this gateway has no recent view of the latest block.',
    }),
  })
  .openapi('PreparedRoute')

export const prepareRouteExecution = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/routes/{routeId}/prepare-execution',
    tags: ['Routes'],
    operationId: 'prepareRouteExecution',
    summary: 'Prepare the typed data of a route for the wallet to sign',
    description:
      'A route can be prepared once, by its user only. All checks are repeated at a current finalized block; after a 422, optimize again. `intentStatus` of a 409 is `CONSUMED` for a prepared route and `FAILED`, with `failureCode`, for a failed one. Send an `Idempotency-Key` to be able to repeat the request.',
    request: {
      params: z.object({ routeId: hashInput }),
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
