/** The table of a soak, and what grew. */
import type { Sample } from './samples.ts'

const COLUMNS: readonly [title: string, key: keyof Sample][] = [
  ['minute', 'second'],
  ['gateway MB', 'gatewayMb'],
  ['its heap MB', 'heapMb'],
  ['its files', 'gatewayFiles'],
  ['indexer MB', 'indexerMb'],
  ['its files', 'indexerFiles'],
  ['connections', 'connections'],
  ['subscriptions', 'subscriptions'],
  ['longest delay ms', 'delayMs'],
  ['blocks behind', 'lagBlocks'],
]

/** Rows of the table: more would be read by nobody. */
const ROWS = 12

/** A GitHub table: each row has the medians of its part of the time. */
export function renderTable(samples: readonly Sample[]): string {
  const rows = partsOf(samples, Math.min(ROWS, samples.length)).map((part) =>
    COLUMNS.map(([, key]) =>
      key === 'second' ? minutesOf(part) : key === 'delayMs' ? largest(part, key) : median(part, key),
    ),
  )
  const titles = COLUMNS.map(([title]) => title)
  return [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/**
 * Resources that may not grow, and the highest value that is no growth yet: an even load needs a little more at one
 * time than at another.
 */
const HELD: readonly [title: string, key: keyof Sample, allowed: (before: number) => number][] = [
  ['resident memory of the gateway, MB', 'gatewayMb', withinTwentieth],
  ['resident memory of the indexer, MB', 'indexerMb', withinTwentieth],
  ['file descriptors of the gateway', 'gatewayFiles', withinFive],
  ['file descriptors of the indexer', 'indexerFiles', withinFive],
  ['connections to Postgres', 'connections', withinFive],
]

function withinTwentieth(before: number): number {
  return before * 1.05
}

function withinFive(before: number): number {
  return before + 5
}

export type Growth = { title: string; before: number; after: number; isFlat: boolean }

/** The last quarter of the time beside the second one: the first one fills caches. */
export function growthOf(samples: readonly Sample[]): Growth[] {
  const [, second = [], , last = []] = partsOf(samples, 4)
  return HELD.map(([title, key, allowed]) => {
    const before = median(second, key)
    const after = median(last, key)
    return { title, before, after, isFlat: after <= allowed(before) }
  })
}

function partsOf(samples: readonly Sample[], many: number): Sample[][] {
  return Array.from({ length: many }, (_, part) =>
    samples.slice(
      Math.floor((part * samples.length) / many),
      Math.floor(((part + 1) * samples.length) / many),
    ),
  )
}

function minutesOf(part: readonly Sample[]): string {
  const minute = (sample: Sample | undefined) => Math.round((sample?.second ?? 0) / 6) / 10
  return `${minute(part[0])}–${minute(part.at(-1))}`
}

function median(part: readonly Sample[], key: keyof Sample): number {
  const known = part.map((sample) => sample[key]).filter((value) => !Number.isNaN(value))
  const sorted = known.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

const largest = (part: readonly Sample[], key: keyof Sample): number =>
  Math.max(...part.map((sample) => sample[key]))
