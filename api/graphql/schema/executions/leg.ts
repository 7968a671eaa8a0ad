import { claims } from '../../../projection/tables/claim.ts'
import { executionLegs, executions } from '../../../projection/tables/execution.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { asOfArgs } from '../../kit/as-of.ts'
import { builder } from '../../kit/builder.ts'
import { defineFilter } from '../../kit/filter.ts'
import { byAmount, defineListArguments, listOf, listOfEach, pageCost } from '../../kit/lists.ts'
import { difference, discountOf, refersTo } from '../../kit/reads.ts'
import { Claim, Execution, ExecutionLeg, Vault } from '../shared/refs.ts'

ExecutionLeg.implement({
  description: 'One claim financed by one vault within an execution.',
  fields: (t) => ({
    execution: t.field({
      type: Execution,
      description: 'The execution.',
      ...refersTo('executionId', executions),
    }),
    legIndex: t.expose('legIndex', {
      type: 'SafeInt',
      description: 'Index of the leg in the execution, from 0.',
    }),
    claim: t.field({ type: Claim, description: 'The claim.', ...refersTo('claimId', claims) }),
    vault: t.field({ type: Vault, description: 'The vault.', ...refersTo('vault', vaults) }),
    sliceIndex: t.exposeInt('sliceIndex', { description: 'Index of the slice of the claim, from 0.' }),
    faceAmount: t.expose('faceAmount', { type: 'Amount', description: 'Face financed, base units.' }),
    advanceAmount: t.expose('advanceAmount', {
      type: 'Amount',
      description: 'Advance paid to the user, base units.',
    }),
    discountAmount: t.field({
      type: 'Amount',
      description: '`faceAmount` less `advanceAmount`, base units.',
      ...difference('faceAmount', 'advanceAmount'),
    }),
    executedAt: t.expose('at', { type: 'DateTime', description: 'Block time of the event.' }),
    effectiveDiscountBps: t.int({
      description: '`discountAmount` over `faceAmount`, basis points, rounded up.',
      ...discountOf('faceAmount', 'advanceAmount'),
    }),
  }),
})

const ExecutionLegFilter = defineFilter(executionLegs, 'ExecutionLegFilter', 'legs', {
  executionId: { column: 'executionId', type: 'Hash', compare: 'key', words: 'The execution id' },
  claimId: { column: 'claimId', type: 'Hash', compare: 'key', words: 'The claim id' },
  vault: { column: 'vault', type: 'Address', compare: 'key', words: 'The vault' },
  faceAmount: { column: 'faceAmount', type: 'Amount', compare: 'number', words: 'The face financed' },
  advanceAmount: { column: 'advanceAmount', type: 'Amount', compare: 'number', words: 'The advance' },
  executedAt: { column: 'at', type: 'DateTime', compare: 'number', words: 'The block time' },
})

export const legList = defineListArguments(executionLegs, 'ExecutionLeg', {
  noun: 'legs',
  filter: ExecutionLegFilter,
  orders: {
    executedAt: { by: 'at', words: 'Time of execution.' },
    faceAmount: byAmount('faceAmount', 'Face financed'),
  },
  defaults: { orderBy: 'at', direction: 'desc' },
})

export const ExecutionLegConnection = builder.connectionObject(
  { type: ExecutionLeg, name: 'ExecutionLegConnection', description: 'A page of legs.' },
  { name: 'ExecutionLegEdge', description: 'A leg and its cursor.' },
)

export const legsOfVault = listOfEach(executionLegs, 'vault', legList)

builder.queryField('executionLegs', (t) =>
  t.connection(
    {
      type: ExecutionLeg,
      description: 'Legs of all executions. Default: newest first.',
      args: { ...legList.args, ...asOfArgs },
      complexity: pageCost,
      ...listOf(executionLegs, legList),
    },
    ExecutionLegConnection,
  ),
)
