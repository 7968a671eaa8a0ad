import { z } from '@hono/zod-openapi'
import { address } from '../domain/address.ts'
import { hash, hashInput } from '../domain/hash.ts'
import { time } from '../domain/time.ts'
import { transactionStatuses } from '../domain/transaction.ts'
import { defineRoute } from './define-route.ts'
import { finalizedThrough, noQuery, okJson, orNull, problems, readProblems, tokenProblems } from './wire.ts'

const revert = z
  .object({
    errorName: z.string().nullable().openapi({
      description:
        "Name of the contract's custom error; `UnknownError` for an error that is not known, null where no node reports one.",
    }),
    arguments: z.array(z.string()),
    message: z.string(),
  })
  .openapi('Revert', { description: 'Error of a failed transaction.' })

const transaction = z
  .object({
    hash,
    status: z.enum(transactionStatuses).openapi({
      description:
        '`NOT_FOUND`: no node knows it (yet). `PENDING`: waiting to be mined. `MINED`: in a block that is not final. `FINALIZED`: final, but reads do not show it yet. `PROJECTED`: reads show it. `REVERTED`: mined, and failed.',
    }),
    final: z.boolean().openapi({ description: 'Whether its block is final and cannot be reverted.' }),
    from: orNull(address),
    to: orNull(address),
    block: z
      .object({ number: z.int(), timestamp: time })
      .nullable()
      .openapi({ description: 'Block of the transaction; null until it is mined.' }),
    revert: orNull(revert),
    touchesProtocol: z.boolean().nullable().openapi({
      description:
        "Whether it called the protocol's router or registries or made them emit an event; null until that is known. Other transactions, such as approvals of a token, have a status too.",
    }),
    executionIds: z.array(hash).openapi({ description: 'Executions that happened in it.' }),
    claimIds: z
      .array(hash)
      .openapi({ description: 'Claims that were registered, financed, settled or revoked in it.' }),
    finalizedThrough: orNull(finalizedThrough).openapi({
      description: 'The block that the read endpoints have reached; null before the first index.',
    }),
  })
  .openapi('Transaction')

export const getTransaction = defineRoute(
  { access: 'wallet', limit: 'default', minBlock: 'projection' },
  {
    method: 'get',
    path: '/transactions/{hash}',
    tags: ['Transactions'],
    operationId: 'getTransaction',
    summary: 'What became of a submitted transaction',
    description:
      'Ask again until it is `PROJECTED` or `REVERTED`. A hash that nobody knows is answered with `NOT_FOUND` and 200: a node hears of a new transaction a moment after the wallet. The chain is asked at its latest block, so a reorganisation can lead from `MINED` back. To wait for a block first, send it as `X-Min-Block`.',
    request: { params: z.object({ hash: hashInput }), query: noQuery },
    responses: {
      ...okJson('Where it stands.', transaction),
      ...problems(...readProblems, 'CHAIN_UNAVAILABLE', ...tokenProblems),
    },
  },
)
