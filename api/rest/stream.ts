/** Answers that are sent while they are made. */
import { setInterval } from 'node:timers/promises'

type Parts = {
  first: string
  /** Made as the client takes them. */
  rest: AsyncGenerator<string, void, undefined>
  /** Called every second with the milliseconds since the client took anything; what it throws ends the stream. */
  check: (idleMs: number) => Promise<void>
  clock: Clock
  onFailure: (error: unknown) => void
}

type Clock = () => number

type Controller = ReadableStreamDefaultController<Uint8Array>

const CHECK_MS = 1000

/**
 * The parts as a body. However it ends, `rest` is told to return. A failure breaks the body off, so that the client sees that it is not
 * whole: over HTTP/1.1 the last chunk is missing.
 */
export function toStream({ first, rest, check, clock, onFailure }: Parts): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const over = new AbortController()
  let idleSince: number | undefined
  const end = async () => {
    over.abort()
    await rest.return()
  }
  const fail = async (controller: Controller, error: unknown) => {
    if (over.signal.aborted) return
    onFailure(error)
    // The server prints this one; what there is to know of it is in the log.
    controller.error(new Error('an answer broke off'))
    await end()
  }
  const keepChecking = async () => {
    for await (const _ of setInterval(CHECK_MS, undefined, { signal: over.signal })) {
      await check(idleSince === undefined ? 0 : clock() - idleSince)
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        controller.enqueue(encoder.encode(first))
        idleSince = clock()
        keepChecking().catch((error) => fail(controller, error))
      },
      pull: async (controller) => {
        idleSince = undefined
        try {
          const part = await rest.next()
          idleSince = clock()
          if (!part.done) return controller.enqueue(encoder.encode(part.value))
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
