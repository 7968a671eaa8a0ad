/** Names of the tables of the desk, which are lists of the gateway. */
export const TABLES = [
  'claims',
  'allocations',
  'vaults',
  'vaultDays',
  'vaultPositions',
  'positionChanges',
  'capitalChanges',
  'issuers',
  'issuerDays',
  'paymentRecords',
  'settlements',
  'executions',
  'executionLegs',
  'activity',
  'tokens',
  'tokenDays',
] as const

export type TableName = (typeof TABLES)[number]

/** The tables that a query names. */
export function tablesIn(sql: string): TableName[] {
  const words = new Set(sql.toLowerCase().match(/\w+/g))
  return TABLES.filter((name) => words.has(name.toLowerCase()))
}
