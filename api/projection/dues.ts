/** Financed face that falls due, and what of it is overdue: from the daily sums, and from the allocations that are due on the day of the block. */
import { sql } from 'kysely'
import { SECONDS_PER_DAY } from '../domain/limits.ts'
import type { UnixSeconds } from '../domain/time.ts'
import { type Point, readRowsSeries, type SeriesRequest } from './series.ts'
import type { Snapshot } from './snapshot.ts'
import { view } from './source.ts'

export type DueKey = 'vault' | 'issuer' | 'token'

const dues = {
  flows: ['faceDue', 'faceSettled'],
  stocks: { overdueFace: { in: ['faceDue'], out: ['faceSettled'] } },
} as const

/** Face that fell due in a period, and face that was overdue at its end; of the current period until the time of the block. */
export type DuePoint = Point<typeof dues>

/** The series of each key, in the order of the keys, with the periods of `readSeries` for the same request. */
export function readDues(
  snapshot: Snapshot,
  key: DueKey,
  keys: readonly string[],
  request: SeriesRequest,
  token?: string,
): Promise<(readonly DuePoint[])[]> {
  const from = rowsUntil(snapshot.finalizedThrough.timestamp)
  return readRowsSeries(snapshot, { ...dues, key, from }, keys, request, token)
}

/** Overdue face of each key at the time of the block. */
export async function readOverdueFace(
  snapshot: Snapshot,
  key: DueKey,
  keys: readonly string[],
): Promise<bigint[]> {
  const now = snapshot.finalizedThrough.timestamp
  const series = await readDues(snapshot, key, keys, { period: 'day', from: now, last: now })
  return series.map((points) => points.at(-1)?.overdueFace ?? 0n)
}

/**
 * A claim is overdue after the second in which it is due. The day of `now` counts until `now` only: what is due later that day and is
 * settled or revoked already is taken from what is settled.
 */
function rowsUntil(now: UnixSeconds) {
  const today = now - (now % SECONDS_PER_DAY)
  const keys = sql`vault, issuer, token`
  const isDue = sql`due_at < ${now}`
  return sql`(
    select ${keys}, day, case when day < ${today} then face_due else 0 end as face_due, face_settled
    from ${view('dueDay')} where day <= ${today}
    union all
    select ${keys}, ${today}::numeric, case when ${isDue} then face_amount else 0 end, case when ${isDue} then 0 else -face_amount end
    from ${view('allocation')}
    where settled in (true, false) and due_at >= ${today} and due_at < ${today + SECONDS_PER_DAY} and (settled or ${isDue})
  ) as due`
}
