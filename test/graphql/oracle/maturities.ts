/** Outstanding face by due date, part by part, in the periods of the calendar. */
import { larger } from '../../../api/domain/bigint.ts'
import { sum } from '../../support/sum.ts'
import { next, type Period, startOf } from '../calendar.ts'
import type { Args } from './pages.ts'
import { find, integer, type Row, rowsOf, text, type World } from './rows.ts'

export type Slice = { readonly [Name in 'dueAt' | 'face' | 'advance' | 'paid' | 'repaid']: bigint }
type Request = { readonly period: Period; readonly periods: number; readonly from: bigint | undefined }

/** Parts of slices that are not repaid. */
export function partsOf(slices: readonly Slice[]) {
  return slices.flatMap(({ dueAt, face, advance, paid, repaid }) => {
    const advanceOf = (until: bigint) => (advance * until) / (face || 1n)
    const parts = [
      { isHeld: false, dueAt, face: face - paid, advance: advanceOf(face) - advanceOf(paid) },
      { isHeld: true, dueAt, face: paid - repaid, advance: advanceOf(paid) - advanceOf(repaid) },
    ]
    return parts.filter((part) => part.face > 0n)
  })
}

/** The rows of `maturities`. */
export function ladderOf(slices: readonly Slice[], { period, periods, from }: Request, now: bigint) {
  const starts = [startOf(period, larger(from ?? now, now))]
  while (starts.length <= periods) starts.push(next(period, starts.at(-1) ?? 0n))
  const [first = 0n, end = 0n] = [starts[0], starts.pop()]
  const parts = partsOf(slices)
  const unpaid = parts.filter(({ isHeld, dueAt }) => !isHeld && dueAt >= now)
  const row = (kind: string, own: typeof parts, start: bigint | null = null) => {
    const [face, advance] = [sum(own.map((part) => part.face)), sum(own.map((part) => part.advance))]
    return { kind, start, face, advance, discount: face - advance, allocations: BigInt(own.length) }
  }
  return [
    row(
      'OVERDUE',
      parts.filter(({ isHeld, dueAt }) => !isHeld && dueAt < now),
    ),
    row(
      'HELD',
      parts.filter(({ isHeld }) => isHeld),
    ),
    row(
      'BEFORE',
      unpaid.filter(({ dueAt }) => dueAt < first),
    ),
    ...starts.map((start) =>
      row(
        'PERIOD',
        unpaid.filter(({ dueAt }) => dueAt >= start && dueAt < next(period, start)),
        start,
      ),
    ),
    row(
      'AFTER',
      unpaid.filter(({ dueAt }) => dueAt >= end),
    ),
  ]
}

export const sliceOf = (allocation: Row): Slice => ({
  dueAt: integer(allocation, 'dueAt'),
  face: integer(allocation, 'faceAmount'),
  advance: integer(allocation, 'advanceAmount'),
  paid: integer(allocation, 'paidFace'),
  repaid: integer(allocation, 'repaidFace'),
})

function maturitiesOf(world: World, token: string, args: Args, isOwn: (allocation: Row) => boolean) {
  const own = rowsOf(world, 'Allocation').filter((row) => row.token === token && isOwn(row))
  const { period: name, from } = args
  const period = name === 'week' || name === 'day' ? name : 'month'
  const start = typeof from === 'bigint' ? from : undefined
  const rows = ladderOf(
    own.map(sliceOf),
    { period, periods: Number(args.periods), from: start },
    world.block.timestamp,
  )
  return rows.map(({ face, advance, discount, ...row }) => ({
    ...row,
    token,
    outstandingFace: face,
    outstandingAdvance: advance,
    outstandingDiscount: discount,
  }))
}

export const maturityValues = {
  'Query.marketMaturities': (_: Row, world: World, args: Args) =>
    maturitiesOf(world, String(args.token), args, () => true),
  'Vault.maturities': (vault: Row, world: World, args: Args) =>
    maturitiesOf(world, text(vault, 'token'), args, (row) => row.vault === vault.address),
  'Issuer.maturities': (issuer: Row, world: World, args: Args) =>
    maturitiesOf(world, String(args.token), args, (row) => row.issuer === issuer.address),
  'Account.maturities': (account: Row, world: World, args: Args) =>
    maturitiesOf(
      world,
      String(args.token),
      args,
      (row) => find(world, 'Claim', row.claimId ?? null)?.beneficiary === account.address,
    ),
}
