import { z } from '@hono/zod-openapi'
import { hash } from '../../domain/hash.ts'
import { okJson } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { preparedTransaction } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { attestationMessage } from './registrations.routes.ts'

const cancellationBody = z
  .strictObject({ attestation: attestationMessage })
  .openapi('AttestationCancellationRequest')

export const preparedAttestationCancellation = preparedTransaction
  .extend({ claimId: hash.openapi({ description: 'Id of the claim that cannot be registered afterwards.' }) })
  .openapi('PreparedAttestationCancellation')

export const prepareAttestationCancellationRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/issuer/attestations/cancellation/prepare',
    tags: ['Prepares'],
    operationId: 'prepareAttestationCancellation',
    summary: 'Prepare the transaction that cancels an attestation of the issuer',
    description:
      'Only the issuer can cancel an attestation, as long as it is not registered. `POST /claims/{claimId}/revocation/prepare` revokes a registered claim.',
    request: {
      body: { required: true, content: { 'application/json': { schema: cancellationBody } } },
    },
    responses: {
      ...okJson('The transaction, which needs no approval.', preparedAttestationCancellation),
      ...problems(
        'VALIDATION_FAILED',
        'ISSUER_MISMATCH',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'CLAIM_ALREADY_REGISTERED',
        'ATTESTATION_CANCELLED',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
