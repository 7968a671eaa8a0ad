import { sql } from 'kysely'
import { WRITE_DOWN_SECONDS } from '../../../domain/value.ts'
import type { Sql } from '../../../projection/sql/json.ts'
import { DAY, midnightBefore } from '../../../projection/sql/period.ts'
import type { Scope } from '../../../projection/sql/scope.ts'
import { allocations } from '../../../projection/tables/allocation.ts'
import { claims } from '../../../projection/tables/claim.ts'
import { executions } from '../../../projection/tables/execution.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, defineListArguments, listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { computed, difference, discountOf, refersTo } from '../../kit/reads.ts'
import { Allocation, Claim, Execution, Vault } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'

/** Advance and earned discount, or the face less its loss, of what is not repaid, as contracts/CarryingValue.sol. */
function carryingSql(row: Scope): Sql {
  const [fundedAt, dueAt, repaid] = [row.column('fundedAt'), row.column('dueAt'), row.column('repaidFace')]
  const face = sql`(${row.column('faceAmount')} - ${repaid})`
  const advance = sql`(${row.column('advanceAmount')} - div(${row.column('advanceAmount')} * ${repaid}, greatest(${row.column('faceAmount')}, 1)))`
  const overdueFrom = sql`(${midnightBefore(dueAt)} + ${DAY})`
  const period = sql.lit(Number(WRITE_DOWN_SECONDS))
  const left = sql`greatest(${overdueFrom} + ${period} - ${row.now}, 0)`
  return sql`case when ${row.column('repaidAt')} is not null then 0
    when ${row.now} < ${overdueFrom}
    then ${advance} + div((${face} - ${advance}) * (${row.now} - ${fundedAt}), ${overdueFrom} - ${fundedAt})
    else div(${face} * ${left}, ${period}) end`
}

Allocation.implement({
  description: 'The part of a claim that one vault financed.',
  fields: (t) => ({
    claim: t.field({ type: Claim, description: 'The claim.', ...refersTo('claimId', claims) }),
    sliceIndex: t.exposeInt('sliceIndex', { description: 'Index of the slice in the claim, from 0.' }),
    vault: t.field({
      type: Vault,
      description: 'The vault that financed the claim.',
      ...refersTo('vault', vaults),
    }),
    execution: t.field({
      type: Execution,
      description: 'The execution that created the allocation.',
      ...refersTo('executionId', executions),
    }),
    tokenInfo: t.field(tokenInfo('The token of claim and vault.')),
    faceAmount: t.expose('faceAmount', { type: 'Amount', description: 'Face financed, base units.' }),
    advanceAmount: t.expose('advanceAmount', {
      type: 'Amount',
      description: 'Advance paid to the beneficiary, base units.',
    }),
    discountAmount: t.field({
      type: 'Amount',
      description: '`faceAmount` less `advanceAmount`, base units: the gain of the vault.',
      ...difference('faceAmount', 'advanceAmount'),
    }),
    effectiveDiscountBps: t.int({
      description: '`discountAmount` over `faceAmount`, basis points, rounded up.',
      ...discountOf('faceAmount', 'advanceAmount'),
    }),
    dueDate: t.expose('dueAt', {
      type: 'DateTime',
      description: 'Time at which the claim is due.',
    }),
    paidFace: t.expose('paidFace', { type: 'Amount', description: 'Face that is paid, base units.' }),
    repaidFace: t.expose('repaidFace', {
      type: 'Amount',
      description:
        'Part of `paidFace` that the vault has received, base units. The router holds the rest, because the token did not pay the vault.',
    }),
    settled: t.exposeBoolean('settled', {
      description:
        'Whether the whole face is paid. `repaidAt` is null until the vault has received all of it.',
    }),
    carryingValue: t.field({
      type: 'Amount',
      description:
        'Value to those who leave the vault at the time of the finalized block of this answer, base units, rounded down; 0 after the repayment of the whole face. The discount is earned linearly until the end of the due day (UTC). From then on, the face is written down linearly, to 0 in 90 days.',
      ...computed(carryingSql),
    }),
    fundedAt: t.expose('fundedAt', { type: 'DateTime', description: 'Time of financing.' }),
    fundedBlock: t.expose('fundedBlock', { type: 'SafeInt', description: 'Block number of the financing.' }),
    repaidAt: t.expose('repaidAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time of the repayment that completed the face; null until then. Later than the settlement if the token did not pay the vault.',
    }),
  }),
})

export const AllocationFilter = defineFilter(allocations, 'AllocationFilter', 'allocations', {
  claimId: { column: 'claimId', type: 'Hash', compare: 'key', words: 'The claim id' },
  vault: { column: 'vault', type: 'Address', compare: 'key', words: 'The vault' },
  executionId: { column: 'executionId', type: 'Hash', compare: 'key', words: 'The execution id' },
  token: { column: 'token', type: 'Address', compare: 'key', words: 'The token' },
  issuer: { column: 'issuer', type: 'Address', compare: 'key', words: "The claim's issuer" },
  claimType: { column: 'claimType', type: 'Int', compare: 'number', words: "The claim's type" },
  faceAmount: { column: 'faceAmount', type: 'Amount', compare: 'number', words: 'The face financed' },
  advanceAmount: { column: 'advanceAmount', type: 'Amount', compare: 'number', words: 'The advance' },
  dueDate: { column: 'dueAt', type: 'DateTime', compare: 'number', words: 'The due date' },
  settled: { column: 'settled', type: 'Boolean', compare: 'flag', words: 'Whether the whole face is paid' },
  fundedAt: { column: 'fundedAt', type: 'DateTime', compare: 'number', words: 'The time of financing' },
  repaidAt: { column: 'repaidAt', type: 'DateTime', compare: 'number', words: 'The time of repayment' },
})

export const allocationList = defineListArguments(allocations, 'Allocation', {
  noun: 'allocations',
  filter: AllocationFilter,
  orders: {
    fundedAt: { by: 'fundedAt', words: 'Time of financing.' },
    faceAmount: byAmount('faceAmount', 'Face financed'),
  },
  defaults: { orderBy: 'fundedAt', direction: 'desc' },
})

export const AllocationConnection = builder.connectionObject(
  { type: Allocation, name: 'AllocationConnection', description: 'A page of allocations.' },
  { name: 'AllocationEdge', description: 'An allocation and its cursor.' },
)

export const allocationsOfVault = listOfEach(allocations, 'vault', allocationList)

builder.queryField('allocations', (t) =>
  t.connection(
    {
      type: Allocation,
      description: 'Allocations. Default: newest first.',
      args: { ...allocationList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(allocations, allocationList),
    },
    AllocationConnection,
  ),
)
