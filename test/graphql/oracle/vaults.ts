/** Values of vaults, from their books and from lines of value. */
import { smaller } from '../../../api/domain/bigint.ts'
import { sum } from '../../support/sum.ts'
import { compare, find, integer, type Row, rowsOf, text, type World } from './rows.ts'

/** Figures of a vault from which the value of its shares follows; value is times `SCALE`. */
export type Books = { cost: bigint; totalShares: bigint; gains: bigint; losses: bigint }
type Value = (books: Books, decimals: number) => bigint

const SCALE = 90n * 86_400n * 2n ** 32n
export const VIRTUAL_SHARES = 1_000_000n

/** Lines of the value of a vault after a day and until a time, and those that a row has, added up at the time. */
function valueAt(world: World, vault: string, at: bigint, { day, row }: { day: bigint; row: Row }) {
  const later = rowsOf(world, 'ValueDay').filter(
    (one) => one.vault === vault && integer(one, 'day') > day && integer(one, 'day') <= at,
  )
  const sumOf = (line: 'gain' | 'loss') =>
    sum([row, ...later].map((one) => integer(one, `${line}PerSecond`) * at + integer(one, `${line}Offset`)))
  return { gains: sumOf('gain'), losses: sumOf('loss') }
}

const NO_LINES = { gainPerSecond: 0n, gainOffset: 0n, lossPerSecond: 0n, lossOffset: 0n }

const costOf = (row: Row) => integer(row, 'idleAssets') + integer(row, 'outstandingAdvance')

export function booksNow(vault: Row, world: World): Books {
  const worth = valueAt(world, text(vault, 'address'), world.block.timestamp, {
    day: integer(vault, 'throughDay'),
    row: vault,
  })
  return { cost: costOf(vault), totalShares: integer(vault, 'totalShares'), ...worth }
}

const now = (value: Value) => (vault: Row, world: World) =>
  value(booksNow(vault, world), decimalsOf(vault, world))

/** In the last second of the period. */
export function booksAtEnd(period: Row, world: World): Books {
  const [vault, end] = [text(period, 'vault'), integer(period, 'end')]
  const last = rowsOf(world, 'VaultDay')
    .filter((row) => row.vault === vault && integer(row, 'day') < end)
    .sort((a, b) => compare(a.day ?? null, b.day ?? null))
    .at(-1)
  const worth = valueAt(world, vault, smaller(end - 1n, world.block.timestamp), { day: -1n, row: NO_LINES })
  const books = last ? { cost: costOf(last), totalShares: integer(last, 'totalShares') } : NO_BOOKS
  return { ...books, ...worth }
}

const atEnd = (value: Value) => (period: Row, world: World) =>
  value(booksAtEnd(period, world), decimalsOf(period, world))

const NO_BOOKS = { cost: 0n, totalShares: 0n }

export const totalAssets: Value = ({ cost, gains, losses }) => {
  const value = cost * SCALE + gains - losses
  return value > 0n ? value / SCALE : 0n
}
const entryAssets: Value = ({ cost, gains }) => {
  const value = cost * SCALE + gains
  return value % SCALE === 0n ? value / SCALE : value / SCALE + 1n
}
export const assetsOf = (books: Books, shares: bigint) =>
  (shares * (totalAssets(books, 0) + 1n)) / (books.totalShares + VIRTUAL_SHARES)
const sharePrice: Value = (books, decimals) => assetsOf(books, 10n ** BigInt(decimals) * VIRTUAL_SHARES)
const entryPrice: Value = (books, decimals) => {
  const worth = 10n ** BigInt(decimals) * VIRTUAL_SHARES * (entryAssets(books, 0) + 1n)
  const shares = books.totalShares + VIRTUAL_SHARES
  return worth % shares === 0n ? worth / shares : worth / shares + 1n
}
const yieldToDateBps: Value = (books) => assetsOf(books, 10_000n * VIRTUAL_SHARES) - 10_000n

function decimalsOf(row: Row, world: World): number {
  return Number(find(world, 'Token', text(row, 'token'))?.decimals)
}

function utilizationBps(row: Row): number {
  const cost = costOf(row)
  return cost === 0n ? 0 : Number((integer(row, 'outstandingAdvance') * 10_000n) / cost)
}

/** Types of claims by the bits of the mandate. */
function supportedTypes(vault: Row): number[] {
  const bitmap = integer(vault, 'supportedTypesBitmap')
  return Array.from({ length: 256 }, (_, type) => type).filter((type) => (bitmap >> BigInt(type)) & 1n)
}

const YEAR = 365n * 86_400n

/** The annualized change between two prices, basis points, rounded down. */
function annualized(now: Books, then: Books, seconds: bigint): bigint | null {
  if (seconds === 0n) return null
  const worth = (totalAssets(now, 0) + 1n) * (then.totalShares + VIRTUAL_SHARES)
  const paid = (totalAssets(then, 0) + 1n) * (now.totalShares + VIRTUAL_SHARES)
  const [gain, unit] = [(worth - paid) * 10_000n * YEAR, paid * seconds]
  return gain / unit - (gain < 0n && gain % unit !== 0n ? 1n : 0n)
}

const returnOf = (days: bigint) => (vault: Row, world: World) => {
  const { timestamp: now } = world.block
  const midnight = (now / 86_400n - days) * 86_400n
  const then = booksAtEnd({ vault: text(vault, 'address'), end: midnight }, world)
  return then.totalShares === 0n ? null : annualized(booksNow(vault, world), then, now - midnight + 1n)
}

function returnToDate(vault: Row, world: World): bigint | null {
  const [first] = rowsOf(world, 'CapitalChange')
    .filter((change) => change.vault === vault.address && change.kind === 'DEPOSIT')
    .sort((a, b) => compare(a.id ?? null, b.id ?? null))
  const none = { ...NO_BOOKS, gains: 0n, losses: 0n }
  return first ? annualized(booksNow(vault, world), none, world.block.timestamp - integer(first, 'at')) : null
}

export const vaultValues = {
  'Vault.returns': (vault: Row) => vault,
  'VaultReturns.last7DaysBps': returnOf(7n),
  'VaultReturns.last30DaysBps': returnOf(30n),
  'VaultReturns.last90DaysBps': returnOf(90n),
  'VaultReturns.toDateBps': returnToDate,
  'Vault.shareDecimals': (vault: Row, world: World) => decimalsOf(vault, world) + 6,
  'Capital.totalAssets': now(totalAssets),
  'Capital.entryAssets': now(entryAssets),
  'Capital.sharePrice': now(sharePrice),
  'Capital.entryPrice': now(entryPrice),
  'Capital.yieldToDateBps': now(yieldToDateBps),
  'Capital.writtenDown': now(({ losses }) => (losses + SCALE - 1n) / SCALE),
  'VaultPeriod.totalAssets': atEnd(totalAssets),
  'VaultPeriod.entryAssets': atEnd(entryAssets),
  'VaultPeriod.sharePrice': atEnd(sharePrice),
  'VaultPeriod.yieldToDateBps': atEnd(yieldToDateBps),
  assetsAtCost: costOf,
  supportedTypes,
  utilizationBps,
}
