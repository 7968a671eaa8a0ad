/** The aggregations: their groupings and amounts. */
import type { Aggregation } from '../sql/aggregate.ts'
import { allocations } from './allocation.ts'
import { claims } from './claim.ts'
import { executions } from './execution.ts'
import { settlements } from './settlement.ts'
import { vaults } from './vault.ts'

export const claimGroups = {
  source: claims,
  dimensions: {
    state: { column: 'state' },
    issuer: { column: 'issuer' },
    beneficiary: { column: 'beneficiary' },
    claimType: { column: 'claimType' },
    registeredDay: { column: 'registeredAt', period: 'day' },
    registeredWeek: { column: 'registeredAt', period: 'week' },
    registeredMonth: { column: 'registeredAt', period: 'month' },
    dueDay: { column: 'dueAt', period: 'day' },
    dueWeek: { column: 'dueAt', period: 'week' },
    dueMonth: { column: 'dueAt', period: 'month' },
  },
  amounts: ['faceValue', 'financedFaceValue'],
  narrowBy:
    'claimId, beneficiary, issuer, or a range of registeredAt or dueDate; count and sums by state, issuer and claimType need no filter',
} as const satisfies Aggregation<'claim'>

export const executionGroups = {
  source: executions,
  dimensions: {
    user: { column: 'user' },
    kind: { column: 'kind' },
    executedDay: { column: 'at', period: 'day' },
    executedWeek: { column: 'at', period: 'week' },
    executedMonth: { column: 'at', period: 'month' },
  },
  amounts: ['totalFace', 'totalAdvance'],
  narrowBy:
    'executionId, user, transactionHash, or a range of executedAt; count and sums by time need no filter',
} as const satisfies Aggregation<'execution'>

export const allocationGroups = {
  source: allocations,
  dimensions: {
    vault: { column: 'vault' },
    issuer: { column: 'issuer' },
    claimType: { column: 'claimType' },
    fundedDay: { column: 'fundedAt', period: 'day' },
    fundedWeek: { column: 'fundedAt', period: 'week' },
    fundedMonth: { column: 'fundedAt', period: 'month' },
    dueDay: { column: 'dueAt', period: 'day' },
    dueWeek: { column: 'dueAt', period: 'week' },
    dueMonth: { column: 'dueAt', period: 'month' },
  },
  amounts: ['faceAmount', 'advanceAmount', 'paidFace', 'repaidFace'],
  narrowBy:
    'claimId, vault, issuer with settled, or a range of fundedAt; count and sums by vault or by issuer, and by time, need no filter',
} as const satisfies Aggregation<'allocation'>

export const settlementGroups = {
  source: settlements,
  dimensions: {
    payer: { column: 'payer' },
    beneficiary: { column: 'beneficiary' },
    issuer: { column: 'issuer' },
    claimType: { column: 'claimType' },
    settledDay: { column: 'at', period: 'day' },
    settledWeek: { column: 'at', period: 'week' },
    settledMonth: { column: 'at', period: 'month' },
  },
  amounts: ['faceAmount', 'vaultsAmount'],
  narrowBy:
    'claimId, payer, beneficiary, or a range of settledAt; count and sums by issuer and time need no filter',
} as const satisfies Aggregation<'settlement'>

export const vaultGroups = {
  source: vaults,
  dimensions: { curator: { column: 'curator' }, active: { column: 'active' } },
  amounts: ['idleAssets', 'outstandingFace', 'outstandingAdvance', 'discountEarned'],
  narrowBy: 'address or token',
} as const satisfies Aggregation<'vault'>
