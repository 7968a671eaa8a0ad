import { z } from '@hono/zod-openapi'
import { address } from '../../domain/address.ts'
import { hash } from '../../domain/hash.ts'
import { uint16, uint32, wholeNumber } from '../../domain/integer.ts'
import { JSON_ENTRIES_MAX } from '../../domain/limits.ts'
import { moneyInput, positiveMoneyInput } from '../../domain/money.ts'
import { vaultReasons } from '../../domain/reasons.ts'
import { time } from '../../domain/time.ts'
import { termsActions } from '../../prepare/terms.ts'
import { CLAIMS_NAMED, OPEN_CLAIMS_READ } from '../../prepare/terms-effects.ts'
import { finalizedThrough, okJson, orNull } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { preparedTransaction } from '../shared/prepared.ts'
import { problems, tokenProblems } from '../shared/problems.ts'
import { sides } from '../shared/refusal.ts'
import { foundToken, vaultName } from '../shared/vault-names.ts'
import { ofVault } from './shares.ts'
import { mandate, pricing } from './vaults.routes.ts'

const mandateInput = z
  .strictObject({
    supportedTypesBitmap: moneyInput.openapi({
      description:
        'Bitmap of supported claim types, as a decimal string: bit t is set if type t is supported.',
      example: '7',
    }),
    minDurationDays: uint32,
    maxDurationDays: uint32,
    minFace: positiveMoneyInput,
    maxFace: moneyInput,
    maxClaimFace: moneyInput,
    maxIssuerFace: moneyInput,
  })
  .openapi('MandateInput', { description: 'The whole mandate.' })

const pricingInput = z
  .strictObject({
    baseDiscountBps: uint16,
    durationBpsPerDay: uint16,
    premiumBps: z.array(uint16).max(JSON_ENTRIES_MAX).openapi({
      description: 'Premium by claim type, basis points; 0 for types beyond the end of the list.',
    }),
  })
  .openapi('PricingInput', { description: 'The whole pricing.' })

const termsBody = z
  .strictObject({
    action: z.enum(termsActions).default('submit').openapi({
      description:
        '`submit`: submits `mandate`, `pricing` or both. `accept`: puts the pending terms into effect after their notice, which every wallet may. `revoke`: takes back the pending terms.',
    }),
    mandate: mandateInput.optional(),
    pricing: pricingInput.optional(),
  })
  .refine(
    (body) => (body.action === 'submit') === (body.mandate !== undefined || body.pricing !== undefined),
    'must have mandate, pricing or both if the action is submit, and neither for another action',
  )
  .openapi('TermsRequest')

const count = wholeNumber.max(OPEN_CLAIMS_READ)

const effects = z
  .object({
    finalizedThrough,
    judged: count.openapi({
      description: 'Open claims in the token of the vault, those that are due first.',
    }),
    truncated: z.boolean().openapi({ description: `Whether there are more than ${OPEN_CLAIMS_READ}.` }),
    accepted: count.openapi({ description: 'Claims that the terms accept.' }),
    refused: count.openapi({ description: 'Claims that the terms refuse.' }),
    newlyAccepted: z.object({ count, claimIds: z.array(hash).max(CLAIMS_NAMED) }).openapi({
      description: 'Claims that the present terms refuse and these accept: how many, and the first ones.',
    }),
    newlyRefused: z
      .object({
        count,
        claims: z
          .array(z.object({ claimId: hash, reason: z.enum(vaultReasons), ...sides }))
          .max(CLAIMS_NAMED),
      })
      .openapi({
        description: 'Claims that the present terms accept and these refuse: how many, and the first ones.',
      }),
    openRoutes: count.openapi({
      description:
        'Routes with a leg of the vault that were prepared here and whose deadline has not passed.',
    }),
    brokenRoutes: count.openapi({
      description:
        'Those that would revert if the terms were in effect: a leg is refused, or advances less than its minimum.',
    }),
  })
  .openapi('TermsEffects', {
    description:
      'Effects of the terms, as if they were in effect at `finalizedThrough`. Liquidity does not count. What the vault has financed stays as it is.',
  })

export const preparedTerms = preparedTransaction
  .extend({
    vault: address,
    vaultName,
    tokenInfo: foundToken,
    action: z.enum(termsActions),
    mandate,
    pricing,
    atOnce: z.boolean().openapi({
      description:
        'Whether the transaction puts the terms into effect. Otherwise, any wallet can after the notice.',
    }),
    effectiveAt: orNull(time).openapi({
      description:
        'Earliest time at which the terms can be in effect, by the latest block; null for `revoke`.',
    }),
    replacesPending: z.boolean().openapi({
      description: 'Whether the submission replaces terms that are pending.',
    }),
    effects: orNull(effects).openapi({
      description: 'Null for `revoke`, and while the projection does not answer.',
    }),
  })
  .openapi('PreparedTerms')

export type Effects = z.output<typeof effects>

export const prepareTermsRoute = defineRoute(
  { access: 'wallet', limit: 'prepare', minBlock: 'chain' },
  {
    method: 'post',
    path: '/vaults/{vault}/terms/prepare',
    tags: ['Prepares'],
    operationId: 'prepareTerms',
    summary: 'Prepare the transaction that changes the terms of a vault',
    description:
      'The curator submits mandate, pricing or both; the other half stays as it is in effect at the latest block. Terms with no wider limit and no lower rate take effect at once, all others after the notice of the vault. The registry gives the activation of a vault to its managers, so none is prepared here.',
    request: {
      params: ofVault,
      body: { required: true, content: { 'application/json': { schema: termsBody } } },
    },
    responses: {
      ...okJson('The transaction, which needs no approval.', preparedTerms),
      ...problems(
        'VALIDATION_FAILED',
        'CURATOR_MISMATCH',
        'VAULT_NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'TERMS_INVALID',
        'NO_PENDING_TERMS',
        'NOTICE_NOT_OVER',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
        ...tokenProblems,
      ),
    },
  },
)
