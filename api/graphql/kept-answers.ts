/**
 * Answers that are kept until the projection changes: at one block of one index, the same request has the same answer. An answer that
 * depends on more (`dependsOnMore`) or has errors is not kept.
 */
import type { ExecutionResult } from 'graphql'
import { isAsyncIterable, type Plugin } from 'graphql-yoga'
import { parseMinBlock } from '../middleware/min-block.ts'
import type { ProjectionState, ProjectionWatch } from '../projection/watch.ts'
import type { GraphqlContext, ServerContext } from './context.ts'
import { textOf, toTextResult } from './text-result.ts'

type Watch = Pick<ProjectionWatch, 'latest'>

/** The largest answer that is kept, as a share of the room for all. */
const LARGEST_SHARE = 1 / 16

/** @param room UTF-16 code units of all requests and answers; 0 keeps nothing */
export function useKeptAnswers(watch: Watch, room: number): Plugin<GraphqlContext, ServerContext> {
  const answers = createKeptAnswers(watch, room)
  return {
    onParams({ params, context: { c }, paramsHandler, setParamsHandler }) {
      const { query, operationName, variables } = params
      const request = JSON.stringify([query, operationName, variables])
      const minBlock = parseMinBlock(c.req.header('X-Min-Block'))
      setParamsHandler(async (payload) => {
        const kept = answers.find(request, minBlock)
        if (kept !== undefined) return toTextResult(kept)
        const keep = answers.begin(request)
        const result = await paramsHandler(payload)
        if (isAsyncIterable(result) || c.get('dependsOnMore')) return result
        const block = blockOf(result)
        if (block === undefined) return result
        const text = textOf(result)
        keep(text, block)
        return toTextResult(text)
      })
    },
  }
}

/** The block of an answer without errors that reads the projection. */
function blockOf({ errors, extensions }: ExecutionResult): bigint | undefined {
  const through = extensions?.finalizedThrough
  if (errors || typeof through !== 'object' || through === null || !('blockNumber' in through))
    return undefined
  return BigInt(Number(through.blockNumber))
}

function createKeptAnswers(watch: Watch, room: number) {
  const kept = new Map<string, string>()
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
    size -= sizeOf(request, kept.get(request) ?? '')
    kept.delete(request)
  }
  return {
    /** @param minBlock the earliest block of an answer that the caller accepts */
    find: (request: string, minBlock = 0n): string | undefined => {
      const now = present()
      return now && now.finalizedThrough.blockNumber >= minBlock ? kept.get(request) : undefined
    },
    /** To be called before the answer is read: one that was read while the projection changed is not kept. */
    begin: (request: string) => {
      const before = present()
      return (text: string, block: bigint): void => {
        const added = sizeOf(request, text)
        const isPresent = before && present() === before && block === before.finalizedThrough.blockNumber
        if (!isPresent || added > room * LARGEST_SHARE) return
        if (kept.has(request)) drop(request)
        for (const oldest of kept.keys()) {
          if (size + added <= room) break
          drop(oldest)
        }
        kept.set(request, text)
        size += added
      }
    },
  }
}

const sizeOf = (request: string, text: string): number => request.length + text.length
