import { z } from '@hono/zod-openapi'
import { address, addressInput } from '../domain/address.ts'
import { hash, hashInput } from '../domain/hash.ts'
import { money, positiveMoneyInput } from '../domain/money.ts'
import { claimReasons, vaultReasons } from '../domain/reasons.ts'
import { time } from '../domain/time.ts'
import { defineRoute } from './define-route.ts'
import { sides } from './refusal-wire.ts'
import { noQuery, okJson, orNull, problems } from './wire.ts'

const previewBody = z
  .strictObject({
    claimId: hashInput.openapi({ description: 'Any claim; nobody has to own it.' }),
    faceAmount: positiveMoneyInput.optional().openapi({
      description: 'How much of its face. Unless given, each vault quotes the most that it takes.',
    }),
    vault: addressInput.optional().openapi({ description: 'The only vault to ask. All unless given.' }),
  })
  .openapi('QuotePreviewRequest')

const quote = z
  .object({
    vault: address,
    faceAmount: money,
    discountAmount: money.openapi({ description: 'What the vault keeps of the face; rounded up.' }),
    advance: money.openapi({ description: 'What it pays for the face.' }),
    totalBps: z.int().openapi({ description: 'The discount in basis points, before rounding.' }),
  })
  .openapi('VaultQuote')

const refusal = z
  .object({ reason: z.enum([...claimReasons, 'FACE_EXCEEDS_REMAINING']), ...sides })
  .openapi('ClaimRefusal', {
    description:
      'Why no vault can finance the claim, whatever its terms. Of `DUE_WITHIN_DEADLINE`, `have` is the due date and `need` the first second after the deadline, in Unix seconds.',
  })

const refusedVault = z
  .object({ vault: address, reason: z.enum(vaultReasons), ...sides })
  .openapi('RefusedVault')

export const quotePreview = z
  .object({
    claimId: hash,
    token: address.openapi({ description: 'The token of every amount here.' }),
    remainingFace: money.openapi({ description: 'Face of the claim that nobody has financed yet.' }),
    dueDate: time,
    refusal: orNull(refusal).openapi({ description: 'Null where it is for the vaults to say.' }),
    routeRefusal: orNull(refusal).openapi({
      description:
        'Why `POST /routes/optimize` with its default deadline leaves out a claim that is quoted here: it falls due before the last second for which a route is planned. Null where it does not.',
    }),
    quotes: z.array(quote).openapi({ description: 'Cheapest first: by discount per face, then by vault.' }),
    refusedVaults: z.array(refusedVault).openapi({ description: 'Ordered by vault.' }),
    blockNumber: z.int().openapi({ description: 'The finalized block at which the vaults were asked.' }),
  })
  .openapi('QuotePreview')

export const previewQuotesRoute = defineRoute(
  { access: 'public', limit: 'quote', minBlock: 'chain' },
  {
    method: 'post',
    path: '/quotes/preview',
    tags: ['Routes'],
    operationId: 'previewQuotes',
    summary: 'What each vault would pay for a claim now',
    description:
      'Asks the vaults themselves, at one finalized block. Not binding: nothing is reserved. What is quoted can be prepared by `POST /executions/prepare` with its default deadline, as long as nothing changes. A claim that no vault can finance is answered with the reason.',
    request: {
      query: noQuery,
      body: { required: true, content: { 'application/json': { schema: previewBody } } },
    },
    responses: {
      ...okJson('The quotes, and why the other vaults give none.', quotePreview),
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
