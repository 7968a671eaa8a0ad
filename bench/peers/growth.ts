/** The gateway over few claims and over many, in turn, with requests of equal work. */

import { readSamples } from './data.ts'
import type { Results } from './results.ts'
import { type Entry, entriesOf, measureRounds, type Options } from './rounds.ts'
import type { Server } from './servers/server.ts'
import type { Place } from './servers/start.ts'
import { workloads } from './workloads/index.ts'

export const FEW_CLAIMS = 10_000
/** Rows before the page that is read by cursor, the same of both. */
const DEPTH = FEW_CLAIMS / 2

type Side = { place: Place; server: Server }

export async function measureGrowth(
  small: Side,
  large: Side,
  options: Options,
): Promise<NonNullable<Results['growth']>> {
  const [few, many] = [await growing(small), await growing(large)]
  const measured = await measureRounds(interleaved(few, many), options)
  const side = (parity: number) => measured.filter((_, i) => i % 2 === parity)
  return { few: FEW_CLAIMS, small: side(0), large: side(1) }
}

async function growing({ place, server }: Side): Promise<Entry[]> {
  const samples = await readSamples(place.urls.indexer, DEPTH)
  const entries: Entry[] = []
  for (const workload of workloads.filter(({ grows }) => grows)) {
    entries.push(...(await entriesOf({ ours: server }, workload, samples)))
  }
  return entries
}

function interleaved<T>(some: readonly T[], others: readonly T[]): T[] {
  return some.flatMap((one, i) => [one, ...others.slice(i, i + 1)])
}
