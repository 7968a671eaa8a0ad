import type { PinBlock } from '../chain/pin-block.ts'
import type { BudgetVariables } from '../limits/cost-budget.ts'
import type { UnreadVariables } from '../limits/unread-answers.ts'
import type { OpenSnapshot } from '../projection/session/snapshot.ts'
import type { Readout } from '../projection/session/state.ts'
import type { Reading } from '../projection/sql/statement.ts'
import type { AuthenticationVariables } from './authentication.ts'
import type { EnvWith } from './define-middleware.ts'
import type { RequestIdVariables } from './request-id.ts'

/**
 * Purpose of a snapshot. A `read`, and a `progress` that reads only the projected block, count against their caller.
 * An `export` and an event of a subscription (`live`) count against concurrency limits of their own instead.
 */
export type Purpose = 'read' | 'progress' | 'export' | 'live'

/** Reads of the projection for a request. */
export type ReadVariables = {
  /**
   * Opens the projection for this request, at its `X-Min-Block` or later. Its statements end when the client leaves.
   *
   * @param purpose default: `read`
   * @throws CodedError `TOO_MANY_READS`, `READS_BUSY`, `ANSWERS_UNREAD`; as `readSnapshot`; `PROJECTION_BEHIND`; the
   * reason of the signal
   */
  openSnapshot: (purpose?: Purpose) => Promise<OpenSnapshot>
  /**
   * Reads a value in one statement, at the `X-Min-Block` of the request or later.
   *
   * @param isShort whether other reads may wait for it
   * @param purpose default: `read`
   * @param signal ends the statement; default: that of the request, which aborts when the client leaves
   * @throws as `openSnapshot`; CodedError `READ_TOO_SLOW`; `RATE_LIMITED` for a caller without the budget for its plan
   */
  readStatement: (
    reading: Reading,
    isShort: boolean,
    purpose?: Purpose,
    signal?: AbortSignal,
  ) => Promise<Readout>
  /** Pins the chain for this request, at its `X-Min-Block` or later. */
  pinBlock: PinBlock
}

/** A request for which a snapshot can be opened. */
export type ReadingEnv = EnvWith<
  RequestIdVariables & AuthenticationVariables & BudgetVariables & UnreadVariables
>
