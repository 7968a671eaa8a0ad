/** The time between two requests for a transaction. */
import { graphql } from './graphql.ts'
import { pause } from './pause.ts'
import type { Stream } from './subscribe.ts'

/**
 * Intervals between two requests while the subscription is open: a reorganization is noticed, and a lost event costs no
 * more.
 */
const INTERVALS_PER_BLOCK = 10

const FINALIZED_BLOCK = graphql('subscription { finalizedBlock { blockNumber } }')

/**
 * @param minedIn block of what is waited for, once it is mined
 * @returns resolves after `pollMs`; for a mined transaction, when reads show its block
 */
export type Pause = (minedIn: number | undefined) => Promise<void>

/** @param signal ends every pause, and the subscription */
export function createPause(subscribe: Stream, pollMs: number, signal: AbortSignal): Pause {
  let blocks: ReturnType<typeof blocksOf> | undefined
  return async (minedIn) => {
    if (minedIn === undefined || blocks?.isLost()) return pause(pollMs, signal)
    blocks ??= blocksOf(subscribe, signal)
    const woken = new AbortController()
    const slow = pause(pollMs * INTERVALS_PER_BLOCK, AbortSignal.any([signal, woken.signal]))
    await Promise.race([blocks.reach(minedIn), slow])
    woken.abort()
  }
}

/** The finalized blocks. `reach` resolves at one that is not before `block`, or when the subscription is lost. */
function blocksOf(subscribe: Stream, signal: AbortSignal) {
  const blocks = subscribe(FINALIZED_BLOCK, {}, { signal })
  let isLost = false
  let wanted = 0
  let pending: Promise<void> | undefined
  const read = async () => {
    while (!isLost) {
      const { done, value } = await blocks.next().catch(() => ({ done: true, value: undefined }))
      isLost = done === true
      if (value && value.finalizedBlock.blockNumber >= wanted) break
    }
    pending = undefined
  }
  return {
    isLost: () => isLost,
    reach: (block: number) => {
      wanted = block
      pending ??= read()
      return pending
    },
  }
}
