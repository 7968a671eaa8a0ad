/** A block of the past in a statement. */
import { sql } from 'kysely'
import { SECONDS_PER_DAY } from '../../domain/limits.ts'
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

/** Makes the parameters of a block. */
export function atOf({ blockNumber, timestamp }: FinalizedThrough): At {
  const digits = (value: bigint, length: number) => String(value).padStart(length, '0')
  const [time, block] = [digits(timestamp, 10), digits(blockNumber, 16)]
  return {
    block: sql`${blockNumber}::numeric`,
    time: sql`${timestamp}::numeric`,
    day: sql`${timestamp - (timestamp % SECONDS_PER_DAY)}::numeric`,
    nextId: sql`${digits(blockNumber + 1n, 16)}::text`,
    checkpoint: sql`${`${time}${digits(0n, 16)}${block}${'9'.repeat(33)}`}::text`,
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

/** Selects the last version of a row. */
export function versionOf(table: 'statusVersion' | 'vaultVersion', isOwn: Sql, block: Sql): Sql {
  return sql`(select * from ${view(table)} as kept where ${isOwn} and kept.block <= ${block} order by kept.block desc limit 1)`
}
