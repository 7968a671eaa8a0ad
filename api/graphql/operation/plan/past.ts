/** Fields of the query that are read as of a block of the past. */
import { sql } from 'kysely'
import { notFinal } from '../../../chain/block-as-of.ts'
import { larger } from '../../../domain/bigint.ts'
import type { AsOf } from '../../../projection/past/around.ts'
import {
  type CursorCheck,
  definesPast,
  notInPast,
  relationAsOf,
  valueAsOf,
} from '../../../projection/past/as-of.ts'
import { bindPast, cursorBlockOf, parametersAt } from '../../../projection/past/at.ts'
import type { FinalizedThrough } from '../../../projection/session/state.ts'
import { foreignCursor } from '../../../projection/sql/cursor.ts'
import type { Json } from '../../../projection/sql/json.ts'
import type { PageSql } from '../../../projection/sql/page.ts'
import { view } from '../../../projection/sql/source.ts'
import type { Reading } from '../../../projection/sql/statement.ts'
import { asOfWork } from '../../kit/as-of.ts'
import type { Past, Walk } from './walk.ts'

/** Blocks by the places of the fields that are read as of them. */
export type PastBlocks = ReadonlyMap<string, FinalizedThrough>

/**
 * Writes the field of the present path as of a block, which is found before the statement runs.
 *
 * @param wanted the block of the request that the plan is made for
 * @param wantedBy returns the block of any request that the plan serves
 */
export function toPast(
  walk: Walk,
  wanted: AsOf,
  wantedBy: Past['wantedBy'],
  write: (walk: Walk) => Json,
): Json {
  const field = walk.path().join()
  const at = parametersAt(field)
  walk.notes.work += asOfWork(wanted)
  walk.notes.pasts.push({ field, wantedBy })
  const failure = walk.failure(() => notFinal('The block of asOf'))
  const block = cursorBlockOf(at)
  const cursors: CursorCheck[] = []
  const past: Walk = {
    ...walk,
    past: field,
    // Totals and rows that are not projected are those of the present.
    hasTotals: false,
    elsewhere: undefined,
    cursorBlock: {
      text: block,
      require: (given, path) => {
        cursors.push({
          isSame: sql`${given}::text = ${block}`,
          failure: walk.failure(() => foreignCursor(path)),
        })
      },
    },
    rowsOf: ({ table }) => view(table),
    bound: (relation, subject) => walk.bound(relationAsOf(relation, at), subject),
  }
  const value = write(past)
  // Written again, so that the field at fault has the error.
  if (!definesPast(value)) write({ ...past, findsUnknown: true })
  return valueAsOf(value, at, failure, cursors)
}

/** @throws CodedError `NOT_IN_PAST` for a value that is not known as of an earlier block */
export function requireKnown({ findsUnknown, path }: Walk, value: Json): Json {
  if (findsUnknown && !definesPast(value)) throw notInPast(path().at(-1))
  return value
}

/** @throws CodedError `NOT_IN_PAST` for a hole below a field that is read as of a block, unless it is one at a block */
export function requireAtBlock({ past, path }: Walk, isAtBlock: boolean): void {
  if (past !== undefined && !isAtBlock) throw notInPast(path().at(-1))
}

/** Columns in whose order a list begins at the block: those of the time or the position of a row. */
const DATED: readonly (string | undefined)[] = ['registeredAt', 'fundedAt', 'addedAt', 'at', 'id', 'day']

/** Whether a page as of a block reads few rows for any block. In other orders, it can pass over all later rows. */
export function hasOnePlanInPast({ past }: Walk, { key: [first] }: PageSql): boolean {
  return past === undefined || DATED.includes(first?.column)
}

export function bindBlocks(reading: Reading, blocks: PastBlocks): Reading {
  if (blocks.size === 0) return reading
  const leastBlock = [...blocks.values()].map(({ blockNumber }) => blockNumber).reduce(larger)
  return { ...reading, values: bindPast(reading.values, blocks), leastBlock }
}

/** Returns the block as of which all fields of an operation are read; undefined where one is read at another block. */
export function sharedBlock(blocks: PastBlocks, fields: number): FinalizedThrough | undefined {
  const [first, ...others] = blocks.values()
  const isShared = others.every(({ blockNumber }) => blockNumber === first?.blockNumber)
  return isShared && blocks.size === fields ? first : undefined
}
