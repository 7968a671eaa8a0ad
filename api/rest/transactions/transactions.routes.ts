import { z } from '@hono/zod-openapi'
import { address } from '../../domain/address.ts'
import { hash, hashInput } from '../../domain/hash.ts'
import { wholeNumber } from '../../domain/integer.ts'
import { time } from '../../domain/time.ts'
import { transactionStatuses } from '../../domain/transaction.ts'
import { finalizedThrough, okJson, orNull } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { problems, readProblems } from '../shared/problems.ts'
import { errorArguments, errorName, sentence } from '../shared/texts.ts'

const revert = z
  .object({
    errorName: errorName.nullable().openapi({
      description:
        "Name of the contract's custom error; `UnknownError` for an error that is not known, null if no node reports one.",
    }),
    arguments: errorArguments,
    message: sentence,
  })
  .openapi('Revert', { description: 'Error of a failed transaction.' })

const transaction = z
  .object({
    hash,
    status: z.enum(transactionStatuses).openapi({
      description:
        '`NOT_FOUND`: no node has it. `PENDING`: it waits to be mined. `MINED`: its block is not final. `FINALIZED`: its block is final and not projected. `PROJECTED`: all reads show it. `REVERTED`: it failed.',
    }),
    final: z.boolean().openapi({
      description: 'Whether the block of the transaction is final, so that no reorganization can revert it.',
    }),
    from: orNull(address),
    to: orNull(address),
    block: z
      .object({ number: wholeNumber, timestamp: time })
      .nullable()
      .openapi({ description: 'Block of the transaction; null until it is mined.' }),
    expectedFinalAt: orNull(time).openapi({
      description:
        'Time at which the block should be final, as this gateway has observed the chain. Null until it is mined, once it is final, and while this gateway has no recent view of the latest block.',
    }),
    revert: orNull(revert),
    touchesProtocol: z.boolean().nullable().openapi({
      description:
        'Whether the transaction called the router or a registry, or made one emit an event; null until that is known. Other transactions, such as approvals of a token, have a status too.',
    }),
    executionIds: z.array(hash).openapi({ description: 'Ids of the executions of the transaction.' }),
    claimIds: z.array(hash).openapi({
      description: 'Ids of the claims that the transaction registered, financed, settled or revoked.',
    }),
    finalizedThrough: orNull(finalizedThrough).openapi({
      description: 'The block of the read endpoints; null before the first index.',
    }),
  })
  .openapi('Transaction')

export const getTransaction = defineRoute(
  { access: 'public', limit: 'default', minBlock: 'projection' },
  {
    method: 'get',
    path: '/transactions/{hash}',
    tags: ['Transactions'],
    operationId: 'getTransaction',
    summary: 'Read the status of a submitted transaction',
    description:
      'Poll until the status is `PROJECTED` or `REVERTED`. The answer to an unknown hash is a 200 with `NOT_FOUND`, because nodes receive a new transaction after the wallet has sent it. The chain is read at its latest block, so a reorganization can change `MINED` back. `X-Min-Block` makes the request wait for a block.',
    request: { params: z.object({ hash: hashInput }) },
    responses: {
      ...okJson('Status of the transaction.', transaction),
      ...problems(...readProblems, 'CHAIN_UNAVAILABLE'),
    },
  },
)
