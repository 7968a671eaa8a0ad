/** Blocks of the projection next to a block or a time. */
import { sql } from 'kysely'
import { firstOrdinalOf } from '../../domain/ordinal.ts'
import { type OpenOne, readOpened, type Snapshot } from '../session/snapshot.ts'
import type { FinalizedThrough } from '../session/state.ts'
import type { Sql } from '../sql/json.ts'
import { type Table, view } from '../sql/source.ts'

/** A block, or a time (Unix seconds), which stands for the last block until then. */
export type AsOf = { readonly block: bigint } | { readonly time: bigint }

/** Blocks of the projection next to a block or a time: the last that is not after it, and the first that is. */
export type Around = {
  readonly before?: FinalizedThrough | undefined
  readonly after?: FinalizedThrough | undefined
}

/** Tables of events and of versions, whose rows have their block and its time. */
const BY_ID: readonly Table[] = ['activity', 'positionChange']
const BY_TIME: readonly Table[] = [...BY_ID, 'vaultVersion', 'statusVersion']

/**
 * Reads the last block with an event that is not after a block or a time, and the first that is. The last block of the
 * projection counts as one.
 */
export async function readAround({ db, finalizedThrough }: Snapshot, wanted: AsOf): Promise<Around> {
  const [tables, column, last] =
    'block' in wanted
      ? [BY_ID, sql.raw('id'), sql`${firstOrdinalOf(wanted.block + 1n)}::int8`]
      : [BY_TIME, sql.raw('at'), sql`${wanted.time + 1n}::numeric`]
  const nextTo = (condition: Sql, direction: 'asc' | 'desc') => {
    const order = sql.raw(direction)
    const rows = tables.map(
      (table) =>
        sql`(select block, at from ${view(table)} where ${column} ${condition} ${last} order by ${column} ${order} limit 1)`,
    )
    return sql`(select json_build_array(block::text, at::text) from (${sql.join(rows, sql` union all `)}) as event order by block ${order} limit 1)`
  }
  type Found = { before: readonly [string, string] | null; after: readonly [string, string] | null }
  const { rows } = await sql<Found>`
    select ${nextTo(sql`<`, 'desc')} as before, ${nextTo(sql`>=`, 'asc')} as after`.execute(db)
  const [before, after] = [toBlock(rows[0]?.before), toBlock(rows[0]?.after)]
  const isPast =
    'block' in wanted
      ? finalizedThrough.blockNumber <= wanted.block
      : finalizedThrough.timestamp <= wanted.time
  return isPast ? { before: finalizedThrough, after } : { before, after: after ?? finalizedThrough }
}

/** Makes the read of `readAround` in a snapshot of its own. */
export function aroundIn(open: OpenOne, wanted: AsOf) {
  return () => readOpened(open, (snapshot) => readAround(snapshot, wanted))
}

function toBlock(found: readonly [string, string] | null | undefined): FinalizedThrough | undefined {
  return found ? { blockNumber: BigInt(found[0]), timestamp: BigInt(found[1]) } : undefined
}
