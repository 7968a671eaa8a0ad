/** Fields of the query that are read as of a block of the past. */
import { type AsOf, notFinal, type PastBlock } from '../../../chain/block-as-of.ts'
import { asOf, notInPast, relationAsOf, requirePast } from '../../../projection/past/as-of.ts'
import { type Json, NULL } from '../../../projection/sql/json.ts'
import type { Hole, Walk } from './walk.ts'

/** Points for the blocks that are read to find the one of a time. */
const AS_OF_WORK = 1000

/** Writes the field of the present path as of a block. The block is asked for before the plan is made. */
export function toPast(walk: Walk, wanted: AsOf, write: (walk: Walk) => Json): Json {
  const name = walk.path().join()
  const through = walk.asked.get(name)
  if (!isBlock(through)) {
    walk.notes.needsBlock = true
    walk.notes.work += AS_OF_WORK
    walk.notes.questions.push({ name, ask: (outside) => outside.blockAsOf(wanted) })
    return NULL
  }
  walk.notes.pastBlocks.push(through)
  const failure = walk.failure(() => notFinal(`Block ${through.blockNumber}`))
  return asOf(write(inPast(walk, through)), through, failure)
}

function isBlock(found: object | undefined): found is PastBlock {
  return found !== undefined && 'blockNumber' in found && 'timestamp' in found
}

/** The walk through what is selected as of a block: totals are those of the present, so rows are read in their place. */
function inPast(walk: Walk, through: PastBlock): Walk {
  return {
    ...walk,
    past: through,
    hasTotals: false,
    bound: (relation, subject) => walk.bound(relationAsOf(relation, through), subject),
  }
}

/** @throws CodedError `NOT_IN_PAST` for a value that is not known as of an earlier block */
export function requireKnown({ past }: Walk, value: Json): Json {
  if (past) requirePast(value)
  return value
}

/**
 * Returns how a hole is filled: one below a field that is read as of a block gets its value at that block.
 *
 * @throws CodedError `NOT_IN_PAST` for a value that is not one at a block
 */
export function fillAt({ past, path }: Walk, fill: Hole['fill'], isAtBlock = false): Hole['fill'] {
  if (!past) return fill
  if (!isAtBlock) throw notInPast(`The field ${path().at(-1)}`)
  return (needs, outside) => fill(needs, outside, past)
}
