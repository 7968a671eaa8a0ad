/** One watcher of the head of the chain per process. It polls, so that no request waits for the chain. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { pinFinalizedBlock } from '../chain/pin-block.ts'
import { createFinality } from './finality.ts'
import { type Header, readHead } from './header.ts'
import { type Memory, readView, type Sources } from './read-view.ts'
import type { Unfinalized } from './unfinalized.ts'

export type HeadWatch = {
  /** The view of the latest block; undefined while none is recent, and if the watch is off. */
  readonly latest: () => Unfinalized | undefined
  /**
   * Resolves to true once the head has another hash, and to false when the signal aborts or the watch ends.
   */
  readonly changed: (from: Hex | undefined, signal: AbortSignal) => Promise<boolean>
  readonly close: () => void
}

/** The watch of a gateway that does not watch the head. */
export const NO_HEAD: HeadWatch = {
  latest: () => undefined,
  changed: (_, signal) => endOf(signal),
  close: () => {},
}

function endOf(signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }))
}

/** Milliseconds for which a head that no node reports any more is shown: nodes of one provider differ by blocks. */
const HEAD_KEPT_MS = 15_000
/** Milliseconds after which a view that could not be read again is not shown any more. */
const VIEW_KEPT_MS = 30_000
/** Maximum delay after polls that failed, as a multiple of the interval. */
const BACKOFF_MAX = 16

type Options = {
  intervalMs: number
  /** Monotonic, in milliseconds. */
  clock: () => number
  log: Logger
  /** Receives each view. */
  onView?: (view: Unfinalized) => void
}

/** Watches the head, starting now. */
export function watchHead(
  sources: Sources,
  { intervalMs, clock, log, onView = () => {} }: Options,
): HeadWatch {
  const closing = new AbortController()
  const memory: Memory = { blocks: new Map(), vaults: new Set() }
  const observe = createFinality()
  const waiters = new Set<() => void>()
  let view: Unfinalized | undefined
  /** When a node last reported the head, and when the head was last read. */
  let reportedAt = Number.NEGATIVE_INFINITY
  let readAt = Number.NEGATIVE_INFINITY

  const latest = () => (clock() - readAt <= VIEW_KEPT_MS ? view : undefined)
  const poll = async () => {
    const began = clock()
    const head = await readHead(sources.chain)
    const shown = latest()
    if (view?.head.hash === head.hash) {
      reportedAt = began
    } else if (!isBehind(head, view) || began - reportedAt > HEAD_KEPT_MS) {
      const finalized = await pinFinalizedBlock(sources.chain)
      view = await readView(sources, head, finalized, memory, observe)
      reportedAt = began
      onView(view)
    }
    readAt = began
    if (latest() !== shown) for (const wake of waiters) wake()
  }
  const run = async () => {
    let failures = 0
    while (!closing.signal.aborted) {
      failures = await poll().then(
        () => 0,
        (err: unknown) => {
          if (failures === 0) log.warn({ err }, 'the head of the chain could not be read; trying again')
          // The view may be too old by now.
          for (const wake of waiters) wake()
          return failures + 1
        },
      )
      const delay = intervalMs * Math.min(2 ** failures, BACKOFF_MAX)
      await pause(delay, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }
  void run()

  return {
    latest,
    changed: async (from, signal) => {
      while (latest()?.head.hash === from && !signal.aborted && !closing.signal.aborted)
        await oneOf(waiters, [signal, closing.signal])
      return !signal.aborted && !closing.signal.aborted
    },
    close: () => closing.abort(),
  }
}

/** Whether the block is an ancestor of the head of the last view. */
function isBehind(block: Header, view: Unfinalized | undefined): boolean {
  return view?.headers.some(({ hash }) => hash === block.hash) ?? false
}

/** Resolves when the waiters are woken, or a signal aborts. */
function oneOf(waiters: Set<() => void>, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      waiters.delete(end)
      for (const signal of signals) signal.removeEventListener('abort', end)
      resolve()
    }
    waiters.add(end)
    for (const signal of signals) signal.addEventListener('abort', end)
  })
}
