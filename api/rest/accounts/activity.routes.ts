import { z } from '@hono/zod-openapi'
import { activityKinds } from '../../domain/activity.ts'
import { address, addressInput } from '../../domain/address.ts'
import { hash } from '../../domain/hash.ts'
import { wholeNumber } from '../../domain/integer.ts'
import { money } from '../../domain/money.ts'
import { time } from '../../domain/time.ts'
import { okRead, orNull } from '../shared/answer.ts'
import { asOfProblems } from '../shared/as-of.ts'
import { defineRoute } from '../shared/define-route.ts'
import { pageOf, pageQuery } from '../shared/pagination.ts'
import { problems, readProblems } from '../shared/problems.ts'
import { tokenInfo } from '../shared/token-info.ts'

export const activity = z
  .object({
    id: z
      .string()
      .regex(/^[0-9]+$/)
      .max(19)
      .openapi({ description: 'Stable id, a number. Its order is the order of the chain.' }),
    kind: z.enum(activityKinds),
    token: address,
    tokenInfo,
    amount: money.openapi({
      description:
        'Amount of the event, base units of `token`: the face registered, the face that a revocation leaves unfinanced, the advance received, the settlement paid or received, the assets deposited or withdrawn, or the credit received or withdrawn.',
    }),
    claimId: orNull(hash).openapi({
      description:
        'The claim of the event. An execution has the claim of all legs, or null if they have several.',
    }),
    executionId: orNull(hash),
    vault: orNull(address).openapi({
      description:
        'The vault of the event. An execution has the vault of all legs, or null if they have several.',
    }),
    at: time,
    blockNumber: wholeNumber,
    transactionHash: hash,
  })
  .openapi('Activity')

export const listActivity = defineRoute(
  { access: 'public', limit: 'default', minBlock: 'projection', isConditional: true },
  {
    method: 'get',
    path: '/activity/{wallet}',
    tags: ['Reads'],
    operationId: 'listActivity',
    summary: 'List the events of a wallet, newest first',
    description: 'A wallet that was never used on chain has an empty list.',
    request: { params: z.object({ wallet: addressInput }), query: pageQuery },
    responses: {
      ...okRead('A page of activity.', pageOf(activity)),
      ...problems(...readProblems, ...asOfProblems),
    },
  },
)
