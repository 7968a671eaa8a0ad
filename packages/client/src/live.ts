/** A subscription that outlives its connections. */
import { GatewayError } from './errors.ts'
import type { Given, ReadOptions, TypedDocument } from './graphql.ts'
import { pause } from './pause.ts'
import type { Stream } from './subscribe.ts'

export type LiveOptions = ReadOptions & {
  /** Called when the connection is lost: until the next answer, the last one may be out of date. */
  onLost?: (error: GatewayError | undefined) => void
}

export type Live = <Result, Variables extends object>(
  document: TypedDocument<Result, Variables>,
  ...given: Given<Variables, LiveOptions>
) => AsyncGenerator<Result, void>

const FIRST_DELAY_MS = 1000
const DELAY_MAX_MS = 30_000

/**
 * Answers of a subscription as they arrive, over a new connection whenever one ends. The first answer of each
 * connection is the present state. The delay doubles with each failure up to half a minute, and is not shorter than
 * the `retryAfter` of the gateway. Up to half of it is added at random, so that clients which lost their connections
 * together do not return together.
 *
 * @param random from 0 to less than 1
 * @throws GatewayError that is not `retryable`; the reason of the signal
 */
export function createLive(subscribe: Stream, random: () => number): Live {
  return async function* (document, ...[variables, { onLost, ...options } = {}]) {
    const signal = options.signal ?? new AbortController().signal
    for (let failures = 0; ; failures++) {
      let error: GatewayError | undefined
      try {
        for await (const answer of subscribe(document, variables, options)) {
          failures = 0
          yield answer
        }
      } catch (thrown) {
        if (!(thrown instanceof GatewayError && thrown.retryable)) throw thrown
        error = thrown
      }
      onLost?.(error)
      const backoffMs = Math.min(FIRST_DELAY_MS * 2 ** failures, DELAY_MAX_MS)
      const delayMs = Math.max(backoffMs, (error?.retryAfter ?? 0) * 1000)
      await pause(delayMs * (1 + random() / 2), signal)
      signal.throwIfAborted()
    }
  }
}
