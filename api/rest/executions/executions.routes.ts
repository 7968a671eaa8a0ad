import { z } from '@hono/zod-openapi'
import { address } from '../../domain/address.ts'
import { executionKinds } from '../../domain/execution.ts'
import { hash, hashInput } from '../../domain/hash.ts'
import { basisPoints, legIndex, sliceIndex, wholeNumber } from '../../domain/integer.ts'
import { MAX_LEGS } from '../../domain/limits.ts'
import { money } from '../../domain/money.ts'
import { time } from '../../domain/time.ts'
import { finalizedThrough, okRead } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { problems, readProblems } from '../shared/problems.ts'
import { foundToken, vaultName } from '../shared/vault-names.ts'

const executionLeg = z
  .object({
    legIndex,
    claimId: hash,
    vault: address,
    vaultName,
    sliceIndex,
    faceAmount: money,
    advanceAmount: money,
    discountAmount: money.openapi({
      description: '`faceAmount` less `advanceAmount`, base units: the cost.',
    }),
    effectiveDiscountBps: basisPoints.openapi({
      description: '`discountAmount` over `faceAmount`, basis points, rounded up.',
    }),
  })
  .openapi('ExecutionLeg')

export const execution = z
  .object({
    executionId: hash,
    status: z.enum(['EXECUTED', 'MINED']).openapi({
      description:
        '`EXECUTED`: the execution is on chain, final and projected. `MINED`: it is on chain at the latest block; other reads do not show it yet, and a reorganization can revert it until its block is final.',
    }),
    kind: z
      .enum(executionKinds)
      .openapi({ description: '`ROUTE`: a signed route. `DIRECT`: a direct call.' }),
    user: address,
    submitter: address.openapi({ description: 'Sender of the transaction: the user, or a relayer.' }),
    token: address,
    tokenInfo: foundToken,
    legs: z.array(executionLeg).max(MAX_LEGS),
    totalFace: money,
    totalAdvance: money,
    totalCost: money.openapi({ description: '`totalFace` less `totalAdvance`, base units.' }),
    effectiveDiscountBps: basisPoints.openapi({
      description: '`totalCost` over `totalFace`, basis points, rounded up.',
    }),
    executedAt: time,
    blockNumber: wholeNumber,
    transactionHash: hash,
    finalizedThrough,
  })
  .openapi('Execution')

export const preparedExecution = z
  .object({
    executionId: hash,
    status: z.enum(['PREPARED', 'SUPERSEDED', 'CANCELLED', 'EXPIRED']).openapi({
      description:
        '`PREPARED`: the gateway prepared the execution; it is not on chain. `SUPERSEDED`: another execution used its nonce or its slice of the claim, so it cannot be executed under this id; a reorganization can make it `PREPARED` again until the block of the other one is final. `CANCELLED`: its user cancelled it; a reorganization can make it `PREPARED` again until the block of the cancellation is final. `EXPIRED`: it was not executed by its deadline.',
    }),
    user: address,
    preparedAt: time,
    deadline: time.openapi({
      description: 'Deadline, inclusive: the last second in which the router accepts the execution.',
    }),
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
    summary: 'Read the status of an execution, with legs and totals once it is on chain',
    description:
      'The id is the `executionId` of a prepared answer. An execution that is not projected is read from the chain, in the blocks after `finalizedThrough`. Before it is on chain, it is shown to its wallet alone: send the token. `execution(executionId)` of GraphQL returns it too.',
    request: { params: z.object({ executionId: hashInput }) },
    responses: {
      ...okRead('The execution.', z.union([execution, preparedExecution])),
      ...problems('EXECUTION_NOT_FOUND', 'CHAIN_UNAVAILABLE', ...readProblems),
    },
  },
)
