/** The unpaid face that is owed to a vault, by the day on which it is due. */
import { sql } from 'kysely'
import type { Address } from 'viem'
import { sum } from '../../domain/bigint.ts'
import { SECONDS_PER_DAY } from '../../domain/limits.ts'
import type { BaseUnits } from '../../domain/money.ts'
import type { UnixSeconds } from '../../domain/time.ts'
import type { Snapshot } from '../session/snapshot.ts'
import { view } from '../sql/source.ts'

/** Days of an answer. */
export const DUE_DAYS_SHOWN = 30

export type DueFace = { faceAmount: BaseUnits; allocations: bigint }

export type DueDays = {
  /** Past due at the block of the snapshot. */
  overdue: DueFace
  days: readonly (DueFace & { dueDay: UnixSeconds })[]
  /** After `days`. */
  later: DueFace
}

type Row = { day: string | null; faceAmount: string; allocations: string }

/** Reads the allocations whose face is not paid in full. */
export async function readDueDays(
  { db, finalizedThrough }: Pick<Snapshot, 'db' | 'finalizedThrough'>,
  vault: Address,
): Promise<DueDays> {
  const now = finalizedThrough.timestamp
  const { rows } = await sql<Row>`
    select case when due_at >= ${now} then div(due_at, ${SECONDS_PER_DAY}) end as day,
      sum(face_amount - paid_face)::text as face_amount, count(*)::text as allocations
    from ${view('allocation')} where vault = ${vault} and not settled
    group by 1 order by 1 nulls first`.execute(db)
  const faces = rows.map(({ day, faceAmount, allocations }) => ({
    dueDay: day === null ? undefined : BigInt(day) * SECONDS_PER_DAY,
    faceAmount: BigInt(faceAmount),
    allocations: BigInt(allocations),
  }))
  const upcoming = faces.flatMap(({ dueDay, ...face }) => (dueDay === undefined ? [] : [{ ...face, dueDay }]))
  return {
    overdue: total(faces.filter(({ dueDay }) => dueDay === undefined)),
    days: upcoming.slice(0, DUE_DAYS_SHOWN),
    later: total(upcoming.slice(DUE_DAYS_SHOWN)),
  }
}

function total(faces: readonly DueFace[]): DueFace {
  return {
    faceAmount: sum(faces.map(({ faceAmount }) => faceAmount)),
    allocations: sum(faces.map(({ allocations }) => allocations)),
  }
}
