/** How long blocks of this chain take to become final, as this process has observed it. */
import type { Header } from './header.ts'

/** Blocks whose delay is remembered. */
const SAMPLES_MAX = 128

/**
 * Observes finality on the clock of the chain: the delay of a block is the time of the head that was latest when the
 * block was first seen final, less the time of the block.
 */
export function createFinality() {
  let through: bigint | undefined
  let delays: bigint[] = []

  /**
   * @param branch ends in the head
   * @returns the median delay in seconds; the age of the finalized block until a block was seen to become final
   */
  return (branch: readonly Header[], finalized: Pick<Header, 'number' | 'timestamp'>): bigint => {
    const head = branch.at(-1) ?? finalized
    const before = through
    if (before !== undefined) {
      const became = branch.filter(({ number }) => number > before && number <= finalized.number)
      delays = [...delays, ...became.map(({ timestamp }) => head.timestamp - timestamp)].slice(-SAMPLES_MAX)
    }
    through = finalized.number
    return medianOf(delays) ?? head.timestamp - finalized.timestamp
  }
}

/** The upper one of two in the middle. */
function medianOf(values: readonly bigint[]): bigint | undefined {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted[sorted.length >> 1]
}
