import { z } from '@hono/zod-openapi'
import { address, addressInput } from '../domain/address.ts'
import { money } from '../domain/money.ts'
import { time } from '../domain/time.ts'
import { okJson } from './answer.ts'
import { defineRoute } from './define-route.ts'
import { pageOf, pageQuery } from './pagination.ts'
import { problems, readProblems } from './problems.ts'

const mandate = z.object({
  supportedTypesBitmap: money.openapi({
    description:
      'Bitmap of supported claim types, as a decimal string: bit t is set where type t is supported.',
    example: '7',
  }),
  supportedTypes: z.array(z.int()).openapi({ description: 'The supported claim types as a list.' }),
  maxDurationDays: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .openapi({ description: 'Maximum number of whole days to the due date.' }),
  minFace: money.openapi({ description: 'Smallest lot, base units of face.' }),
  maxFace: money.openapi({ description: 'Largest lot, base units of face.' }),
})

const capital = z.object({
  totalAssets: money.openapi({
    description:
      'Value of all shares at the time of the finalized block of the answer: idle assets plus carrying value of outstanding allocations less locked profit, base units.',
  }),
  lockedProfit: money.openapi({
    description: 'Gains that are not part of totalAssets yet: each unlocks over 30 days. Base units.',
  }),
  fundableLiquidity: money.openapi({ description: 'Amount that the vault can advance now, base units.' }),
  outstandingFace: money,
  outstandingAdvance: money,
  outstandingImpairment: money.openapi({
    description: 'Part of outstandingAdvance that is written down, base units.',
  }),
  impairedFace: money.openapi({ description: 'Face of the allocations that are written down, base units.' }),
  overdueFace: money.openapi({
    description: 'Outstanding face of claims that are past due and neither settled nor revoked, base units.',
  }),
  totalShares: money,
  discountEarned: money.openapi({ description: 'Discount booked as gain by repayments, base units.' }),
})

const pricing = z.object({
  baseDiscountBps: z.int(),
  durationBpsPerDay: z.int(),
  premiumBps: z.array(z.int()).openapi({
    description: 'Premium by claim type, basis points; 0 for types beyond the end of the list.',
  }),
})

const vault = z
  .object({
    vault: address,
    token: address,
    name: z.string(),
    symbol: z.string(),
    curator: address,
    active: z.boolean(),
    fundableLiquidity: money.openapi({ description: 'Same value as `capital.fundableLiquidity`.' }),
    mandate,
    capital,
    pricing,
    registeredAt: time,
    registeredBlock: z.int(),
  })
  .openapi('Vault')

export const listVaults = defineRoute(
  { access: 'public', limit: 'default', minBlock: 'projection', isConditional: true, isKept: true },
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
    responses: { ...okJson('A page of vaults.', pageOf(vault)), ...problems(...readProblems) },
  },
)
