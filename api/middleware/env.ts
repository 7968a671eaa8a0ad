import type { Logger } from 'pino'
import type { PinBlock } from '../chain/pin-block.ts'
import type { OpenSnapshot } from '../projection/snapshot.ts'
import type { Authentication } from './authenticate.ts'
import type { RouteRules } from './route-rules.ts'
import type { Purpose } from './snapshots.ts'

/** Context variables of every handler. */
export type AppEnv = {
  Variables: {
    /** Of the caller's `X-Request-Id` when well-formed, else made here; logged and returned with every answer. */
    requestId: string
    /** Writes the request id with every line. */
    log: Logger
    /** Of the route that answers. */
    rules: RouteRules
    authentication: Authentication
    /**
     * Opens the projection for this request, at its `X-Min-Block` or later.
     *
     * @param purpose default: `read`
     * @param signal ends its statements; default: that of the request, which aborts when the client leaves
     * @throws CodedError `TOO_MANY_READS`, `READS_BUSY`; as `readSnapshot`; `PROJECTION_BEHIND`; the reason of the signal
     */
    openSnapshot: (purpose?: Purpose, signal?: AbortSignal) => Promise<OpenSnapshot>
    /** Pins the chain for this request, at its `X-Min-Block` or later. */
    pinBlock: PinBlock
  }
}
