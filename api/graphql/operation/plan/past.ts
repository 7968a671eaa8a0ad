/** Fields of the query that are read as of a block of the past. */
import { type AsOf, notFinal } from '../../../chain/block-as-of.ts'
import { asOf, notInPast, relationAsOf, requirePast } from '../../../projection/past/as-of.ts'
import { bindPast, parametersAt } from '../../../projection/past/at.ts'
import type { FinalizedThrough } from '../../../projection/session/state.ts'
import type { Json } from '../../../projection/sql/json.ts'
import type { Reading } from '../../../projection/sql/statement.ts'
import type { Walk } from './walk.ts'

/** Blocks by the places of the fields that are read as of them. */
export type PastBlocks = ReadonlyMap<string, FinalizedThrough>

/** Points for the blocks that are read to find the one of a time. */
const AS_OF_WORK = 1000

/** Writes the field of the present path as of a block, which is found before the statement runs. */
export function toPast(walk: Walk, wanted: AsOf, write: (walk: Walk) => Json): Json {
  const field = walk.path().join()
  const at = parametersAt(field)
  walk.notes.work += AS_OF_WORK
  walk.notes.pasts.push({ field, wanted })
  const failure = walk.failure(() => notFinal('The block of asOf'))
  const past: Walk = {
    ...walk,
    past: field,
    // Totals are those of the present.
    hasTotals: false,
    bound: (relation, subject) => walk.bound(relationAsOf(relation, at), subject),
  }
  return asOf(write(past), at, failure)
}

/** @throws CodedError `NOT_IN_PAST` for a value that is not known as of an earlier block */
export function requireKnown({ past }: Walk, value: Json): Json {
  if (past !== undefined) requirePast(value)
  return value
}

/** @throws CodedError `NOT_IN_PAST` for a hole below a field that is read as of a block, unless it is one at a block */
export function requireAtBlock({ past, path }: Walk, isAtBlock: boolean): void {
  if (past !== undefined && !isAtBlock) throw notInPast(`The field ${path().at(-1)}`)
}

export function bindBlocks(reading: Reading, blocks: PastBlocks): Reading {
  return blocks.size === 0 ? reading : { ...reading, values: bindPast(reading.values, blocks) }
}

/** Returns the block as of which all fields of an operation are read; undefined where one is read at another block. */
export function sharedBlock(blocks: PastBlocks, fields: number): FinalizedThrough | undefined {
  const [first, ...others] = blocks.values()
  const isShared = others.every(({ blockNumber }) => blockNumber === first?.blockNumber)
  return isShared && blocks.size === fields ? first : undefined
}
