import { z } from '@hono/zod-openapi'
import { address } from '../domain/address.ts'
import { claimStates } from '../domain/claim.ts'
import { hash, hashInput } from '../domain/hash.ts'
import { money } from '../domain/money.ts'
import { time } from '../domain/time.ts'
import { finalizedThrough, noQuery, okJson } from './answer.ts'
import { defineRoute } from './define-route.ts'
import { problems, readProblems } from './problems.ts'

/** A claim as every list and answer writes it (interface specification, section 2). */
export const claim = z
  .object({
    claimId: hash,
    issuer: address,
    beneficiary: address,
    token: address,
    faceValue: money,
    financedFaceValue: money,
    remainingFace: money.openapi({ description: 'Face that is not financed.' }),
    dueDate: time,
    dueDateUnix: z.int().openapi({ description: 'Due date, Unix seconds.' }),
    matured: z
      .boolean()
      .openapi({ description: 'Whether the claim is due at the time of the finalized block of the answer.' }),
    overdueSince: time.nullable().openapi({
      description:
        'Due date of a claim that is past due, financed and neither settled nor revoked at the time of the finalized block of the answer; else null.',
    }),
    claimType: z.int(),
    sliceCount: z.int(),
    slicesRemaining: z.int().openapi({ description: 'Number of slices that can still be financed, 0 to 8.' }),
    state: z.enum(claimStates),
    documentHash: hash,
    registeredAt: time,
    registeredBlock: z.int(),
    registrationTransaction: hash,
  })
  .openapi('Claim')

const allocation = z
  .object({
    sliceIndex: z.int(),
    vault: address,
    executionId: hash,
    faceAmount: money,
    advanceAmount: money,
    impairment: money.openapi({
      description: 'Part of the advance that the vault has written down; 0 after the repayment.',
    }),
    impairedAt: time.nullable(),
    fundedAt: time,
    fundedBlock: z.int(),
    repaidAt: time.nullable(),
  })
  .openapi('Allocation', { description: 'The part of a claim that one vault financed.' })

export const getClaim = defineRoute(
  { access: 'public', limit: 'default', minBlock: 'projection', isConditional: true, isKept: true },
  {
    method: 'get',
    path: '/claims/{claimId}',
    tags: ['Reads'],
    operationId: 'getClaim',
    summary: 'Read a claim with its state and allocations',
    request: { params: z.object({ claimId: hashInput }), query: noQuery },
    responses: {
      ...okJson('The claim.', claim.extend({ allocations: z.array(allocation), finalizedThrough })),
      ...problems('CLAIM_NOT_FOUND', ...readProblems),
    },
  },
)
