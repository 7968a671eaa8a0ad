/**
 * Conditions on claims that are not those of one column: what a claim is at the time of the block, and what its issuer
 * is.
 */
import { financeableStates } from '../../../domain/claim.ts'
import { MAX_SLICES_PER_CLAIM } from '../../../domain/limits.ts'
import { BLOCK_TIME, type Filter } from '../../../projection/sql/filter.ts'
import type { claims } from '../../../projection/tables/claim.ts'
import type { DerivedField } from '../../kit/filter.ts'

type ClaimFilter = Filter<keyof typeof claims.columns>

const isMatured = (matured: boolean): ClaimFilter => ({
  column: 'dueAt',
  is: matured ? 'lte' : 'gt',
  value: BLOCK_TIME,
})

const ACTIVE_ISSUERS = {
  table: 'issuer',
  key: 'address',
  where: { column: 'active', is: 'eq', value: true },
} as const

const hasActiveIssuer = (active: boolean): ClaimFilter => ({
  column: 'issuer',
  is: active ? 'in' : 'notIn',
  keys: ACTIVE_ISSUERS,
})

/** As `claimRefusal`, at the one moment of the block. A claim has remaining face in exactly these states. */
const isFinanceable: readonly ClaimFilter[] = [
  { column: 'state', is: 'in', values: financeableStates },
  isMatured(false),
  { column: 'sliceCount', is: 'lt', value: MAX_SLICES_PER_CLAIM },
  hasActiveIssuer(true),
]
const isNotFinanceable: ClaimFilter = {
  or: [
    { column: 'state', is: 'notIn', values: financeableStates },
    isMatured(true),
    { column: 'sliceCount', is: 'gte', value: MAX_SLICES_PER_CLAIM },
    hasActiveIssuer(false),
  ],
}

export const claimConditions: { readonly [field: string]: DerivedField<keyof typeof claims.columns> } = {
  matured: {
    conditions: (value) => [isMatured(value)],
    description:
      'Whether the due date is at or before the time of the finalized block of the answer: the field `matured`.',
  },
  issuerActive: {
    conditions: (value) => [hasActiveIssuer(value)],
    description:
      'Whether the issuer is active at the finalized block of the answer: the field `issuer { active }`.',
  },
  financeable: {
    conditions: (value) => (value ? isFinanceable : [isNotFinanceable]),
    description:
      'Whether a vault may finance part of the claim at the finalized block of the answer: its state is ELIGIBLE or PARTIALLY_FUNDED, its due date is after the time of the block, fewer than 8 slices are used, and its issuer is active. `POST /api/v1/quotes/preview` states whether a vault does: mandates, liquidity and the router decide.',
  },
}
