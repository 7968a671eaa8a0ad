import type { HttpBindings } from '@hono/node-server'
import type { RateLimitInfo } from 'hono-rate-limiter'
import type { Logger } from 'pino'
import type { Session } from '../auth/token.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import type { RatePolicy } from '../config.ts'
import type { CodedError } from '../errors.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { OpenSnapshot, ProjectionState } from '../projection/snapshot.ts'
import type { Reading, Readout } from '../projection/statement.ts'
import type { Answer } from './kept-answers.ts'

/** Rules that a route declares. */
export type RouteRules = {
  /** `wallet` requires a valid token (interface specification, section 5.5). */
  readonly access: 'public' | 'wallet'
  /** The rate limit that a request counts against. `none` is for probes: orchestrators send many, and stop a process that refuses them. */
  readonly limit: RatePolicy | 'none'
  /** The block that `X-Min-Block` refers to: the projected one, or the finalized one of the chain. Default: the header has no effect. */
  readonly minBlock?: 'projection' | 'chain'
  /** Whether answers have an `ETag` and name the finalized block in `X-Finalized-Through`. Default: no. */
  readonly isConditional?: boolean
  /** Whether answers depend on the request and the projection at its block alone, so that they are kept until that changes. Default: no. */
  readonly isKept?: boolean
  /** Whether the route has no parameters of a query, so that any is refused: a misspelt one would go unnoticed. Default: no. */
  readonly hasNoQuery?: boolean
}

/** The session of the caller, or the reason why there is none. */
export type Authentication =
  | {
      session: Session
      /** Whether a cookie carried the token: a browser sends it by itself. */
      isByCookie?: true
    }
  | { refusal: CodedError }

/**
 * What a snapshot is for. A `read`, and a `progress` that reads only the projected block, count against their caller. An `export` and an event of a subscription (`live`) count against
 * concurrency limits of their own instead.
 */
export type Purpose = 'read' | 'progress' | 'export' | 'live'

/** The rate limit of a request, and the rest of it. */
export type Limit = {
  /** As `RateLimit-Policy` calls it. */
  name: string
  quota: number
  remaining: number
  /** Until the window ends; at least 1. */
  secondsLeft: number
}

/** Values of the headers of an answer by name, in `Title-Case`. */
export type AnswerHeaders = Record<string, string>

/** What every handler knows of its request: its connection, unless a test calls the app itself, and variables. */
export type AppEnv = {
  Bindings: Partial<HttpBindings>
  Variables: {
    /** Of the caller's `X-Request-Id` when well-formed, else made here; logged and returned with every answer. */
    requestId: string
    /** @returns a log that writes the request id with every line */
    log: () => Logger
    /** Of the answer, as far as they are known. */
    headers: AnswerHeaders
    /** The answer that was made with all of them. */
    sent?: Response
    /** Undefined where nothing is measured. */
    metrics?: Metrics
    /** Method and path of the route that answers, as registered; `(none)` where there is none. */
    route: string
    /** Name of its GraphQL operation, as the client chose it; empty without a name. */
    operation?: string | undefined
    /** Of the route that answers. */
    rules: RouteRules
    authentication: Authentication
    /** The tightest limit that the request counts against. */
    limit?: Limit
    /** That of `clientAddress`, once it is asked for. */
    clientAddress?: string
    /** The latest count of the limiter. */
    rateLimit: RateLimitInfo
    /** Whether no cache may store the answer, whatever its handler states. */
    isPersonal?: true
    /**
     * Opens the projection for this request, at its `X-Min-Block` or later.
     *
     * @param purpose default: `read`
     * @param signal ends its statements; default: that of the request, which aborts when the client leaves
     * @throws CodedError `TOO_MANY_READS`, `READS_BUSY`; as `readSnapshot`; `PROJECTION_BEHIND`; the reason of the signal
     */
    openSnapshot: (purpose?: Purpose, signal?: AbortSignal) => Promise<OpenSnapshot>
    /**
     * Reads a value in one statement, at the `X-Min-Block` of the request or later.
     *
     * @param isShort whether other reads may wait for it
     * @throws as `openSnapshot`
     */
    readStatement: (reading: Reading, isShort: boolean) => Promise<Readout>
    /** Whether the answer depends on more than the request and the projection at its block: on the caller, the chain or the gateway's own schema. */
    dependsOnMore?: true
    /** The state that the reads of the request saw: the same in all of them, or `dependsOnMore` is set. */
    seen?: ProjectionState
    /** Keeps the answer of a request whose route is `isKept`, read from this state. */
    keep?: (answer: Answer, seen: ProjectionState) => void
    /** Pins the chain for this request, at its `X-Min-Block` or later. */
    pinBlock: PinBlock
  }
}
