/** Aggregates added up in bigint from rows, without any of the gateway's own arithmetic. */
import { sum } from '../support/sum.ts'
import { iso, type Period, startOf } from './calendar.ts'

export type Raw = Record<string, bigint | number | string | boolean>
export type Group = { key: Record<string, string | number | boolean>; rows: Raw[] }

export const periods = new Map<string, Period>([
  ['Day', 'day'],
  ['Week', 'week'],
  ['Month', 'month'],
])

/** The last second that ISO 8601 can write; a later due date falls in that second's period. */
const LAST = BigInt(Date.parse('9999-12-31T23:59:59Z') / 1000)

/** How a row answers for each thing that it can be grouped by. */
function keyOf(row: Raw, names: readonly string[], columns: Record<string, string>): Group['key'] {
  const entries = ['token', ...names].map((name) => {
    const [, prefix = '', period = ''] = /^([a-z]+)(Day|Week|Month)$/.exec(name) ?? []
    const unit = periods.get(period)
    const at = BigInt(String(row[columns[prefix] ?? ''] ?? 0n))
    if (unit) return [name, iso(startOf(unit, at < LAST ? at : LAST))]
    const value = row[columns[name] ?? name]
    return [name, typeof value === 'bigint' ? String(value) : (value ?? '')]
  })
  return Object.fromEntries(entries)
}

export function groupsOf(
  rows: readonly Raw[],
  names: readonly string[],
  columns: Record<string, string>,
): Group[] {
  const groups = new Map<string, Group>()
  for (const row of rows) {
    const key = keyOf(row, names, columns)
    const id = JSON.stringify(key)
    const group = groups.get(id) ?? { key, rows: [] }
    groups.set(id, { ...group, rows: [...group.rows, row] })
  }
  return [...groups.values()]
}

export const amountsOf = (rows: readonly Raw[], column: string) =>
  rows.map((row) => BigInt(String(row[column])))
export const ascending = (amounts: readonly bigint[]) => [...amounts].sort((a, b) => (a < b ? -1 : 1))

export function measuresOf(rows: readonly Raw[], column: string) {
  const amounts = amountsOf(rows, column)
  return {
    sum: String(sum(amounts)),
    average: String(sum(amounts) / BigInt(amounts.length)),
    min: String(ascending(amounts).at(0)),
    max: String(ascending(amounts).at(-1)),
  }
}

/** A noun as the oracle knows it: its table, where its answers are, and what was given for what. */
export const nouns = [
  {
    field: 'claimAggregates',
    table: 'claim',
    columns: {
      claimType: 'claim_type',
      registered: 'registered_at',
      due: 'due_at',
      faceValue: 'face_value',
      financedFaceValue: 'financed_face_value',
    },
    keys: [
      'state',
      'issuer',
      'beneficiary',
      'claimType',
      'registeredDay',
      'registeredWeek',
      'registeredMonth',
      'dueDay',
      'dueWeek',
      'dueMonth',
    ],
    amounts: ['faceValue', 'financedFaceValue'],
  },
  {
    field: 'executionAggregates',
    table: 'execution',
    columns: { executed: 'at', totalFace: 'total_face', totalAdvance: 'total_advance' },
    keys: ['user', 'kind', 'executedDay', 'executedWeek', 'executedMonth'],
    amounts: ['totalFace', 'totalAdvance'],
  },
  {
    field: 'allocationAggregates',
    table: 'allocation',
    columns: {
      claimType: 'claim_type',
      funded: 'funded_at',
      due: 'due_at',
      faceAmount: 'face_amount',
      advanceAmount: 'advance_amount',
    },
    keys: [
      'vault',
      'issuer',
      'claimType',
      'fundedDay',
      'fundedWeek',
      'fundedMonth',
      'dueDay',
      'dueWeek',
      'dueMonth',
    ],
    amounts: ['faceAmount', 'advanceAmount'],
  },
  {
    field: 'settlementAggregates',
    table: 'settlement',
    columns: {
      claimType: 'claim_type',
      settled: 'at',
      faceAmount: 'face_amount',
      vaultsAmount: 'vaults_amount',
    },
    keys: ['payer', 'beneficiary', 'issuer', 'claimType', 'settledDay', 'settledWeek', 'settledMonth'],
    amounts: ['faceAmount', 'vaultsAmount'],
  },
  {
    field: 'vaultAggregates',
    table: 'vault',
    columns: {
      fundableLiquidity: 'idle_assets',
      outstandingFace: 'outstanding_face',
      outstandingAdvance: 'outstanding_advance',
      discountEarned: 'discount_earned',
    },
    keys: ['curator', 'active'],
    amounts: ['fundableLiquidity', 'outstandingFace', 'outstandingAdvance', 'discountEarned'],
  },
] satisfies {
  field: string
  table: string
  columns: Record<string, string>
  keys: string[]
  amounts: string[]
}[]

const ACCOUNTS = new Set(['user', 'beneficiary', 'payer', 'issuer', 'vault', 'curator'])
export const selectionOf = (names: readonly string[]) =>
  ['token: tokenInfo { address }', ...names]
    .map((name) => (ACCOUNTS.has(name) ? `${name} { address }` : name))
    .join(' ')

/** An answer's group in the words of the oracle. */
export function flatten(node: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(node).map(([name, value]) =>
    typeof value === 'object' && value !== null && 'address' in value ? [name, value.address] : [name, value],
  )
  return Object.fromEntries(entries)
}
