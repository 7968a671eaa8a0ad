/** Values of vaults, from their books. */
import { smaller } from '../../../api/domain/bigint.ts'
import {
  type Books,
  lockedProfit,
  sharePrice,
  totalAssets,
  utilizationBps,
  yieldToDateBps,
} from '../../../api/domain/vault.ts'
import { compare, find, integer, type Row, rowsOf, text, type World } from './rows.ts'

type Value = (books: Books, at: bigint, decimals: number) => bigint

/** The books of a vault from the columns of a row; 0 for columns that it lacks. */
function booksOf(row: Row): Books {
  const of = (column: string) => (column in row ? integer(row, column) : 0n)
  return {
    idleAssets: of('idleAssets'),
    outstandingAdvance: of('outstandingAdvance'),
    outstandingImpairment: of('outstandingImpairment'),
    totalShares: of('totalShares'),
    unlockingAmount: of('unlockingAmount'),
    unlockingSince: of('unlockingSince'),
    unlockingUntil: of('unlockingUntil'),
  }
}

/** The books after all events before `end`. */
function booksAt(world: World, vault: string, end: bigint): Books {
  const lastOf = (type: string, time: string): Row =>
    rowsOf(world, type)
      .filter((row) => row.vault === vault && integer(row, time) < end)
      .sort((a, b) => compare(a[time] ?? null, b[time] ?? null) || compare(a.id ?? '', b.id ?? ''))
      .at(-1) ?? {}
  const { amount = 0n, at = 0n, until = 0n } = lastOf('ProfitLock', 'at')
  const locked = { unlockingAmount: amount, unlockingSince: at, unlockingUntil: until }
  return booksOf({ ...lastOf('VaultDay', 'day'), ...locked })
}

/** The shares have the decimals of the token. */
export function decimalsOf(row: Row, world: World): number {
  return Number(find(world, 'Token', text(row, 'token'))?.decimals)
}

const now = (value: Value) => (vault: Row, world: World) =>
  value(booksOf(vault), world.block.timestamp, decimalsOf(vault, world))

const atEnd = (value: Value) => (period: Row, world: World) => {
  const end = integer(period, 'end')
  const books = booksAt(world, text(period, 'vault'), end)
  return value(books, smaller(end, world.block.timestamp), decimalsOf(period, world))
}

const priceOf: Value = (books, at, decimals) => sharePrice(books, decimals, at)

const bookValue = (row: Row) =>
  integer(row, 'idleAssets') + integer(row, 'outstandingAdvance') - integer(row, 'outstandingImpairment')

/** Types of claims by the bits of the mandate. */
function supportedTypes(vault: Row): number[] {
  const bitmap = integer(vault, 'supportedTypesBitmap')
  return Array.from({ length: 256 }, (_, type) => type).filter((type) => (bitmap >> BigInt(type)) & 1n)
}

export const vaultValues = {
  'Vault.shareDecimals': decimalsOf,
  'Capital.totalAssets': now(totalAssets),
  'Capital.sharePrice': now(priceOf),
  'Capital.yieldToDateBps': now(yieldToDateBps),
  'Capital.lockedProfit': now(lockedProfit),
  'VaultPeriod.totalAssets': atEnd(totalAssets),
  'VaultPeriod.sharePrice': atEnd(priceOf),
  'VaultPeriod.yieldToDateBps': atEnd(yieldToDateBps),
  'VaultGroup.totalAssets': bookValue,
  bookValue,
  supportedTypes,
  utilizationBps: (row: Row) => utilizationBps(booksOf(row)),
}
