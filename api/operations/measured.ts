/** Work with its duration and outcome. */
import { answeredError } from '../../nodes/errors.ts'
import type { AroundCall } from '../chain/client.ts'
import type { Optimize } from '../deps.ts'
import type { Metrics, RpcOutcome, SearchOutcome } from '../metrics/metrics.ts'
import { OptimizerExhausted } from '../optimizer/index.ts'
import { OptimizerPoolFull } from '../optimizer-pool/index.ts'

export function measuredCalls({ called }: Metrics): AroundCall {
  return (method, call) => timed(call, (seconds, error) => called(method, callOutcome(error), seconds))
}

export function measuredSearches(optimize: Optimize, { searched }: Metrics): Optimize {
  return (input, signal) =>
    timed(
      () => optimize(input, signal),
      (seconds, error) => searched(searchOutcome(error, signal), seconds),
    )
}

/** @param report is given the duration in seconds, and what was thrown; undefined for nothing */
async function timed<T>(
  work: () => Promise<T>,
  report: (seconds: number, error: unknown) => void,
): Promise<T> {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  try {
    const result = await work()
    report(seconds(), undefined)
    return result
  } catch (error) {
    report(seconds(), error)
    throw error
  }
}

function callOutcome(error: unknown): RpcOutcome {
  if (error === undefined) return 'answered'
  return answeredError(error) ? 'refused' : 'failed'
}

function searchOutcome(error: unknown, signal: AbortSignal): SearchOutcome {
  if (error === undefined) return 'answered'
  if (error instanceof OptimizerPoolFull || error instanceof OptimizerExhausted) return 'refused'
  return signal.aborted ? 'aborted' : 'failed'
}
