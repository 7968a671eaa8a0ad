import { sql } from 'kysely'
import type { Sql } from '../../../projection/sql/json.ts'
import type { Scope } from '../../../projection/sql/scope.ts'
import { allocations } from '../../../projection/tables/allocation.ts'
import { claims } from '../../../projection/tables/claim.ts'
import { executions } from '../../../projection/tables/execution.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, defineListArguments, listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { computed, difference, discountOf, refersTo } from '../../kit/reads.ts'
import { Allocation, Claim, Execution, Vault } from '../shared/refs.ts'
import { tokenInfo } from '../shared/token-info.ts'

function carryingSql(row: Scope): Sql {
  return sql`case when ${row.column('repaidAt')} is null
    then ${row.column('advanceAmount')} - ${row.column('impairment')} else 0 end`
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
      description: '`faceAmount` less `advanceAmount`, base units: the gain of the vault at repayment.',
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
    settled: t.exposeBoolean('settled', {
      description: 'Whether the claim is settled. `repaidAt` is null until the vault has received its part.',
    }),
    carryingValue: t.field({
      type: 'Amount',
      description:
        'Value in the books of the vault: `advanceAmount` less `impairment`, base units; 0 after the repayment.',
      ...computed(carryingSql),
    }),
    impairment: t.expose('impairment', {
      type: 'Amount',
      description: 'Written-down part of the advance, base units; 0 after the repayment.',
    }),
    impairedAt: t.expose('impairedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the first impairment; null if there was none.',
    }),
    fundedAt: t.expose('fundedAt', { type: 'DateTime', description: 'Time of financing.' }),
    fundedBlock: t.expose('fundedBlock', { type: 'SafeInt', description: 'Block number of the financing.' }),
    repaidAt: t.expose('repaidAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time of repayment to the vault; null until then. Later than the settlement if the token did not pay the vault.',
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
  settled: { column: 'settled', type: 'Boolean', compare: 'flag', words: 'Whether the claim is settled' },
  impairment: {
    column: 'impairment',
    type: 'Amount',
    compare: 'number',
    words: 'The written-down part of the advance',
  },
  fundedAt: { column: 'fundedAt', type: 'DateTime', compare: 'number', words: 'The time of financing' },
  repaidAt: { column: 'repaidAt', type: 'DateTime', compare: 'number', words: 'The time of repayment' },
})

export const allocationList = defineListArguments<typeof allocations>('Allocation', {
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
      args: allocationList.args,
      complexity: pageCost,
      ...listOf(allocations, allocationList),
    },
    AllocationConnection,
  ),
)
