/** Answers that are sent while they are made. */
import { setInterval } from 'node:timers/promises'

/** Text or bytes that are sent at once. */
export type Part = string | Uint8Array

type Parts = {
  first: Part
  /** Made as the client takes them. */
  rest: AsyncGenerator<Part, void, undefined>
  /** Called every second. An error that it throws ends the stream. */
  check: (taken: Taken) => Promise<void>
  clock: Clock
  onFailure: (error: unknown) => void
}

/** How fast a client takes the parts. */
export type Taken = {
  /** Milliseconds since the client took the last part; 0 while the next part is made. */
  idleMs: number
  /** Total milliseconds of waiting for the client. */
  waitedMs: number
  /** Bytes that the client took. */
  bytes: number
}

type Clock = () => number

type Controller = ReadableStreamDefaultController<Uint8Array>

const CHECK_MS = 1000

/**
 * Makes a body of the parts. `rest.return` is called in every case. A failure aborts the body, so that the client sees
 * that it is not whole: over HTTP/1.1 the last chunk is missing.
 */
export function toStream({ first, rest, check, clock, onFailure }: Parts): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const over = new AbortController()
  let idleSince: number | undefined
  let [waitedMs, bytes] = [0, 0]
  const taken = (): Taken => {
    const idleMs = idleSince === undefined ? 0 : clock() - idleSince
    return { idleMs, waitedMs: waitedMs + idleMs, bytes }
  }
  const send = (controller: Controller, part: Part) => {
    const encoded = typeof part === 'string' ? encoder.encode(part) : part
    bytes += encoded.length
    controller.enqueue(encoded)
  }
  const end = async () => {
    over.abort()
    await rest.return()
  }
  const fail = async (controller: Controller, error: unknown) => {
    if (over.signal.aborted) return
    onFailure(error)
    // The server prints this error; the log has its cause.
    controller.error(new Error('an answer broke off'))
    await end()
  }
  const keepChecking = async () => {
    for await (const _ of setInterval(CHECK_MS, undefined, { signal: over.signal })) {
      await check(taken())
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        send(controller, first)
        idleSince = clock()
        keepChecking().catch((error) => fail(controller, error))
      },
      pull: async (controller) => {
        waitedMs = taken().waitedMs
        idleSince = undefined
        try {
          const part = await rest.next()
          idleSince = clock()
          if (!part.done) return send(controller, part.value)
          over.abort()
          controller.close()
        } catch (error) {
          await fail(controller, error)
        }
      },
      cancel: end,
    },
    // Nothing is made ahead of a client that takes nothing.
    { highWaterMark: 0 },
  )
}
