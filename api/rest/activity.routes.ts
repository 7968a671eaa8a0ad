import { z } from '@hono/zod-openapi'
import { activityKinds } from '../domain/activity.ts'
import { address, addressInput } from '../domain/address.ts'
import { hash } from '../domain/hash.ts'
import { money } from '../domain/money.ts'
import { time } from '../domain/time.ts'
import { defineRoute } from './define-route.ts'
import { okJson, orNull, pageOf, pageQuery, problems, readProblems } from './wire.ts'

const activity = z
  .object({
    id: z.string().openapi({ description: 'Stable; in text order, the order of the chain.' }),
    kind: z.enum(activityKinds),
    token: address,
    amount: money.openapi({
      description:
        'Face registered or revoked, advance received, settlement paid or received, assets deposited or withdrawn.',
    }),
    claimId: orNull(hash).openapi({
      description: 'Of an execution, the claim that all of its legs share; null where they have several.',
    }),
    executionId: orNull(hash),
    vault: orNull(address).openapi({
      description: 'Of an execution, the vault that all of its legs share; null where they have several.',
    }),
    at: time,
    blockNumber: z.int(),
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
    summary: 'What happened to a wallet: executions, settlements and the rest, newest first',
    description: 'A wallet the chain has not seen has an empty list.',
    request: { params: z.object({ wallet: addressInput }), query: pageQuery },
    responses: { ...okJson('A page of activity.', pageOf(activity)), ...problems(...readProblems) },
  },
)
