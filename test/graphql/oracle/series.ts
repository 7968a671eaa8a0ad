/** Figures per period, and what is outstanding, from daily figures and from allocations. */
import { smaller } from '../../../api/domain/bigint.ts'
import { divide } from '../../../api/domain/paid-shares.ts'
import { sum } from '../../support/sum.ts'
import { next, type Period, startOf } from '../calendar.ts'
import type { Args } from './pages.ts'
import { Refusal } from './refusals.ts'
import { integer, type Row, rowsOf, type World } from './rows.ts'

const POINTS_DEFAULT = 30
const POINTS_MAX = 400n
const SHORTEST = { day: 86_400n, week: 7n * 86_400n, month: 28n * 86_400n }

const FIGURES = [
  ...['faceFinanced', 'advanced', 'faceRepaid', 'discountEarned'],
  ...['claimsRegistered', 'faceRegistered', 'settlements', 'faceSettled'],
  ...['executions', 'allocations', 'deposited', 'withdrawn'],
  ...['received', 'sent'],
]

/** Each stock by the figures that add to it, and those that take from it. */
const STOCKS: readonly (readonly [stock: string, more: readonly string[], less: readonly string[]])[] = [
  ['discountEarnedToDate', ['discountEarned'], []],
  ['idleAssets', ['deposited', 'faceRepaid'], ['withdrawn', 'advanced']],
  ['outstandingAdvance', ['advanced', 'discountEarned'], ['faceRepaid']],
  ['outstandingFace', ['faceFinanced'], ['faceRepaid']],
]

/**
 * The series of the days and allocations that have all values of the owner.
 *
 * @param type of the daily figures
 * @throws Refusal for too many periods
 */
export function seriesOf(world: World, type: string, owner: Row, args: Args): Row[] {
  const days = ownOf(world, type, owner)
  const dues = duesOf(world, owner)
  const { timestamp: now } = world.block
  return periodsOf(args, now).map(([start, end]) => {
    const until = days.filter((day) => integer(day, 'day') < end)
    const within = until.filter((day) => integer(day, 'day') >= start)
    const due = dues.filter(({ dueAt }) => dueAt >= start && dueAt < smaller(end, now))
    return {
      ...owner,
      start,
      end,
      ...sumsOf(within),
      ...stocksOf(until),
      faceDue: sum(due.map(({ face }) => face)),
      overdueFace: overdueAt(dues, end, now),
    }
  })
}

/** The present exposure of the owner. */
export function exposureOf(world: World, type: string, owner: Row): Row {
  return { ...owner, ...stocksOf(ownOf(world, type, owner)), overdueFace: overdueFaceOf(world, owner) }
}

export function overdueFaceOf(world: World, owner: Row): bigint {
  const { timestamp: now } = world.block
  return overdueAt(duesOf(world, owner), now + 1n, now)
}

function ownOf(world: World, type: string, owner: Row): Row[] {
  const values = Object.entries(owner)
  return rowsOf(world, type).filter((row) => values.every(([column, value]) => row[column] === value))
}

function periodsOf({ period: name, from, to }: Args, now: bigint): [start: bigint, end: bigint][] {
  const period: Period = name === 'week' || name === 'month' ? name : 'day'
  const last = typeof to === 'bigint' ? smaller(to - 1n, now) : now
  let first = startOf(period, last)
  if (typeof from === 'bigint') {
    if ((last - from) / SHORTEST[period] + 2n > POINTS_MAX) throw new Refusal('from')
    first = startOf(period, from)
  } else for (let i = 1; i < POINTS_DEFAULT; i += 1) first = startOf(period, first - 1n)
  const periods: [bigint, bigint][] = []
  for (let start = first; start <= last; start = next(period, start))
    periods.push([start, next(period, start)])
  return periods
}

/** Sums of all figures; 0 for those that such days do not have. */
function sumsOf(days: readonly Row[]): Row {
  const figureOf = (day: Row, figure: string) => (figure in day ? integer(day, figure) : 0n)
  return Object.fromEntries(FIGURES.map((figure) => [figure, sum(days.map((day) => figureOf(day, figure)))]))
}

function stocksOf(days: readonly Row[]): Row {
  const sums = sumsOf(days)
  const add = (figures: readonly string[]) => sum(figures.map((figure) => integer(sums, figure)))
  return Object.fromEntries(STOCKS.map(([stock, more, less]) => [stock, add(more) - add(less)]))
}

/** Financed face, when it is due, when which part of it is paid, and when its claim is revoked. */
type Due = {
  readonly face: bigint
  readonly dueAt: bigint
  readonly payments: readonly { readonly at: bigint; readonly paid: bigint }[]
  readonly revokedAt: bigint | undefined
}

function duesOf(world: World, owner: Row): Due[] {
  return ownOf(world, 'Allocation', owner).map((row) => {
    const claim = rowsOf(world, 'Claim').find(({ id }) => id === row.claimId) ?? {}
    return {
      face: integer(row, 'faceAmount'),
      dueAt: integer(row, 'dueAt'),
      payments: paymentsOf(world, claim, row),
      revokedAt: claim.state === 'REVOKED' ? closedAt(world, claim) : undefined,
    }
  })
}

/** The face of a slice that is paid after each payment of its claim. */
function paymentsOf(world: World, claim: Row, slice: Row) {
  const isOfClaim = (row: Row) => row.claimId === claim.id
  const slices = rowsOf(world, 'Allocation').filter(isOfClaim).toSorted(bySliceIndex)
  const faces = slices.map((row) => ({ faceAmount: integer(row, 'faceAmount') }))
  let paidFaceValue = 0n
  return rowsOf(world, 'Settlement')
    .filter(isOfClaim)
    .toSorted(byId)
    .map((row) => {
      paidFaceValue += integer(row, 'faceAmount')
      const { shares } = divide(faces, { faceValue: integer(claim, 'faceValue'), paidFaceValue })
      return { at: integer(row, 'at'), paid: shares[slices.indexOf(slice)] ?? 0n }
    })
}

const bySliceIndex = (one: Row, other: Row) => Number(one.sliceIndex) - Number(other.sliceIndex)
const byId = (one: Row, other: Row) => (integer(one, 'id') < integer(other, 'id') ? -1 : 1)

function closedAt(world: World, { id }: Row): bigint {
  const event = rowsOf(world, 'Activity').find((row) => row.kind === 'CLAIM_REVOKED' && row.claimId === id)
  return integer(event ?? {}, 'at')
}

/** Face that was due, and neither paid nor revoked, before `end`; due before now if that is earlier. */
function overdueAt(dues: readonly Due[], end: bigint, now: bigint): bigint {
  return sum(
    dues
      .filter(({ dueAt, revokedAt }) => dueAt < smaller(end, now) && (revokedAt ?? end) >= end)
      .map(({ face, payments }) => face - (payments.findLast(({ at }) => at < end)?.paid ?? 0n)),
  )
}
