import { z } from '@hono/zod-openapi'
import { addressInput } from '../../domain/address.ts'
import { hashInput } from '../../domain/hash.ts'
import { finalizedThrough, okRead } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { limitInput } from '../shared/pagination.ts'
import { problems, readProblems } from '../shared/problems.ts'
import { pendingChanges } from '../shared/unfinalized.ts'

const answer = z
  .object({
    unfinalized: pendingChanges.openapi({
      description: 'The events. Null while this gateway has no recent view of the latest block.',
    }),
    finalizedThrough,
  })
  .openapi('UnfinalizedEvents')

export const listUnfinalized = defineRoute(
  { access: 'public', limit: 'default', minBlock: 'projection', isConditional: true },
  {
    method: 'get',
    path: '/unfinalized',
    tags: ['Reads'],
    operationId: 'listUnfinalized',
    summary: 'List events that are mined and not final, newest first',
    description:
      'No other read has these events. A reorganization of the chain can remove them; otherwise all reads show their effect once their block is final.',
    request: {
      query: z.strictObject({
        wallet: addressInput.optional().openapi({ description: 'Only events that concern this wallet.' }),
        claimId: hashInput.optional().openapi({ description: 'Only events of this claim.' }),
        vault: addressInput.optional().openapi({ description: 'Only events of this vault.' }),
        limit: limitInput,
      }),
    },
    responses: { ...okRead('The events.', answer), ...problems(...readProblems) },
  },
)
