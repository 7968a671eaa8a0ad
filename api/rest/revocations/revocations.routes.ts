import { z } from '@hono/zod-openapi'
import { hash, hashInput } from '../../domain/hash.ts'
import { okJson } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { preparedTransaction } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'

export const preparedRevocation = preparedTransaction
  .extend({
    claimId: hash,
  })
  .openapi('PreparedRevocation')

export const prepareRevocationRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/claims/{claimId}/revocation/prepare',
    tags: ['Prepares'],
    operationId: 'prepareRevocation',
    summary: 'Prepare the transaction that revokes a claim of the issuer',
    description:
      'Only the issuer can revoke, as long as the claim can be financed. A claim that no vault has financed becomes REVOKED: nothing is owed, and a corrected attestation of the same document can be registered. A partially funded claim becomes CLOSED: the rest cannot be financed, and the whole face stays owed.',
    request: {
      params: z.object({ claimId: hashInput }),
      body: { required: false, content: { 'application/json': { schema: z.strictObject({}) } } },
    },
    responses: {
      ...okJson('The transaction.', preparedRevocation),
      ...problems(
        'VALIDATION_FAILED',
        'ISSUER_MISMATCH',
        'CLAIM_NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'CLAIM_NOT_REVOCABLE',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
