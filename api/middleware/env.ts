import type { Logger } from 'pino'
import type { PinBlock } from '../chain/pin-block.ts'
import type { OpenOne } from '../projection/snapshot.ts'
import type { Authentication } from './authenticate.ts'

/** What every handler finds in its context. */
export type AppEnv = {
  Variables: {
    /** Of the caller's `X-Request-Id` when well-formed, else made here; logged and returned with every answer. */
    requestId: string
    /** Writes the request id with every line. */
    log: Logger
    authentication: Authentication
    /** Opens the projection for this request, at its `X-Min-Block` or later. */
    openSnapshot: OpenOne
    /** Pins the chain for this request, likewise. */
    pinBlock: PinBlock
  }
}
