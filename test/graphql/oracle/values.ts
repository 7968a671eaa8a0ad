/** Values that are computed from a row, by the place of the field, or by its name alone. */
import { claimStates, isMatured, overdueSince, slicesRemaining } from '../../../api/domain/claim.ts'
import { effectiveDiscountBps } from '../../../api/domain/discount.ts'
import { SECONDS_PER_DAY } from '../../../api/domain/limits.ts'
import { concentrationValues } from './concentration.ts'
import { maturityValues } from './maturities.ts'
import type { Args } from './pages.ts'
import { recordValues } from './payment-records.ts'
import { positionValues } from './positions.ts'
import { nodeOf } from './relations.ts'
import { find, integer, type Row, rowsOf, text, type World } from './rows.ts'
import { exposureOf, overdueFaceOf, seriesOf } from './series.ts'
import { statementValues } from './statements.ts'
import { vaultValues } from './vaults.ts'

type Compute = (row: Row, world: World, args: Args) => unknown

const self: Compute = (row) => row

const difference =
  (from: string, less: string): Compute =>
  (row) =>
    integer(row, from) - integer(row, less)

const rate =
  (face: string, advance: string): Compute =>
  (row) =>
    Number(effectiveDiscountBps(integer(row, face) - integer(row, advance), integer(row, face)))

/** The claim or the vault of an entry; of an execution, the one that all of its legs share. */
const subject =
  (type: string, column: string): Compute =>
  (entry, world) => {
    const legs = rowsOf(world, 'ExecutionLeg').filter((leg) => leg.executionId === entry.executionId)
    const rows = entry.executionId === null ? [entry] : legs
    const [key = null, ...others] = new Set(rows.map((row) => row[column]))
    return others.length === 0 ? find(world, type, key) : null
  }

export const computed: { readonly [place: string]: Compute | undefined } = {
  ...vaultValues,
  ...positionValues,
  ...maturityValues,
  ...concentrationValues,
  ...recordValues,
  ...statementValues,
  'Query._meta': () => ({}),
  'Query.router': (_, world) => find(world, 'Router', world.router),
  'Query.node': (_, world, { id }) => nodeOf(world, id),
  'Query.nodes': (_, world, { ids }) => (Array.isArray(ids) ? ids : []).map((id) => nodeOf(world, id)),
  'Query.marketSeries': (_, world, args) => seriesOf(world, 'TokenDay', { token: String(args.token) }, args),
  'Query.marketExposure': (_, world, { token }) => exposureOf(world, 'TokenDay', { token: String(token) }),
  'Meta.finalizedThrough': (_, { block }) => block,
  'Vault.mandate': self,
  'Vault.pricing': self,
  'Vault.capital': self,
  'PendingTerms.mandate': self,
  'PendingTerms.pricing': self,
  'Vault.series': ({ address = null, token = null }, world, args) =>
    seriesOf(world, 'VaultDay', { vault: address, token }, args),
  'Capital.overdueFace': ({ address = null }, world) => overdueFaceOf(world, { vault: address }),
  'Issuer.series': ({ address = null }, world, args) =>
    seriesOf(world, 'IssuerDay', { issuer: address, token: String(args.token) }, args),
  'Issuer.exposure': ({ address = null }, world, { token }) =>
    exposureOf(world, 'IssuerDay', { issuer: address, token: String(token) }),
  'Issuer.label': (issuer, { labels }) => labels.issuers[text(issuer, 'address')] ?? null,
  claimTypeLabel: ({ claimType }, { labels }) => labels.claimTypes[Number(claimType)] ?? null,
  'VaultTerms.totalBps': (terms, _, { daysToDue }) =>
    integer(terms, 'totalBpsNow') + integer(terms, 'durationBpsPerDay') * BigInt(Number(daysToDue)),
  matured: (claim, { block }) => isMatured({ dueAt: integer(claim, 'dueAt') }, block.timestamp),
  overdueSince: (claim, { block }) => {
    const state = claimStates.find((one) => one === claim.state) ?? 'ELIGIBLE'
    return overdueSince({ dueAt: integer(claim, 'dueAt'), state }, block.timestamp)
  },
  daysToDue: (claim, { block }) => {
    const seconds = integer(claim, 'dueAt') - block.timestamp
    return seconds > 0n ? seconds / SECONDS_PER_DAY : null
  },
  slicesRemaining: (claim) => slicesRemaining({ sliceCount: Number(claim.sliceCount) }),
  remainingFace: difference('faceValue', 'financedFaceValue'),
  discountAmount: difference('faceAmount', 'advanceAmount'),
  'AllocationGroup.unpaidFace': difference('faceAmount', 'paidFace'),
  'AllocationGroup.outstandingFace': difference('faceAmount', 'repaidFace'),
  totalCost: difference('totalFace', 'totalAdvance'),
  carryingValue: (row, { block }) => carryingValueOf(row, block.timestamp),
  'CapitalChange.discountAmount': ({ discount }) => discount ?? null,
  'Allocation.effectiveDiscountBps': rate('faceAmount', 'advanceAmount'),
  'AllocationGroup.effectiveDiscountBps': rate('faceAmount', 'advanceAmount'),
  'ExecutionLeg.effectiveDiscountBps': rate('faceAmount', 'advanceAmount'),
  'Execution.effectiveDiscountBps': rate('totalFace', 'totalAdvance'),
  'ExecutionGroup.effectiveDiscountBps': rate('totalFace', 'totalAdvance'),
  effectiveDiscountBps: (period, world, args) =>
    integer(period, 'faceFinanced') === 0n ? null : rate('faceFinanced', 'advanced')(period, world, args),
  // Those of the projection are executed.
  'Execution.status': () => 'EXECUTED',
  'Execution.preparedAt': () => null,
  'Execution.deadline': () => null,
  'Activity.claim': subject('Claim', 'claimId'),
  'Activity.vault': subject('Vault', 'vault'),
}

/** Advance and earned discount until the end of the due day; then the face that is left, to nothing in 90 days. */
function carryingValueOf(row: Row, now: bigint): bigint {
  const [faceAmount, advanceAmount, repaid, fundedAt] = [
    integer(row, 'faceAmount'),
    integer(row, 'advanceAmount'),
    integer(row, 'repaidFace'),
    integer(row, 'fundedAt'),
  ]
  const face = faceAmount - repaid
  const advance = advanceAmount - (advanceAmount * repaid) / (faceAmount || 1n)
  const overdueFrom = (integer(row, 'dueAt') / SECONDS_PER_DAY + 1n) * SECONDS_PER_DAY
  if (now < overdueFrom) return advance + ((face - advance) * (now - fundedAt)) / (overdueFrom - fundedAt)
  const period = 90n * SECONDS_PER_DAY
  const late = now - overdueFrom
  return late < period ? (face * (period - late)) / period : 0n
}
