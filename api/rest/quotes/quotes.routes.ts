import { z } from '@hono/zod-openapi'
import { address, addressInput } from '../../domain/address.ts'
import { hash, hashInput } from '../../domain/hash.ts'
import { basisPoints, wholeNumber } from '../../domain/integer.ts'
import { money, positiveMoneyInput } from '../../domain/money.ts'
import { claimReasons, vaultReasons } from '../../domain/reasons.ts'
import { time } from '../../domain/time.ts'
import { okJson, orNull } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { issues } from '../shared/prepared.ts'
import { problems } from '../shared/problems.ts'
import { sides } from '../shared/refusal.ts'
import { pendingChanges } from '../shared/unfinalized.ts'
import { foundToken, vaultName } from '../shared/vault-names.ts'

const previewBody = z
  .strictObject({
    claimId: hashInput.openapi({ description: 'Id of any claim.' }),
    faceAmount: positiveMoneyInput.optional().openapi({
      description: 'Face to quote, base units. Default: the most that each vault takes.',
    }),
    vault: addressInput.optional().openapi({ description: 'Vault that quotes. Default: all vaults.' }),
  })
  .openapi('QuotePreviewRequest')

const quote = z
  .object({
    vault: address,
    vaultName,
    faceAmount: money,
    discountAmount: money.openapi({
      description: '`faceAmount` less `advanceAmount`, base units, rounded up.',
    }),
    advanceAmount: money.openapi({ description: 'Advance for the face, base units.' }),
    issues: issues.openapi({
      description:
        'Reasons why the quote is already impossible at the latest block, which is not final. Empty if none is known.',
    }),
    totalBps: basisPoints.openapi({ description: 'Rate of the vault, basis points of face.' }),
    effectiveDiscountBps: basisPoints.openapi({
      description: 'discountAmount over faceAmount, basis points, rounded up: at least `totalBps`.',
    }),
  })
  .openapi('VaultQuote')

const refusal = z
  .object({ reason: z.enum([...claimReasons, 'FACE_EXCEEDS_REMAINING']), ...sides })
  .openapi('ClaimRefusal', {
    description:
      'Reason why no vault can finance the claim. For `DUE_WITHIN_DEADLINE`, `have` is the due date and `need` the first second after the deadline, Unix seconds.',
  })

const refusedVault = z
  .object({ vault: address, vaultName, reason: z.enum(vaultReasons), ...sides })
  .openapi('RefusedVault')

export const quotePreview = z
  .object({
    claimId: hash,
    token: address.openapi({ description: 'Token of all amounts of the answer.' }),
    tokenInfo: foundToken,
    remainingFace: money.openapi({ description: 'Face of the claim that is not financed.' }),
    dueDate: time,
    refusal: orNull(refusal).openapi({
      description: 'Reason why no vault can finance the claim; null if vaults were asked for quotes.',
    }),
    routeRefusal: orNull(refusal).openapi({
      description:
        'Reason why `POST /routes/optimize` with its default deadline leaves out a claim that is quoted here: the claim is due before the last second for which a route is planned. Null otherwise. A route also leaves out vaults that are quoted here whose `minDurationDays` the claim does not have at that second.',
    }),
    quotes: z
      .array(quote)
      .openapi({ description: 'The quotes are ordered by discount per face, lowest first, then by vault.' }),
    refusedVaults: z.array(refusedVault).openapi({ description: 'The entries are ordered by vault.' }),
    blockNumber: wholeNumber.openapi({ description: 'Number of the finalized block of the quotes.' }),
    pendingChanges,
  })
  .openapi('QuotePreview')

export const previewQuotesRoute = defineRoute(
  { access: 'public', limit: 'quote', minBlock: 'chain' },
  {
    method: 'post',
    path: '/quotes/preview',
    tags: ['Routes'],
    operationId: 'previewQuotes',
    summary: 'Quote a claim with each vault',
    description:
      'Quotes of the vault contracts at one finalized block. They are not binding, and no liquidity is reserved. A quote can be prepared by `POST /executions/prepare` with its default deadline, as long as nothing changes. If no vault can finance the claim, `refusal` has the reason.',
    request: {
      body: { required: true, content: { 'application/json': { schema: previewBody } } },
    },
    responses: {
      ...okJson('Quotes, and the reasons of the vaults that give none.', quotePreview),
      ...problems(
        'VALIDATION_FAILED',
        'CLAIM_NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'RATE_LIMITED',
        'INTERNAL',
        'CHAIN_UNAVAILABLE',
        'CHAIN_BEHIND',
      ),
    },
  },
)
