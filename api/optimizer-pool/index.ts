import { Piscina } from 'piscina'
import { type OptimizeInput, OptimizerExhausted, type RouteResult } from '../optimizer/index.ts'
import type { WorkerAnswer } from './answer.ts'

/** Every thread is busy and the queue holds as much as it may: the caller should answer 503 with Retry-After. */
export class OptimizerPoolFull extends Error {
  override readonly name = 'OptimizerPoolFull'
  readonly maxQueue: number

  constructor(maxQueue: number) {
    super(`The optimizer is busy and ${maxQueue} requests already wait; try again shortly.`)
    this.maxQueue = maxQueue
  }
}

export type OptimizerPool = {
  /**
   * The result of `optimizeRoute`, computed on another thread.
   * @throws OptimizerPoolFull when nothing more may wait
   * @throws OptimizerExhausted as the optimizer does
   * @throws the signal's AbortError once the signal aborts; a running search is stopped with its thread
   */
  optimize(input: OptimizeInput, signal?: AbortSignal): Promise<RouteResult>
  /** Searches that run or wait for a thread. */
  pending(): number
  close(): Promise<void>
}

export type OptimizerPoolOptions = {
  readonly threads: number
  /** Requests that may wait for a thread; 0 refuses those that cannot start at once. */
  readonly maxQueue: number
  /** An idle thread failed. The pool replaces it. */
  onFault(error: Error): void
}

/**
 * A search needs far less. With a larger heap the collector would run later, and tables outside the heap would
 * accumulate until then.
 */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }

/** Milliseconds without a search after which a thread ends. */
const IDLE_MS = 600_000

export function createOptimizerPool({ threads, maxQueue, onFault }: OptimizerPoolOptions): OptimizerPool {
  const piscina = new Piscina<OptimizeInput, WorkerAnswer>({
    filename: new URL('./worker.ts', import.meta.url).href,
    // A thread takes 25 MB and 0.1 s to start: there is none until it is needed.
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    // The bound is kept here, because Piscina reports a full queue by message only.
    maxQueue: Number.POSITIVE_INFINITY,
    resourceLimits: HEAP_LIMITS,
  })
  piscina.on('error', (error: Error) => {
    if (!isLateAnswer(error)) onFault(error)
  })
  let pending = 0
  const optimize = async (input: OptimizeInput, signal?: AbortSignal): Promise<RouteResult> => {
    signal?.throwIfAborted()
    if (pending >= threads + maxQueue) throw new OptimizerPoolFull(maxQueue)
    pending++
    try {
      const answer = await piscina.run(input, signal === undefined ? {} : { signal })
      if (answer.kind === 'exhausted') throw new OptimizerExhausted(answer.nodesVisited, answer)
      return answer.result
    } finally {
      pending--
    }
  }
  return { optimize, pending: () => pending, close: () => piscina.destroy() }
}

/**
 * The request was aborted while its result was on its way. Piscina, which has no code for this, expects no such result.
 */
const isLateAnswer = ({ message }: Error): boolean => message.startsWith('Unexpected message from Worker')
