/** Questions to the lists of GraphQL, as exports take them. */
import { sharedAccount } from '../support/world.ts'

const wallet = sharedAccount('wallet-1').address
const since = '2020-01-01T00:00:00Z'

/** Arguments of each list: a filter that some rows pass, and an order that is not the default. */
export const questions: Readonly<Record<string, Record<string, unknown>>> = {
  activity: { filter: { wallet }, orderBy: 'amount', orderDirection: 'asc' },
  allocationAggregates: {
    filter: { fundedAt_gte: since },
    groupBy: ['vault', 'fundedMonth'],
    orderBy: 'count',
  },
  allocations: { filter: { faceAmount_gt: '1' }, orderBy: 'faceAmount' },
  capitalChanges: { filter: { kind_in: ['DEPOSIT', 'FUNDING'] }, orderBy: 'amount', orderDirection: 'asc' },
  claimAggregates: { filter: { state_not: 'REVOKED' }, groupBy: ['state', 'issuer'], orderBy: 'faceValue' },
  claims: {
    filter: { OR: [{ state_in: ['SETTLED', 'ELIGIBLE'] }, { faceValue_gt: '1000000' }] },
    orderBy: 'dueDate',
    orderDirection: 'asc',
  },
  executionAggregates: { filter: { kind: 'ROUTE' }, groupBy: ['executedMonth'], orderDirection: 'desc' },
  executionLegs: { filter: { faceAmount_gt: '1' }, orderBy: 'faceAmount' },
  executions: { filter: { legCount_gte: 1 }, orderBy: 'totalFace', orderDirection: 'asc' },
  issuerDays: { filter: { day_gte: since }, orderDirection: 'desc' },
  issuers: { filter: { active: true }, orderDirection: 'desc' },
  paymentRecords: { filter: { settled_gt: '1' }, orderBy: 'settled', orderDirection: 'desc' },
  positionChanges: { filter: { kind: 'DEPOSIT' }, orderBy: 'assets', orderDirection: 'asc' },
  settlementAggregates: { filter: { settledAt_gte: since }, groupBy: ['payer'], orderBy: 'count' },
  settlements: { filter: { faceAmount_gt: '1' }, orderBy: 'faceAmount' },
  tokenDays: { filter: { day_gte: since }, orderDirection: 'desc' },
  tokens: { filter: { listed: true }, orderBy: 'addedAt' },
  vaultAggregates: { filter: { active: true }, groupBy: ['curator'], orderDirection: 'desc' },
  vaultDays: { filter: { day_gte: since }, orderDirection: 'desc' },
  vaultPositions: { filter: { shares_gt: '1' }, orderDirection: 'desc', withoutShares: true },
  vaultTerms: { claimType: 1, filter: { active: true }, orderBy: 'totalBpsNow' },
  vaults: { filter: { active: true }, orderBy: 'fundableLiquidity', orderDirection: 'desc' },
}

/** In a query string: names as they are, all else as JSON. */
export function queryOf(question: Record<string, unknown>): string {
  const text = (value: unknown) =>
    typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value)
  return String(new URLSearchParams(Object.entries(question).map(([name, value]) => [name, text(value)])))
}
