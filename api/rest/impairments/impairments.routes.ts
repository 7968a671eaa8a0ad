import { z } from '@hono/zod-openapi'
import { address } from '../../domain/address.ts'
import { hash, hashInput } from '../../domain/hash.ts'
import { sliceIndex } from '../../domain/integer.ts'
import { money, moneyInput } from '../../domain/money.ts'
import { okJson } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { preparedTransaction } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { foundToken, vaultName } from '../shared/vault-names.ts'

const body = z
  .strictObject({
    sliceIndex: sliceIndex.openapi({ description: 'Slice of the claim, from 0.' }),
    carryingValue: moneyInput.optional().openapi({
      description:
        'Carrying value of the slice after the impairment, base units. Only the curator may set a value above 0. Default: 0.',
    }),
  })
  .openapi('ImpairmentRequest')

export const preparedImpairment = preparedTransaction
  .extend({
    claimId: hash,
    sliceIndex,
    vault: address,
    vaultName,
    faceAmount: money,
    advanceAmount: money,
    loss: money.openapi({ description: 'Part of the advance that the impairment writes down, base units.' }),
    carryingValue: money,
    tokenInfo: foundToken,
  })
  .openapi('PreparedImpairment')

export const prepareImpairmentRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/claims/{claimId}/impairment/prepare',
    tags: ['Prepares'],
    operationId: 'prepareImpairment',
    summary: 'Prepare the transaction that impairs an overdue slice of a claim',
    description:
      'From 30 days after the due date, the curator of the vault can impair the slice to any lower carrying value; from 90 days after it, any wallet can impair it to zero. A later payment is a recovery.',
    request: {
      params: z.object({ claimId: hashInput }),
      body: { required: true, content: { 'application/json': { schema: body } } },
    },
    responses: {
      ...okJson('The transaction, which needs no approval.', preparedImpairment),
      ...problems(
        'VALIDATION_FAILED',
        'CURATOR_REQUIRED',
        'CLAIM_NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'ALLOCATION_NOT_OUTSTANDING',
        'IMPAIRMENT_TOO_EARLY',
        'CARRYING_VALUE_NOT_LOWER',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
