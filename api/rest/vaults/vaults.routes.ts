import { z } from '@hono/zod-openapi'
import { address, addressInput } from '../../domain/address.ts'
import {
  basisPoints,
  changeBps,
  claimTypeNumber,
  tokenDecimals,
  uint16,
  uint32,
  wholeNumber,
} from '../../domain/integer.ts'
import { CLAIM_TYPE_MAX } from '../../domain/limits.ts'
import { money, sharePrice } from '../../domain/money.ts'
import { time } from '../../domain/time.ts'
import { okRead } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { pageOf, pageQuery } from '../shared/pagination.ts'
import { problems, readProblems } from '../shared/problems.ts'
import { tokenInfo } from '../shared/token-info.ts'

const CLAIM_TYPES = CLAIM_TYPE_MAX + 1

const mandate = z.object({
  supportedTypesBitmap: money.openapi({
    description: 'Bitmap of supported claim types, as a decimal string: bit t is set if type t is supported.',
    example: '7',
  }),
  supportedTypes: z
    .array(claimTypeNumber)
    .max(CLAIM_TYPES)
    .openapi({ description: 'The supported claim types as a list.' }),
  maxDurationDays: uint32.openapi({ description: 'Maximum number of whole days to the due date.' }),
  minFace: money.openapi({ description: 'Smallest lot, base units of face.' }),
  maxFace: money.openapi({ description: 'Largest lot, base units of face.' }),
})

const capital = z.object({
  totalAssets: money.openapi({
    description:
      'Value of all shares at the time of the finalized block of the answer: idle assets, plus the carrying value of outstanding allocations, less locked profit, base units.',
  }),
  sharePrice: sharePrice.openapi({
    description:
      'Value of one whole share (10^shareDecimals base units), base units of the token, rounded down: `convertToAssets` of the contract.',
  }),
  yieldToDateBps: changeBps.openapi({
    description:
      'Change of the share price since the first deposit, basis points, rounded down; negative after losses.',
  }),
  lockedProfit: money.openapi({
    description: 'Gains that are not yet part of `totalAssets`, base units. Each gain unlocks over 30 days.',
  }),
  fundableLiquidity: money.openapi({ description: 'Amount that the vault can advance now, base units.' }),
  outstandingFace: money,
  outstandingAdvance: money,
  outstandingImpairment: money.openapi({
    description: 'Written-down part of `outstandingAdvance`, base units.',
  }),
  impairedFace: money.openapi({ description: 'Face of impaired allocations, base units.' }),
  overdueFace: money.openapi({
    description: 'Outstanding face of claims that are past due and neither settled nor revoked, base units.',
  }),
  totalShares: money,
  discountEarned: money.openapi({ description: 'Discount booked as gain by repayments, base units.' }),
})

const pricing = z.object({
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
    shareDecimals: tokenDecimals.openapi({
      description: 'Decimals of the shares, equal to those of the token.',
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
    responses: { ...okRead('A page of vaults.', pageOf(vault)), ...problems(...readProblems) },
  },
)
