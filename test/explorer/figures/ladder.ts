/** Face that is owed to vaults by the month in which it is due, in SQL from the slices and the repayments. */
import type { Figures } from './support.ts'

/**
 * The rows that the chart has: due, face, advance and number of slices; none where nothing is owed.
 *
 * @param where a condition on the slices `a` and their claims `c`
 */
export async function ladderOf({ rowsOf, now }: Figures, where: string): Promise<(string | null)[][]> {
  const block = `to_timestamp(${now})`
  const month = `date_trunc('month', ${block})`
  const repaid = (value: string) => `coalesce((
    SELECT sum(${value}) FROM capitalChanges r
    WHERE kind = 'REPAYMENT' AND r.claimId = a.claimId AND r.sliceIndex = a.sliceIndex), 0)`
  const rows = await rowsOf(`
    WITH slice AS (
      SELECT CASE WHEN a.dueDate < ${block} THEN 'overdue'
          WHEN a.dueDate >= ${month} + INTERVAL '12 months' THEN 'after'
          ELSE strftime(a.dueDate, '%Y-%m') END AS due,
        a.faceAmount_decimal - ${repaid('amount_decimal')} AS face,
        a.advanceAmount_decimal - ${repaid('amount_decimal - discountAmount_decimal')} AS advance
      FROM allocations a JOIN claims c USING (claimId) WHERE ${where}
    ), place AS (
      SELECT 'overdue' AS due, 0 AS place UNION ALL SELECT 'after', 2 UNION ALL
      SELECT strftime(start, '%Y-%m'), 1
      FROM generate_series(${month}, ${month} + INTERVAL '11 months', INTERVAL '1 month') AS months(start)
    )
    SELECT due, coalesce(sum(face), 0), coalesce(sum(advance), 0), count(face)
    FROM place LEFT JOIN (SELECT * FROM slice WHERE face > 0) USING (due)
    GROUP BY due, place HAVING place = 1 OR count(face) > 0 ORDER BY place, due`)
  return rows.some(([, face]) => face !== '0') ? rows : []
}

export const LADDER = 'Owed to vaults by due date'
export const LADDER_COLUMNS = ['Due', 'Face', 'Advance', 'Slices']
