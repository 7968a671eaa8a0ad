/** Objects that others refer to, and lists. */
import { isMatch } from './filter.ts'
import { type Args, pageOf } from './pages.ts'
import { columnOf, compare, find, keys, type Row, rowsOf, ties, valueAt, type World } from './rows.ts'

export function isRowType(type: string): boolean {
  return type in keys
}

/** The object whose key is in the column of a field. Every address has an account. */
export function referenceOf(world: World, type: string, row: Row, field: string): Row | null {
  const key = valueAt(row, field)
  if (key === null) return null
  return type === 'Account' ? { address: key } : find(world, type, key)
}

/** Whole lists: the column of the parent's key, and that of the order. */
const shortLists: { readonly [field: string]: readonly [parent: string, order: string] | undefined } = {
  'Account.credits': ['account', 'token'],
  'Claim.activity': ['claimId', 'id'],
  'Claim.allocations': ['claimId', 'sliceIndex'],
  'Claim.legs': ['claimId', 'sliceIndex'],
  'Execution.activity': ['executionId', 'id'],
  'Execution.legs': ['executionId', 'legIndex'],
  'Vault.terms': ['vault', 'claimType'],
}

export function shortListOf(world: World, type: string, parent: Row, place: string) {
  const [column, order] = shortLists[place] ?? []
  if (column === undefined || order === undefined) return undefined
  const key = parent.id ?? parent.address
  return rowsOf(world, type)
    .filter((row) => row[column] === key && (type !== 'Credit' || row.amount !== 0n))
    .sort((a, b) => compare(a[order] ?? null, b[order] ?? null))
}

/** Columns of the parents of lists. Those of vaults and issuers have their name. */
const parents: { readonly [place: string]: string | undefined } = {
  'Account.activity': 'wallet',
  'Account.claims': 'beneficiary',
  'Account.curatedVaults': 'curator',
  'Account.executions': 'user',
  'Account.positions': 'owner',
  'Account.settlementsPaid': 'payer',
  'Account.settlementsReceived': 'beneficiary',
  'Claim.settlements': 'claimId',
  'Query.vaultTerms': 'claimType',
}

/** Columns of the parents of lists that have two. */
const pairs: { readonly [place: string]: readonly string[] | undefined } = {
  'VaultPosition.movements': ['vault', 'owner'],
}

/** The orders of the chain. */
const orders: { readonly [order: string]: string | undefined } = { at: 'id' }

export function listOf(world: World, type: string, parent: Row, place: string, args: Args) {
  const [parentType = ''] = place.split('.')
  const hasNone = parentType === 'Query' || place in pairs
  const own = parents[place] ?? (hasNone ? undefined : parentType.toLowerCase())
  const all = rowsOf(world, type)
  const rows = all.filter(
    (row) =>
      (pairs[place] ?? []).every((column) => row[column] === parent[column]) &&
      (own === undefined || row[own] === (parent.address ?? parent.id ?? args.claimType)) &&
      (args.withoutShares !== false || row.shares !== 0n) &&
      isMatch(world, row, args.filter),
  )
  const order = String(args.orderBy)
  const name = orders[order] ?? columnOf(all[0] ?? {}, order)
  // Rows of one parent have equal values in its column.
  const columns = [...new Set([name, ...(ties[type] ?? keys[type] ?? [])])].filter((column) => column !== own)
  return pageOf(rows, { name, columns, isAscending: args.orderDirection === 'asc' }, args)
}

/** Types of rows that are not nodes. */
const WITHOUT_ID = ['Credit', 'PendingTerms', 'PositionDay', 'ValueDay']

const GLOBAL_ID = /^(?<type>[A-Za-z]{1,40}):(?<key>[\w-]{1,160})$/

/** The type and the key of a global id; undefined for a text that is none. */
export function parseGlobalId(id: unknown): { type: string; key: string } | undefined {
  const { type = '', key } = GLOBAL_ID.exec(Buffer.from(String(id), 'base64').toString())?.groups ?? {}
  const isKnown = type === 'Account' || (isRowType(type) && !WITHOUT_ID.includes(type))
  return key !== undefined && isKnown ? { type, key } : undefined
}

export function globalId(type: string, row: Row): string {
  return Buffer.from(`${type}:${keyOf(type, row)}`).toString('base64')
}

function keyOf(type: string, row: Row): string {
  return (keys[type] ?? ['address']).map((column) => String(row[column])).join('-')
}

/** The object with a global id, with its type; null where there is none. */
export function nodeOf(world: World, id: unknown) {
  const { type, key } = parseGlobalId(id) ?? {}
  if (type === undefined || key === undefined) throw new Error('this is no global id')
  if (type === 'Account') return /^0x[0-9a-f]{40}$/.test(key) ? { __typename: type, address: key } : null
  const row = rowsOf(world, type).find((one) => keyOf(type, one) === key)
  return row ? { __typename: type, ...row } : null
}
