/** All rows of a projection, so that two can be compared. */
import type pg from 'pg'
import { PROJECTION_SCHEMA } from '../../api/projection/sql/source.ts'

/** Every table's rows as JSON, in one order. */
export async function allRows(pool: pg.Pool): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {}
  for (const name of await tableNames(pool)) {
    const { rows } = await pool.query(
      `SELECT to_jsonb(t) AS row FROM "${PROJECTION_SCHEMA}"."${name}" t ORDER BY to_jsonb(t)::text`,
    )
    tables[name] = rows.map(({ row }) => row)
  }
  return tables
}

/** Those of the protocol; Ponder's own begin with an underscore. */
async function tableNames(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query(
    `SELECT table_name FROM information_schema.views
     WHERE table_schema = $1 AND left(table_name, 1) <> '_' ORDER BY table_name`,
    [PROJECTION_SCHEMA],
  )
  return rows.map(({ table_name }) => String(table_name))
}
