import { z } from '@hono/zod-openapi'
import { address, addressInput } from '../../domain/address.ts'
import {
  basisPoints,
  changeBps,
  claimTypeNumber,
  shareDecimals,
  uint16,
  uint32,
  wholeNumber,
} from '../../domain/integer.ts'
import { CLAIM_TYPE_MAX } from '../../domain/limits.ts'
import { money, sharePrice } from '../../domain/money.ts'
import { time } from '../../domain/time.ts'
import { okRead } from '../shared/answer.ts'
import { asOfProblems } from '../shared/as-of.ts'
import { defineRoute } from '../shared/define-route.ts'
import { pageOf, pageQuery } from '../shared/pagination.ts'
import { problems, readProblems } from '../shared/problems.ts'
import { tokenInfo } from '../shared/token-info.ts'

const CLAIM_TYPES = CLAIM_TYPE_MAX + 1

export const mandate = z.object({
  supportedTypesBitmap: money.openapi({
    description: 'Bitmap of supported claim types, as a decimal string: bit t is set if type t is supported.',
    example: '7',
  }),
  supportedTypes: z
    .array(claimTypeNumber)
    .max(CLAIM_TYPES)
    .openapi({ description: 'The supported claim types as a list.' }),
  minDurationDays: uint32.openapi({
    description: 'Minimum number of whole days from the financing to the due date.',
  }),
  maxDurationDays: uint32.openapi({ description: 'Maximum number of whole days to the due date.' }),
  minFace: money.openapi({ description: 'Smallest lot, base units of face.' }),
  maxFace: money.openapi({ description: 'Largest lot, base units of face.' }),
  maxClaimFace: money.openapi({ description: 'Largest face of one claim that the vault holds, base units.' }),
  maxIssuerFace: money.openapi({
    description:
      'Largest face that the claims of one issuer owe the vault, base units. 2^256 - 1 is no limit.',
  }),
})

const capital = z.object({
  totalAssets: money.openapi({
    description:
      'Value of all shares to those who redeem them, at the time of the finalized block of the answer, base units: `entryAssets` less losses, rounded down; at least 0.',
  }),
  entryAssets: money.openapi({
    description:
      'Value of all shares at which deposits issue shares, at the same time, base units: idle assets, advances of outstanding allocations, and the discount that time has earned. Losses do not lower it.',
  }),
  sharePrice: sharePrice.openapi({
    description:
      'Value of one whole share (10^shareDecimals base units) to those who redeem it, base units of the token, rounded down: `convertToAssets` of the contract.',
  }),
  entryPrice: sharePrice.openapi({
    description:
      'Price of one whole share to those who enter, base units of the token, rounded up: `previewMint` of the contract.',
  }),
  yieldToDateBps: changeBps.openapi({
    description:
      'Change of the share price since the first deposit, basis points, rounded down; negative after losses.',
  }),
  writtenDown: money.openapi({
    description:
      'Loss of overdue allocations, base units, rounded up. The face of each declines to 0 in the 90 days that follow its due day (UTC).',
  }),
  fundableLiquidity: money.openapi({ description: 'Amount that the vault can advance now, base units.' }),
  outstandingFace: money,
  outstandingAdvance: money,
  overdueFace: money.openapi({
    description: 'Financed face that is past due and not paid, base units.',
  }),
  totalShares: money,
  discountEarned: money.openapi({ description: 'Discount booked as gain by repayments, base units.' }),
})

export const pricing = z.object({
  baseDiscountBps: basisPoints,
  durationBpsPerDay: uint16,
  premiumBps: z.array(basisPoints).max(CLAIM_TYPES).openapi({
    description: 'Premium by claim type, basis points; 0 for types beyond the end of the list.',
  }),
})

export const vault = z
  .object({
    address: address.openapi({ description: 'Address of the vault.' }),
    token: address,
    tokenInfo,
    name: z.string(),
    symbol: z.string(),
    shareDecimals: shareDecimals.openapi({
      description: 'Decimals of the shares: 6 more than the token has.',
    }),
    curator: address,
    active: z.boolean(),
    fundableLiquidity: money.openapi({ description: 'Same value as `capital.fundableLiquidity`.' }),
    mandate,
    capital,
    pricing,
    registeredAt: time,
    registeredBlock: wholeNumber,
  })
  .openapi('Vault')

export const listVaults = defineRoute(
  { access: 'public', limit: 'default', minBlock: 'projection', isConditional: true },
  {
    method: 'get',
    path: '/vaults',
    tags: ['Reads'],
    operationId: 'listVaults',
    summary: 'List vaults with mandate, capital and pricing, in the order of registration',
    request: {
      query: pageQuery.extend({
        active: z
          .enum(['true', 'false', 'all'], { error: 'must be true, false or all' })
          .default('true')
          .openapi({
            description: '`true`: active vaults. `false`: inactive vaults. `all`: both. Default: `true`.',
          }),
        token: addressInput.optional().openapi({ description: 'Only vaults of this token.' }),
      }),
    },
    responses: {
      ...okRead('A page of vaults.', pageOf(vault)),
      ...problems(...readProblems, ...asOfProblems),
    },
  },
)
