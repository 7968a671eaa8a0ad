/** Values of positions, from the books of their vaults. */
import { smaller } from '../../../api/domain/bigint.ts'
import type { Args } from './pages.ts'
import { compare, find, integer, type Row, rowsOf, type World } from './rows.ts'
import { seriesOf } from './series.ts'
import { assetsOf, type Books, booksAtEnd, booksNow, totalAssets, VIRTUAL_SHARES } from './vaults.ts'

const paidIn = (position: Row) => integer(position, 'deposited') + integer(position, 'received')
const paidOut = (position: Row) => integer(position, 'withdrawn') + integer(position, 'sent')

const realizedGain = (position: Row) =>
  paidOut(position) - (paidIn(position) - integer(position, 'costBasis'))

/** A value from the books of the position's vault. */
const now =
  <V>(value: (position: Row, books: Books, vault: Row) => V) =>
  (position: Row, world: World) => {
    const vault = find(world, 'Vault', position.vault ?? null) ?? {}
    return value(position, booksNow(vault, world), vault)
  }

const unrealizedGain = (position: Row, books: Books) =>
  assetsOf(books, integer(position, 'shares')) - integer(position, 'costBasis')

function withdrawable(position: Row, books: Books, vault: Row): bigint {
  const all = (integer(vault, 'idleAssets') + 1n) * (books.totalShares + VIRTUAL_SHARES)
  const price = totalAssets(books, 0) + 1n
  const covered = (all % price === 0n ? all / price : all / price + 1n) - 1n
  return assetsOf(books, smaller(integer(position, 'shares'), covered))
}

const assetsNow = now((position, books) => assetsOf(books, integer(position, 'shares')))
const withdrawableNow = now(withdrawable)

function returnBps(position: Row, books: Books): bigint | null {
  const paid = paidIn(position)
  if (paid === 0n) return null
  const gain = (realizedGain(position) + unrealizedGain(position, books)) * 10_000n
  return gain / paid - (gain < 0n && gain % paid !== 0n ? 1n : 0n)
}

/** The days of the position until the end of the period. */
function daysUntilEnd({ vault, owner, end }: Row, world: World): Row[] {
  const own = rowsOf(world, 'PositionDay').filter((day) => day.vault === vault && day.owner === owner)
  return own
    .filter((day) => integer(day, 'day') < integer({ end: end ?? null }, 'end'))
    .sort((a, b) => compare(a.day ?? null, b.day ?? null))
}

const lastOf = (figure: 'shares' | 'costBasis') => (period: Row, world: World) => {
  const last = daysUntilEnd(period, world).at(-1)
  return last ? integer(last, figure) : 0n
}
const [sharesAtEnd, costAtEnd] = [lastOf('shares'), lastOf('costBasis')]

const assetsAtEnd = (period: Row, world: World) =>
  assetsOf(booksAtEnd(period, world), sharesAtEnd(period, world))

const gainAtEnd = (period: Row, world: World) =>
  daysUntilEnd(period, world).reduce(
    (gain, day) => gain + paidOut(day) - paidIn(day),
    costAtEnd(period, world),
  )

/** Sums of the positions of an account in the vaults of a token. */
function holdingsOf(world: World, owner: Row[string], token: string): Row {
  const isOf = (position: Row) => find(world, 'Vault', position.vault ?? null)?.token === token
  const own = rowsOf(world, 'VaultPosition').filter((position) => position.owner === owner && isOf(position))
  const sumOf = (value: (position: Row) => bigint) =>
    own.reduce((total, position) => total + value(position), 0n)
  const figures = ['costBasis', 'deposited', 'withdrawn', 'received', 'sent']
  return {
    token,
    ...Object.fromEntries(figures.map((figure) => [figure, sumOf((position) => integer(position, figure))])),
    assets: sumOf((position) => assetsNow(position, world)),
    withdrawableNow: sumOf((position) => withdrawableNow(position, world)),
    unrealizedGain: sumOf((position) => assetsNow(position, world) - integer(position, 'costBasis')),
  }
}

export const positionValues = {
  'Account.holdings': ({ address = null }: Row, world: World, { token }: Args) =>
    holdingsOf(world, address, String(token)),
  'Holdings.realizedGain': realizedGain,
  'VaultPosition.series': ({ vault = null, owner = null }: Row, world: World, args: Args) =>
    seriesOf(world, 'PositionDay', { vault, owner }, args),
  'PositionPeriod.shares': sharesAtEnd,
  'PositionPeriod.costBasis': costAtEnd,
  'PositionPeriod.assets': assetsAtEnd,
  'PositionPeriod.realizedGainToDate': gainAtEnd,
  'PositionPeriod.unrealizedGain': (period: Row, world: World) =>
    assetsAtEnd(period, world) - costAtEnd(period, world),
  'VaultPosition.assets': assetsNow,
  'VaultPosition.withdrawableNow': withdrawableNow,
  'VaultPosition.realizedGain': realizedGain,
  'VaultPosition.unrealizedGain': now(unrealizedGain),
  'VaultPosition.returnBps': now(returnBps),
}
