import { z } from '@hono/zod-openapi'
import { address } from '../domain/address.ts'
import { hash, hashInput } from '../domain/hash.ts'
import { money } from '../domain/money.ts'
import { time } from '../domain/time.ts'
import { defineRoute } from './define-route.ts'
import { finalizedThrough, noQuery, okJson, problems, readProblems } from './wire.ts'

const executionLeg = z
  .object({
    legIndex: z.int(),
    claimId: hash,
    vault: address,
    sliceIndex: z.int(),
    faceAmount: money,
    advanceAmount: money,
  })
  .openapi('ExecutionLeg')

const execution = z
  .object({
    executionId: hash,
    status: z.enum(['EXECUTED', 'MINED']).openapi({
      description:
        '`EXECUTED`: on chain, final, and projected. `MINED`: on chain at the latest block; other reads do not show it yet, and until its block is final a reorganisation can take it back.',
    }),
    kind: z.enum(['ROUTE', 'DIRECT']).openapi({ description: 'By a signed route, or by a direct call.' }),
    user: address,
    submitter: address.openapi({ description: 'Who sent the transaction: the user, or a relayer.' }),
    token: address,
    legs: z.array(executionLeg),
    totalFace: money,
    totalAdvance: money,
    totalCost: money.openapi({ description: 'totalFace less totalAdvance, base units.' }),
    effectiveDiscountBps: z.int().openapi({ description: 'totalCost over totalFace in bps, rounded up.' }),
    executedAt: time,
    blockNumber: z.int(),
    transactionHash: hash,
    finalizedThrough,
  })
  .openapi('Execution')

const preparedExecution = z
  .object({
    executionId: hash,
    status: z.enum(['PREPARED', 'SUPERSEDED', 'EXPIRED']).openapi({
      description:
        '`PREPARED`: handed out here to be signed, and not seen on chain. `SUPERSEDED`: another execution used its nonce, or its slice of the claim, so it can never happen under this id; until the block of the other is final a reorganisation can make it `PREPARED` again. `EXPIRED`: the chain is past its deadline.',
    }),
    user: address,
    preparedAt: time,
    deadline: time.openapi({ description: 'The last second in which the router accepts it.' }),
    finalizedThrough,
  })
  .openapi('PreparedExecution')

export const getExecution = defineRoute(
  { access: 'public', limit: 'default', minBlock: 'projection', isConditional: true },
  {
    method: 'get',
    path: '/executions/{executionId}',
    tags: ['Reads'],
    operationId: 'getExecution',
    summary: 'The status of an execution, with its legs and totals once it is on chain',
    description:
      'Ask with the id that a prepare answered with. What the projection does not have is looked for on the chain, in the blocks after `finalizedThrough`. GraphQL answers the same as `execution(executionId)`.',
    request: { params: z.object({ executionId: hashInput }), query: noQuery },
    responses: {
      ...okJson('The execution.', z.union([execution, preparedExecution])),
      ...problems('EXECUTION_NOT_FOUND', 'CHAIN_UNAVAILABLE', ...readProblems),
    },
  },
)
