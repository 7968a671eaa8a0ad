import { z } from '@hono/zod-openapi'
import { addressInput } from '../domain/address.ts'
import { hash, hashInput } from '../domain/hash.ts'
import { CLAIM_TYPE_MAX } from '../domain/limits.ts'
import { positiveMoneyInput } from '../domain/money.ts'
import { time, timeInput } from '../domain/time.ts'
import type { ErrorCode } from '../errors.ts'
import { defineRoute } from './define-route.ts'
import { typedData } from './prepare-wire.ts'
import { noQuery, okJson, problems, tokenProblems } from './wire.ts'

/** Why the registry takes no claim of an attestation. */
export const attestationProblems = [
  'ISSUER_INACTIVE',
  'ATTESTATION_EXPIRED',
  'CLAIM_ALREADY_REGISTERED',
  'BENEFICIARY_INVALID',
  'TOKEN_WITHOUT_CODE',
  'FACE_VALUE_TOO_LARGE',
  'DUE_DATE_NOT_IN_FUTURE',
  'CHAIN_UNAVAILABLE',
  'CHAIN_BEHIND',
] as const satisfies readonly ErrorCode[]

const attestationBody = z
  .strictObject({
    issuer: addressInput.optional().openapi({ description: 'Your own wallet, where given.' }),
    beneficiary: addressInput.openapi({ description: 'Who is owed, and will own the claim.' }),
    token: addressInput.openapi({ description: 'What the claim is to be paid in.' }),
    faceValue: positiveMoneyInput.openapi({ description: 'What is owed.' }),
    dueDate: timeInput.openapi({ description: 'When it is due.' }),
    claimType: z
      .int()
      .min(0)
      .max(CLAIM_TYPE_MAX)
      .openapi({ description: 'Index of the claim type; a vault takes those of its mandate.' }),
    documentHash: hashInput.openapi({
      description: 'Hash of the document. An issuer can have a document registered once.',
    }),
    validUntil: timeInput.optional().openapi({
      description:
        'The last second in which it can be registered, if it is not due before; a day from now unless given.',
    }),
  })
  .openapi('AttestationRequest')

export const preparedAttestation = z
  .object({
    claimId: hash.openapi({ description: 'The id that the claim will have.' }),
    typedData,
    digest: hash.openapi({ description: 'What the signature is over.' }),
    description: z.string().openapi({ description: 'What is attested, in plain words.' }),
    validUntil: time,
    blockNumber: z.int().openapi({ description: 'The finalized block on which everything was checked.' }),
  })
  .openapi('PreparedAttestation')

export const prepareAttestationRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/issuer/attestations/prepare',
    tags: ['Prepares'],
    operationId: 'prepareAttestation',
    summary: 'What an issuer signs about a claim',
    description:
      'Sign `typedData` with `eth_signTypedData_v4`. Its `message` and the signature, sent to `POST /claims/registration/prepare` by anyone, give the transaction that registers the claim.',
    request: {
      query: noQuery,
      body: { required: true, content: { 'application/json': { schema: attestationBody } } },
    },
    responses: {
      ...okJson('The typed data of the attestation.', preparedAttestation),
      ...problems(
        'VALIDATION_FAILED',
        'ISSUER_MISMATCH',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        ...attestationProblems,
        ...tokenProblems,
      ),
    },
  },
)
