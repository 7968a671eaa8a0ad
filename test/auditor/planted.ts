/** Faults in the rows of a projection that nothing else writes to: each is planted, audited, and reverted. */
import pg from 'pg'
import { firstOrdinalOf } from '../../api/domain/ordinal.ts'
import type { Difference } from '../../auditor/comparison.ts'

export type Column = { table: string; column: string; type: string; isNullable: boolean }

/** Every column of every table that the projection shows. */
export async function readColumns(owner: pg.Pool, schema: string): Promise<Column[]> {
  const { rows } = await owner.query<Column>(
    `select table_name as "table", column_name as "column", udt_name as type, is_nullable = 'YES' as "isNullable"
     from information_schema.columns
     where table_schema = $1 and table_name in (
       select table_name from information_schema.views where table_schema = 'projection'
     ) and table_name not like '\\_ponder%'
     order by table_name, ordinal_position`,
    [schema],
  )
  return rows
}

/** Another value of the same type, which the column accepts. */
const OTHER: Readonly<Record<string, string>> = {
  bool: 'not coalesce(%c, false)',
  int4: 'coalesce(%c, 0) + 1',
  int8: 'coalesce(%c, 0) + 1',
  numeric: 'coalesce(%c, 0) + 1',
  _int4: 'array_append(%c, 7)',
  _numeric: 'array_append(%c, 7)',
}
/** Texts and hexadecimal values: the last character is replaced. */
const OTHER_TEXT = `case when %c is null then '0x' || repeat('7', 64)
  when right(%c, 1) = '1' then left(%c, -1) || '2' else left(%c, -1) || '1' end`

export function anotherValue({ column, type }: Pick<Column, 'column' | 'type'>): string {
  return (OTHER[type] ?? OTHER_TEXT).replaceAll('%c', pg.escapeIdentifier(column))
}

/** A value for a column of a key that no other row has. */
export function anotherKey({ column, type }: Column): string {
  const name = pg.escapeIdentifier(column)
  if (type === 'int4' || type === 'numeric') return `${name} + 1000`
  // The id of an event gets a block far in the future.
  return type === 'int8' ? `${name} + ${firstOrdinalOf(2n ** 38n)}` : anotherValue({ column, type })
}

/** A copy of the row that `row` selects, with another value in the last column of its key. */
export function inventRow(
  relation: string,
  columns: readonly Column[],
  keyColumn: string,
  row: string,
): string {
  const names = columns.map(({ column }) => pg.escapeIdentifier(column))
  const values = columns.map((column) =>
    column.column === keyColumn ? anotherKey(column) : pg.escapeIdentifier(column.column),
  )
  return `insert into ${relation} (${names}) select ${values} from ${relation} where ${row}`
}

/** Runs `look` while the change of the statement is in effect, then restores the rows. */
export async function whilePlanted<T>(
  owner: pg.Pool,
  relation: string,
  statement: string,
  look: () => Promise<T>,
): Promise<T> {
  // Ponder's triggers on the table belong to a running indexer.
  await owner.query(`alter table ${relation} disable trigger user`)
  await owner.query(`create temporary table kept as select * from ${relation}`)
  try {
    const { rowCount } = await owner.query(statement)
    if (rowCount !== 1) throw new Error(`${statement} changed ${rowCount} rows`)
    return await look()
  } finally {
    await owner.query(`delete from ${relation}`)
    await owner.query(`insert into ${relation} select * from kept`)
    await owner.query('drop table kept')
  }
}

/**
 * A condition for one row that is not equivalent to no row: a group with claims, a position with shares, or a credit.
 */
export function oneRow(relation: string, table: string): string {
  const conditions = {
    claim_total: 'where claims > 0',
    credit: 'where amount > 0',
    vault_position: 'where shares > 0',
  }
  const meaningful = Reflect.get(conditions, table) ?? ''
  const last = `(select count(*) - 1 from ${relation} ${meaningful})`
  return `ctid = (select ctid from ${relation} ${meaningful} order by ctid offset least(1, ${last}) limit 1)`
}

export function camel(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function fieldsOf(found: readonly Difference[], table: string): string[] {
  return found.filter(({ entity }) => entity === camel(table)).map(({ field }) => field)
}
