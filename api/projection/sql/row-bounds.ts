/** How the rows that a statement reads for sums and counts are bounded. */
import { CodedError } from '../../errors.ts'
import type { Sql } from './json.ts'

export type RowBounds = {
  /**
   * A text that fails the statement when it is converted: it is written again, with bounds by the planner's estimate
   * (`isEstimated`).
   */
  readonly exceeded: () => Sql
  /** A text that fails the statement when it is converted; the operation then fails with this error. */
  readonly failure: (error: () => Error) => Sql
  /** Has the planner's estimate for a relation checked before the statement runs. */
  readonly bound: (relation: Sql, subject: Subject) => void
  /** Whether totals can be read in place of rows. */
  readonly hasTotals: boolean
  /** Whether bounds that the statement itself checks were exceeded before. */
  readonly isEstimated: boolean
  /** Whether the statement reads the rows once for each item of a list. */
  readonly isInList: () => boolean
}

/** The subject of a refusal, and advice to narrow it, in terms of the API. */
export type Subject = { readonly subject: string; readonly advice: string }

export function tooWide({ subject, advice }: Subject, maximumRows: number): CodedError {
  return new CodedError('AGGREGATE_TOO_WIDE', `${subject} would read too many rows one by one. ${advice}`, {
    facts: { maximumRows },
  })
}
