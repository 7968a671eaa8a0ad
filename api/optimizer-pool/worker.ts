import { type OptimizeInput, OptimizerExhausted, optimizeRoute } from '../optimizer/index.ts'
import type { WorkerAnswer } from './answer.ts'

/** Runs in a worker thread. Errors cross the thread as data, because structured cloning loses their class. */
export default function optimizeInWorker(input: OptimizeInput): WorkerAnswer {
  try {
    return { kind: 'result', result: optimizeRoute(input) }
  } catch (error) {
    if (error instanceof OptimizerExhausted) {
      const { nodesVisited, advance, atMost } = error
      return { kind: 'exhausted', nodesVisited, advance, atMost }
    }
    throw error
  }
}
