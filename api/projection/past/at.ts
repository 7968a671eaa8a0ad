/** A block of the past in a statement. */
import { sql } from 'kysely'
import { SECONDS_PER_DAY } from '../../domain/limits.ts'
import { firstOrdinalOf } from '../../domain/ordinal.ts'
import type { FinalizedThrough } from '../session/state.ts'
import type { Sql } from '../sql/json.ts'
import { view } from '../sql/source.ts'

/** A block of the past, as parameters of a statement. */
export type At = {
  readonly block: Sql
  /** Unix seconds. */
  readonly time: Sql
  /** Midnight (UTC) before it, Unix seconds. */
  readonly day: Sql
  /** Greater than the ids of all events up to the block, and smaller than those of later ones. */
  readonly nextId: Sql
  /** The checkpoint of an indexer that has read the block to its end. */
  readonly checkpoint: Sql
}

type Part = keyof At

/** A parameter of a statement that is written before the block is known. */
export class PastParameter {
  readonly field: string
  readonly part: Part

  /** @param field the place of the field that is read as of the block */
  constructor(field: string, part: Part) {
    this.field = field
    this.part = part
  }
}

const TYPES: { readonly [P in Part]: Sql } = {
  block: sql`numeric`,
  time: sql`numeric`,
  day: sql`numeric`,
  nextId: sql`int8`,
  checkpoint: sql`text`,
}

function toAt(toValue: (part: Part) => unknown): At {
  const typed = (part: Part) => sql`${toValue(part)}::${TYPES[part]}`
  return {
    block: typed('block'),
    time: typed('time'),
    day: typed('day'),
    nextId: typed('nextId'),
    checkpoint: typed('checkpoint'),
  }
}

/** Makes the parameters of a block that is known later: `bindPast` gives them their values. */
export function parametersAt(field: string): At {
  return toAt((part) => new PastParameter(field, part))
}

/** Makes the parameters of a block. */
export function valuesAt(through: FinalizedThrough): At {
  return toAt((part) => valueAt(through, part))
}

/** Returns the parameters of a statement with the values of the blocks, by the places of their fields. */
export function bindPast(
  values: readonly unknown[],
  blocks: ReadonlyMap<string, FinalizedThrough>,
): readonly unknown[] {
  return values.map((value) => {
    if (!(value instanceof PastParameter)) return value
    const through = blocks.get(value.field)
    if (!through) throw new Error(`the block of ${value.field} is not known`)
    return valueAt(through, value.part)
  })
}

function valueAt({ blockNumber, timestamp }: FinalizedThrough, part: Part): bigint | string {
  const digits = (value: bigint, length: number) => String(value).padStart(length, '0')
  switch (part) {
    case 'block':
      return blockNumber
    case 'time':
      return timestamp
    case 'day':
      return timestamp - (timestamp % SECONDS_PER_DAY)
    case 'nextId':
      return firstOrdinalOf(blockNumber + 1n)
    case 'checkpoint':
      return [digits(timestamp, 10), digits(0n, 16), digits(blockNumber, 16), '9'.repeat(33)].join('')
  }
}

/** The condition on a row that was made until then. Its time limits what an index reads; its block is exact. */
export function isUntil({ block, time }: At, ofBlock: string, ofTime: string): Sql {
  return sql`${sql.raw(ofTime)} <= ${time} and ${sql.raw(ofBlock)} <= ${block}`
}

/** The condition on the id of an event that was made until then. */
export function isEventUntil({ nextId }: At): Sql {
  return sql`id < ${nextId}`
}

/** Writes the block as it is in cursors. */
export function cursorBlockOf({ block }: At): Sql {
  return sql`'0x' || to_hex(${block}::int8)`
}

/** Selects the last version of a row that began at the block or before. */
export function versionOf(table: 'statusVersion' | 'vaultVersion', isOwn: Sql, { block }: At): Sql {
  return sql`(select * from ${view(table)} as kept where ${isOwn} and kept.block <= ${block} order by kept.block desc limit 1)`
}

/**
 * Joins a relation of at most one row, whose columns are null without it. Its columns are aggregates, so that the
 * planner knows that it adds no rows, and omits it where no column is used.
 *
 * @param flags columns that are boolean
 */
export function joinOne(
  name: string,
  row: Sql,
  columns: readonly string[],
  flags: readonly string[] = [],
): Sql {
  const all = [
    ...columns.map((column) => sql`max(${sql.raw(column)}) as ${sql.raw(column)}`),
    ...flags.map((flag) => sql`bool_and(${sql.raw(flag)}) as ${sql.raw(flag)}`),
  ]
  return sql`left join lateral (select ${sql.join(all)} from ${row} as one) as ${sql.raw(name)} on true`
}
