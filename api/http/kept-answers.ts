/**
 * Answers that are kept until the projection changes: at one block of one index, the same request has the same answer
 * if its plan is pure.
 */
import type { ProjectionState } from '../projection/session/state.ts'
import { isSame, type ProjectionWatch } from '../projection/session/watch.ts'

type Watch = Pick<ProjectionWatch, 'latest'>

type Headers = Readonly<Record<string, string>>

/** An answer with status 200. */
export type Answer = {
  readonly text: string
  readonly headers: Headers
  /** As `AppEnv.operation`. */
  readonly operation?: string | undefined
}

/** An answer as bytes, which are written faster than text: a text is encoded each time. */
export type KeptAnswer = Omit<Answer, 'text'> & { readonly body: Uint8Array<ArrayBuffer> }

export type KeptAnswers = ReturnType<typeof createKeptAnswers>

/** Bytes that an answer takes besides its request and its body, measured as resident memory. */
const ENTRY_BYTES = 1000

/** The largest answer that is kept, as a share of the room for all. */
const LARGEST_SHARE = 1 / 16

/** @param room bytes of all requests and answers; 0 keeps nothing */
export function createKeptAnswers(watch: Watch, room: number) {
  const kept = new Map<string, KeptAnswer>()
  let state: ProjectionState | undefined
  let size = 0
  let hits = 0
  let misses = 0
  const present = () => {
    const now = room > 0 ? watch.latest() : undefined
    if (now !== state) {
      kept.clear()
      size = 0
      state = now
    }
    return now
  }
  const drop = (request: string) => {
    const answer = kept.get(request)
    if (!answer) return
    size -= sizeOf(request, answer)
    kept.delete(request)
  }
  return {
    /** @param minBlock the earliest block of an answer that the caller accepts */
    find: (request: string, minBlock = 0n): KeptAnswer | undefined => {
      const now = present()
      const found = now && now.finalizedThrough.blockNumber >= minBlock ? kept.get(request) : undefined
      if (found) hits++
      else misses++
      return found
    },
    /** Requests that were and were not answered, and bytes. */
    counts: () => ({ hits, misses, size }),
    /** To be called before the answer is read: one that was read from another state is not kept. */
    begin: (request: string) => {
      const before = present()
      return ({ text, headers, operation }: Answer, seen: ProjectionState): void => {
        if (!before || present() !== before || !isSame(seen, before)) return
        // It has memory of its own. A small `Buffer` is a part of a block of 8 KB, and keeps all of it.
        const answer = { body: encoder.encode(text), headers, operation: operation && ownText(operation) }
        const added = sizeOf(request, answer)
        if (added > room * LARGEST_SHARE) return
        drop(request)
        for (const oldest of kept.keys()) {
          if (size + added <= room) break
          drop(oldest)
        }
        kept.set(request, answer)
        size += added
      }
    },
  }
}

const encoder = new TextEncoder()

/** A name that was cut from the text of a query would keep all of it in memory. Names of GraphQL are ASCII. */
const ownText = (name: string): string => Buffer.from(name, 'latin1').toString('latin1')

/** A text with a character above U+00FF has two bytes for each in memory. */
const sizeOf = (request: string, { body }: KeptAnswer): number =>
  request.length * (WIDE.test(request) ? 2 : 1) + body.length + ENTRY_BYTES

const WIDE = /[^\0-\xff]/
