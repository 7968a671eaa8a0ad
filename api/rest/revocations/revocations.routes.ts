import { z } from '@hono/zod-openapi'
import { address } from '../../domain/address.ts'
import { hash, hashInput } from '../../domain/hash.ts'
import { money, moneyInput } from '../../domain/money.ts'
import { okJson } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { preparedTransaction } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { repayments } from '../shared/repayments.ts'
import { foundToken } from '../shared/vault-names.ts'

const revocationBody = z
  .strictObject({
    maxAmount: moneyInput.optional().openapi({
      description:
        'Maximum that the wallet pays, base units, if the claim is financed further before the transaction is mined. Minimum and default: the face that is financed at `blockNumber`.',
    }),
  })
  .openapi('RevocationRequest')

export const preparedRevocation = preparedTransaction
  .extend({
    claimId: hash,
    token: address,
    tokenInfo: foundToken,
    repayments,
    maxAmount: money.openapi({ description: 'Maximum taken from the wallet, base units.' }),
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
      'Only the issuer can revoke, as long as the claim is not settled. The issuer pays each vault the face that it financed. A corrected attestation of the same document can be registered afterwards.',
    request: {
      params: z.object({ claimId: hashInput }),
      body: { required: false, content: { 'application/json': { schema: revocationBody } } },
    },
    responses: {
      ...okJson('The transaction, with the approvals to send before it.', preparedRevocation),
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
