/**
 * Answers that are kept until the projection changes: at one block of one index, the same request has the same answer. An answer that
 * depends on more (`dependsOnMore`) or has errors is not kept.
 */
import type { ProjectionState, ProjectionWatch } from '../projection/watch.ts'

type Watch = Pick<ProjectionWatch, 'latest'>

/** An answer with status 200. Bytes are written faster than text, which is encoded each time. */
export type KeptAnswer = {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>

/** The largest answer that is kept, as a share of the room for all. */
const LARGEST_SHARE = 1 / 16

/** @param room bytes of all requests and answers; 0 keeps nothing */
export function createKeptAnswers(watch: Watch, room: number) {
  const kept = new Map<string, KeptAnswer>()
  let state: ProjectionState | undefined
  let size = 0
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
      return now && now.finalizedThrough.blockNumber >= minBlock ? kept.get(request) : undefined
    },
    /** To be called before the answer is read: one that was read while the projection changed is not kept. */
    begin: (request: string) => {
      const before = present()
      return (answer: KeptAnswer, block: bigint): void => {
        const added = sizeOf(request, answer)
        const isPresent = before && present() === before && block === before.finalizedThrough.blockNumber
        if (!isPresent || added > room * LARGEST_SHARE) return
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

const sizeOf = (request: string, { body }: KeptAnswer): number => request.length + body.length
