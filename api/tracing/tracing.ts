/**
 * Traces as the gateway writes them. Nothing here loads OpenTelemetry: `start.ts` does, where an endpoint is
 * configured.
 */

export type Attributes = Readonly<Record<string, string | number>>

export type TracedRequest = {
  method: string
  requestId: string
  /** The header of the caller (W3C Trace Context). */
  traceparent: string | undefined
}

/** Facts of an answered request. */
export type TracedAnswer = {
  /** Method and path as registered. */
  route: string
  /** Name of the GraphQL operation. */
  operation: string | undefined
  status: number
}

export type Tracing = {
  /** Runs `answer` as a span, in the trace of the caller if the request names one. `describe` is called at its end. */
  request: (
    request: TracedRequest,
    answer: () => Promise<void>,
    describe: () => TracedAnswer,
  ) => Promise<void>
  /** Runs a part of a request as a span of it. Outside of a request it only runs it. */
  part: <T>(name: string, attributes: Attributes, run: () => T) => T
  /** Id of the request that the present code runs for. */
  requestId: () => string | undefined
  /** Sends the spans that are left. */
  close: () => Promise<void>
}
