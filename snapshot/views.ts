/** The published views of schema `projection`, read from the catalogue of Postgres, and their rows. */
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import type { Snapshot } from '../api/projection/session/snapshot.ts'
import { PROJECTION_SCHEMA } from '../api/projection/sql/source.ts'
import { toSql, type ViewColumn, type ViewRow } from './columns.ts'

export type View = {
  readonly name: string
  readonly meaning: string
  readonly columns: readonly ViewColumn[]
  /** Columns of the primary key of its table, by which its rows are ordered. */
  readonly key: readonly string[]
}

/** Rows that are read at once. */
const PAGE_ROWS = 1000

/** Relations whose names begin with `_` are those of the indexer itself. A view has the rows of one table. */
const CATALOGUE = `
  select v.relname as name, coalesce(obj_description(v.oid, 'pg_class'), '') as meaning,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
        'meaning', coalesce(col_description(v.oid, a.attnum), '')) order by a.attnum)
      from pg_attribute a where a.attrelid = v.oid and a.attnum > 0 and not a.attisdropped) as columns,
    coalesce((select json_agg(a.attname order by k.position)
      from pg_index i cross join unnest(i.indkey) with ordinality k (attnum, position)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
      where i.indisprimary and i.indrelid = coalesce((
        select d.refobjid from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
        where r.ev_class = v.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> v.oid limit 1), v.oid)), '[]') as key
  from pg_class v
  where v.relnamespace = $1::regnamespace and v.relkind in ('v', 'r') and left(v.relname, 1) <> '_'
  order by v.relname`

const column = z.object({ name: z.string(), type: z.string(), meaning: z.string() })
const views = z.array(
  z.object({ name: z.string(), meaning: z.string(), columns: z.array(column), key: z.array(z.string()) }),
)

/** Reads the id of the chain, which is a part of the checkpoint. */
export async function readChainId(snapshot: Snapshot): Promise<number> {
  const [row] = await query(
    snapshot,
    `select substr(latest_checkpoint, 11, 16)::bigint::text as id from ${PROJECTION_SCHEMA}._ponder_checkpoint`,
  )
  return Number(row?.id)
}

/** Lists the views in the order of their names. */
export async function readViews(snapshot: Snapshot): Promise<View[]> {
  return views.parse(await query(snapshot, CATALOGUE, [PROJECTION_SCHEMA]))
}

/** Reads the pages of a view through a cursor, in the order of its key. */
export async function* readPages(
  snapshot: Snapshot,
  { name, columns, key }: View,
): AsyncGenerator<readonly ViewRow[], void, undefined> {
  const relation = [PROJECTION_SCHEMA, name].map(pg.escapeIdentifier).join('.')
  // By the columns of the view: an expression of the query can have the same name.
  const order = key.map((column) => `view.${pg.escapeIdentifier(column)}`)
  await query(
    snapshot,
    `declare page no scroll cursor for select ${columns.map(toSql)} from ${relation} view
    ${order.length > 0 ? `order by ${order}` : ''}`,
  )
  for (;;) {
    const rows = await query(snapshot, `fetch ${PAGE_ROWS} from page`)
    if (rows.length === 0) break
    yield rows
  }
  await query(snapshot, 'close page')
}

/** Names stay those of the database. */
async function query({ db }: Snapshot, text: string, values: readonly unknown[] = []): Promise<ViewRow[]> {
  const { rows } = await db.withoutPlugins().executeQuery<ViewRow>(CompiledQuery.raw(text, [...values]))
  return rows
}
