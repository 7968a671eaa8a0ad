import { z } from '@hono/zod-openapi'
import { LABEL_CHARACTERS } from '../../../deployments/labels.ts'
import { address } from '../../domain/address.ts'
import { claimStates } from '../../domain/claim.ts'
import { hash, hashInput } from '../../domain/hash.ts'
import { claimTypeNumber, sliceCount, sliceIndex, wholeNumber } from '../../domain/integer.ts'
import { MAX_SLICES_PER_CLAIM } from '../../domain/limits.ts'
import { money } from '../../domain/money.ts'
import { time } from '../../domain/time.ts'
import { finalizedThrough, okRead } from '../shared/answer.ts'
import { asOfParameters, asOfProblems } from '../shared/as-of.ts'
import { defineRoute } from '../shared/define-route.ts'
import { problems, readProblems } from '../shared/problems.ts'
import { tokenInfo } from '../shared/token-info.ts'

const label = z.string().max(LABEL_CHARACTERS).nullable()

/** A claim as every list and answer writes it (interface specification, section 2). */
export const claim = z
  .object({
    claimId: hash,
    issuer: address,
    issuerLabel: label.openapi({
      description: 'Name of the issuer, which the operator of the gateway gives, for display only.',
    }),
    beneficiary: address,
    token: address,
    tokenInfo,
    faceValue: money,
    financedFaceValue: money,
    paidFaceValue: money.openapi({
      description: 'Face that is paid, base units. The claim is settled once it is `faceValue`.',
    }),
    remainingFace: money.openapi({ description: 'Face that is not financed, base units.' }),
    dueDate: time,
    dueDateUnix: wholeNumber.openapi({ description: 'Due date, Unix seconds.' }),
    matured: z
      .boolean()
      .openapi({ description: 'Whether the claim is due at the time of the finalized block of the answer.' }),
    overdueSince: time.nullable().openapi({
      description:
        'Due date of a claim that is past due, financed and not settled at the time of the finalized block of the answer; otherwise null.',
    }),
    claimType: claimTypeNumber,
    claimTypeLabel: label.openapi({
      description: 'Name of the claim type, which the operator of the gateway gives, for display only.',
    }),
    sliceCount,
    slicesRemaining: sliceCount.openapi({
      description: 'Number of slices that can still be financed, 0 to 8.',
    }),
    state: z.enum(claimStates),
    documentHash: hash,
    registeredAt: time,
    registeredBlock: wholeNumber,
    registrationTransaction: hash,
  })
  .openapi('Claim')

const allocation = z
  .object({
    sliceIndex,
    vault: address,
    executionId: hash,
    faceAmount: money,
    advanceAmount: money,
    paidFace: money.openapi({ description: 'Face that is paid, base units.' }),
    repaidFace: money.openapi({
      description:
        'Part of `paidFace` that the vault has received, base units. The router holds the rest, because the token did not pay the vault.',
    }),
    carryingValue: money.openapi({
      description:
        'Value at the time of the finalized block of the answer, base units: the advance plus the discount that is earned until then; the face declines to 0 in the 90 days that follow the due day (UTC). 0 after the repayment of the whole face.',
    }),
    fundedAt: time,
    fundedBlock: wholeNumber,
    repaidAt: time.nullable(),
  })
  .openapi('Allocation', { description: 'The part of a claim that one vault financed.' })

export const claimWithAllocations = claim.extend({
  allocations: z.array(allocation).max(MAX_SLICES_PER_CLAIM),
  finalizedThrough,
})

export const getClaim = defineRoute(
  { access: 'public', limit: 'default', minBlock: 'projection', isConditional: true },
  {
    method: 'get',
    path: '/claims/{claimId}',
    tags: ['Reads'],
    operationId: 'getClaim',
    summary: 'Read a claim with its state and allocations',
    request: { params: z.object({ claimId: hashInput }), query: z.strictObject(asOfParameters) },
    responses: {
      ...okRead('The claim.', claimWithAllocations),
      ...problems('CLAIM_NOT_FOUND', ...readProblems, ...asOfProblems),
    },
  },
)
