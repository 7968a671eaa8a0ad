import { createRoute, z } from '@hono/zod-openapi'
import { address } from '../domain/address.ts'
import { hash, hashInput } from '../domain/hash.ts'
import { money } from '../domain/money.ts'
import { time } from '../domain/time.ts'
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
    status: z.enum(['EXECUTED']).openapi({ description: '`EXECUTED`: on chain, final, and projected.' }),
    kind: z.enum(['ROUTE', 'DIRECT']).openapi({ description: 'By a signed route, or by a direct call.' }),
    user: address,
    submitter: address.openapi({ description: 'Who sent the transaction: the user, or a relayer.' }),
    token: address,
    legs: z.array(executionLeg),
    totalFace: money,
    totalAdvance: money,
    totalCost: money.openapi({ description: 'totalFace less totalAdvance.' }),
    effectiveDiscountBps: z.int().openapi({ description: 'totalCost over totalFace in bps, rounded up.' }),
    executedAt: time,
    blockNumber: z.int(),
    transactionHash: hash,
    finalizedThrough,
  })
  .openapi('Execution')

export const getExecution = createRoute({
  method: 'get',
  path: '/executions/{executionId}',
  tags: ['Reads'],
  operationId: 'getExecution',
  summary: 'The status of an execution, with its legs and totals',
  security: [],
  request: { params: z.object({ executionId: hashInput }), query: noQuery },
  responses: {
    ...okJson('The execution.', execution),
    ...problems('EXECUTION_NOT_FOUND', ...readProblems),
  },
})
