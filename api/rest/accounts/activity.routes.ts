import { z } from '@hono/zod-openapi'
import { activityKinds } from '../../domain/activity.ts'
import { address, addressInput } from '../../domain/address.ts'
import { hash } from '../../domain/hash.ts'
import { wholeNumber } from '../../domain/integer.ts'
import { money } from '../../domain/money.ts'
import { time } from '../../domain/time.ts'
import { okRead, orNull } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { pageOf, pageQuery } from '../shared/pagination.ts'
import { problems, readProblems } from '../shared/problems.ts'
import { tokenInfo } from '../shared/token-info.ts'

export const activity = z
  .object({
    id: z
      .string()
      .regex(/^[0-9]+-[0-9]+-[A-Z_]+$/)
      .max(64)
      .openapi({ description: 'Stable id. Its text order is the order of the chain.' }),
    kind: z.enum(activityKinds),
    token: address,
    tokenInfo,
    amount: money.openapi({
      description:
        'Face registered or revoked, advance received, settlement paid or received, assets deposited or withdrawn, or credited by the router or withdrawn from it.',
    }),
    claimId: orNull(hash).openapi({
      description:
        'The claim concerned. For an execution, the claim of all legs; null where they have several.',
    }),
    executionId: orNull(hash),
    vault: orNull(address).openapi({
      description:
        'The vault concerned. For an execution, the vault of all legs; null where they have several.',
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
    description: 'The list of a wallet that was never used on chain is empty.',
    request: { params: z.object({ wallet: addressInput }), query: pageQuery },
    responses: { ...okRead('A page of activity.', pageOf(activity)), ...problems(...readProblems) },
  },
)
