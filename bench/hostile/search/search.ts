/** Hill climbing from random operations, for each score at once. */
import type { BenchWorld } from '../world.ts'
import { chance, type Draw, pick } from './arguments.ts'
import { change } from './changes.ts'
import { type Figures, measureOperation } from './measure.ts'
import { drawOperation, type Selected } from './operation.ts'
import { type Found, scores, worstBy } from './report.ts'
import { type Written, writeOperation } from './write.ts'

type Scene = { world: BenchWorld; postmaster: number; draw: Draw }
type Climbing = Found & { operation: Selected }
type Searched = {
  tried: number
  all: readonly Figures[]
  worst: readonly Found[]
}

/** Share of operations that are drawn anew: a search that only climbs ends at the first summit. */
const NEW = 0.25
/** Operations that are climbed from and shown at the end, for each score. */
const KEPT = 12
const RUNS = 3
/** Runs of the worst, at the end. */
const RUNS_AGAIN = 7

export async function search({ world, postmaster, draw }: Scene, duration: number): Promise<Searched> {
  const measure = (written: Written, runs: number) => measureOperation(world, postmaster, written, runs)
  const all: Figures[] = []
  const climbed = scores.map((scored) => ({ scored, worst: [] as Climbing[] }))
  const next = () => {
    const from = pick(draw, climbed).worst
    if (from.length === 0 || chance(draw, NEW)) return drawOperation(draw)
    return change(draw, pick(draw, from).operation, pick(draw, from).operation)
  }
  let tried = 0
  for (const end = performance.now() + duration; performance.now() < end; tried += 1) {
    const operation = next()
    const written = writeOperation(draw.schema, operation)
    const figures = await measure(written, RUNS)
    if (!figures) continue
    all.push(figures)
    const roots = new Set(operation.fields.map(({ name }) => name))
    const found = { operation, roots, written, figures }
    for (const one of climbed) one.worst = worstBy(one.scored, [...one.worst, found], KEPT)
  }
  const worst: Found[] = []
  for (const { written, roots } of new Set(climbed.flatMap(({ worst }) => worst))) {
    const figures = await measure(written, RUNS_AGAIN)
    if (figures) worst.push({ written, roots, figures })
  }
  return { tried, all, worst }
}
