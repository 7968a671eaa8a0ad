/** The queries of docs/analyst-sql.md, and the comments that Postgres has on what they read. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { dictionary } from '../../indexer/service/dictionary/index.ts'
import { sharedWorld } from '../support/world.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/analyst-sql.md'), 'utf8')
const pool = new pg.Pool({ connectionString: sharedWorld().databaseUrl, max: 1 })
afterAll(() => pool.end())

/** Each query with its heading and the columns that its sentence names. */
const queries = [
  ...text.matchAll(/^### (.+)\n\n.*Returns ((?:`\w+`(?:, )?)+)\.\n\n```sql\n([\s\S]*?)^```$/gm),
].map(([, heading = '', returns = '', sql = '']) => ({
  heading,
  columns: [...returns.matchAll(/\w+/g)].map(([name]) => name),
  sql,
}))

describe('the queries', () => {
  it('are ten or more, each with the columns that it returns', () => {
    expect(queries.length).toBeGreaterThanOrEqual(10)
    expect(queries).toHaveLength(text.match(/^```sql$/gm)?.length ?? 0)
  })

  it.each(queries)('$heading returns rows of its columns', async ({ columns, sql }) => {
    const { fields, rows } = await pool.query(sql)
    expect(fields.map(({ name }) => name)).toEqual(columns)
    expect(rows.length).toBeGreaterThan(0)
    for (const column of columns) {
      const values = rows.map((row) => row[column])
      expect(
        values.some((value) => value !== null && value !== ''),
        column,
      ).toBe(true)
    }
  })
})

it('Postgres has the meaning of each view and each column of the projection, and no other', async () => {
  const { rows } = await pool.query(
    `select relname as name, obj_description(pg_class.oid, 'pg_class') as meaning,
       (select array_agg(array[attname::text, col_description(pg_class.oid, attnum)] order by attname) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns
     from pg_class where relnamespace = 'projection'::regnamespace and relkind in ('v', 'r') order by relname`,
  )
  const expected = dictionary.map(({ name, meaning, columns }) => ({
    name,
    meaning,
    columns: [...columns].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  }))
  expect(rows).toEqual(expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
})
