/** Every hostile request that is measured. */
import { documents } from './documents.ts'
import type { Entry } from './entry.ts'
import { rest } from './rest.ts'
import { variables } from './variables.ts'
import type { BenchWorld } from './world.ts'

export function catalogue(world: BenchWorld): Entry[] {
  return [...variables, ...documents, ...rest(world)]
}
