/** How issuers pay and what they owe, in SQL. */
import type { Figures } from './support.ts'

/** Whole days from the due date of a claim to each of its payments. */
export const PAYMENTS = `
  SELECT issuer, c.token, settledAt, faceAmount_decimal AS face,
    greatest(0, floor((epoch(settledAt) - epoch(dueDate)) / 86400))::BIGINT AS late,
    settledAt >= date_trunc('day', dueDate) + INTERVAL '91 days' AS isRecovered, registeredAt
  FROM settlements s JOIN claims c USING (claimId)`

/**
 * The face that is due to vaults and that no settlement has paid.
 *
 * @param where a condition on the slices `a` and their claims `c`
 */
export async function dueBefore({ rowsOf, now }: Figures, where: string): Promise<string> {
  const [[face] = []] = await rowsOf(`
    SELECT coalesce(sum(a.faceAmount_decimal - a.paidFace_decimal), 0)
    FROM allocations a JOIN claims c USING (claimId) WHERE epoch(a.dueDate) < ${now} AND ${where}`)
  return face ?? ''
}
