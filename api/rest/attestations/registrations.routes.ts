import { z } from '@hono/zod-openapi'
import { addressInput } from '../../domain/address.ts'
import { hash, hashInput } from '../../domain/hash.ts'
import { CLAIM_TYPE_MAX } from '../../domain/limits.ts'
import { moneyInput, positiveMoneyInput } from '../../domain/money.ts'
import { okJson } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { preparedTransaction } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { signatureInput } from '../shared/signature.ts'
import { attestationProblems } from './attestations.routes.ts'

/** Unix seconds as typed data carries them: a decimal string of 64 bits. */
const seconds = moneyInput
  .refine((value) => value < 2n ** 64n, 'must be Unix seconds of 64 bits')
  .openapi({
    maxLength: (2n ** 64n).toString().length,
    description: 'Unix seconds, as a decimal string.',
    example: '1798718400',
  })

const claimType = moneyInput
  .refine((value) => value <= CLAIM_TYPE_MAX, `must be at most ${CLAIM_TYPE_MAX}`)
  .transform(Number)
  .openapi({
    maxLength: CLAIM_TYPE_MAX.toString().length,
    description: 'Claim type, as a decimal string.',
    example: '0',
  })

export const attestationMessage = z
  .strictObject({
    issuer: addressInput,
    beneficiary: addressInput,
    token: addressInput,
    faceValue: positiveMoneyInput,
    dueDate: seconds,
    claimType,
    documentHash: hashInput,
    validUntil: seconds,
  })
  .openapi({ description: 'The `message` of the typed data that the issuer signed, unchanged.' })

const registrationBody = z
  .strictObject({
    attestation: attestationMessage,
    signature: signatureInput.openapi({
      description: 'Signature of the issuer: of a key (65 bytes), or of a contract wallet (ERC-1271).',
    }),
  })
  .openapi('RegistrationRequest')

export const preparedRegistration = preparedTransaction
  .extend({ claimId: hash.openapi({ description: 'Id of the future claim.' }) })
  .openapi('PreparedRegistration')

export const prepareRegistrationRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/claims/registration/prepare',
    tags: ['Prepares'],
    operationId: 'prepareRegistration',
    summary: 'Prepare the transaction that registers an attested claim',
    description: 'Anyone may register an attestation. The claim belongs to the beneficiary that it names.',
    request: {
      body: { required: true, content: { 'application/json': { schema: registrationBody } } },
    },
    responses: {
      ...okJson('The transaction, which needs no approval.', preparedRegistration),
      ...problems(
        'VALIDATION_FAILED',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'ATTESTATION_SIGNATURE_INVALID',
        ...attestationProblems,
        ...tokenProblems,
      ),
    },
  },
)
