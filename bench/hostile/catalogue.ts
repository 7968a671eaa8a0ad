/** Every hostile request that is measured. */
import { documents } from './documents.ts'
import { type Entry, graphql } from './entry.ts'
import found from './found.json' with { type: 'json' }
import { rest } from './rest.ts'
import { variables } from './variables.ts'
import type { BenchWorld } from './world.ts'

export function catalogue(world: BenchWorld): Entry[] {
  return [...variables, ...documents, ...searched, ...rest(world)]
}

/** The worst that `search/run.ts` found. */
const searched: readonly Entry[] = found.map(({ query, variables }, i) =>
  graphql(`found ${i + 1}, ${query.slice(0, 60)}`, query, variables),
)
