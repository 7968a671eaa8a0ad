import { z } from '@hono/zod-openapi'
import { addressInput } from '../../domain/address.ts'
import { hash, hashInput } from '../../domain/hash.ts'
import { claimTypeNumber, wholeNumber } from '../../domain/integer.ts'
import { positiveMoneyInput } from '../../domain/money.ts'
import { time, timeInput } from '../../domain/time.ts'
import type { ErrorCode } from '../../errors.ts'
import { okJson } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { typedData } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { sentence } from '../shared/texts.ts'
import { pendingChanges } from '../shared/unfinalized.ts'

/** Why the registry takes no claim of an attestation. */
export const attestationProblems = [
  'ISSUER_INACTIVE',
  'ATTESTATION_EXPIRED',
  'CLAIM_ALREADY_REGISTERED',
  'ATTESTATION_CANCELLED',
  'BENEFICIARY_INVALID',
  'TOKEN_NOT_LISTED',
  'FACE_VALUE_TOO_LARGE',
  'DUE_DATE_NOT_IN_FUTURE',
  'CHAIN_UNAVAILABLE',
  'CHAIN_BEHIND',
] as const satisfies readonly ErrorCode[]

const attestationBody = z
  .strictObject({
    issuer: addressInput
      .optional()
      .openapi({ description: 'Must be the signed-in wallet. Default: the signed-in wallet.' }),
    beneficiary: addressInput.openapi({ description: 'Wallet that is owed the face and owns the claim.' }),
    token: addressInput.openapi({ description: 'Token in which the claim is paid; it must be listed.' }),
    faceValue: positiveMoneyInput.openapi({ description: 'Amount owed, base units of the token.' }),
    dueDate: timeInput.openapi({ description: 'Time at which the face is due.' }),
    claimType: claimTypeNumber.openapi({
      description: 'Claim type. The mandates of vaults list the types that they finance.',
    }),
    documentHash: hashInput.openapi({
      description:
        'Hash of the document. An issuer has at most one claim on a document, revoked claims aside.',
    }),
    validUntil: timeInput.optional().openapi({
      description:
        'Last second in which the attestation can be registered, unless the claim is due earlier. Default: one day from now.',
    }),
  })
  .openapi('AttestationRequest')

export const preparedAttestation = z
  .object({
    claimId: hash.openapi({ description: 'Id of the future claim.' }),
    typedData,
    digest: hash.openapi({ description: 'EIP-712 digest that the issuer signs: the `claimId`.' }),
    description: sentence.openapi({ description: 'The attested facts in words.' }),
    validUntil: time,
    blockNumber: wholeNumber.openapi({ description: 'Number of the finalized block of all checks.' }),
    pendingChanges,
  })
  .openapi('PreparedAttestation')

export const prepareAttestationRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/issuer/attestations/prepare',
    tags: ['Prepares'],
    operationId: 'prepareAttestation',
    summary: 'Prepare an attestation for an issuer to sign',
    description:
      'Sign `typedData` with `eth_signTypedData_v4`. Anyone can send its `message` and the signature to `POST /claims/registration/prepare` and gets the transaction that registers the claim.',
    request: {
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
