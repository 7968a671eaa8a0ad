/** Tables whose rows are sums of other rows: the database adds them up again, and the two are compared. */
import { type RawBuilder, sql } from 'kysely'
import type { ProjectionDb } from '../../api/projection/session/database.ts'
import { type Comparison, compare, ROW } from '../comparison.ts'
import { BETWEEN, type Table } from '../entity.ts'

/** Whole UTC days, from midnight `from` (Unix seconds) to before midnight `to`, and the first block of the first. */
export type Days = { from: bigint; to: bigint; firstBlock: bigint }

export type Rollup = {
  name: Table
  /** Rows are daily if it has the `day`. Other rollups are always computed as a whole. */
  key: readonly string[]
  /** Columns beside the key. */
  figures: readonly string[]
  /** A statement that computes the rows again, with all columns of key and figures. */
  expected: (tables: Tables, days: Days | undefined) => RawBuilder<unknown>
}

/** A table of the schema that is audited. */
export type Tables = (table: Table) => RawBuilder<unknown>

/** The differences between a rollup's rows and their sums, for some days or for all. Equal values are not returned. */
export async function compareRollup(
  db: ProjectionDb,
  schema: string,
  rollup: Rollup,
  days?: Days,
): Promise<Comparison[]> {
  const tables: Tables = (table) => sql.id(schema, table)
  const columns = sql.join([...rollup.key, ...rollup.figures].map((column) => sql.ref(column)))
  const within =
    days && rollup.key.includes('day') ? sql`where day >= ${days.from} and day < ${days.to}` : sql``
  const stored = sql`select ${columns} from ${tables(rollup.name)} ${within}`
  const expected = sql`select ${columns} from (${rollup.expected(tables, days)}) as expected`
  const { rows: wrong } = await sql<Row>`${stored} except ${expected}`.execute(db)
  const { rows: right } = await sql<Row>`${expected} except ${stored}`.execute(db)
  const keyOf = (row: Row) => rollup.key.map((column) => String(row[column])).join(BETWEEN)
  const [wrongOf, rightOf] = [wrong, right].map((rows) => new Map(rows.map((row) => [keyOf(row), row])))
  const keys = new Set([...(wrongOf?.keys() ?? []), ...(rightOf?.keys() ?? [])])
  return [...keys].flatMap((key) => compareRows(rollup, key, wrongOf?.get(key), rightOf?.get(key)))
}

type Row = Readonly<Record<string, unknown>>

function compareRows(
  { name, figures }: Rollup,
  key: string,
  projected: Row | undefined,
  expected: Row | undefined,
): Comparison[] {
  const at = (field: string) => ({ entity: name, key, field })
  if (!projected) return [compare({ ...at(ROW), kind: 'MISSING_LOGS' }, null, 'exists')]
  if (!expected) return [compare({ ...at(ROW), kind: 'WRONG_VALUE' }, 'exists', null)]
  return figures.map((figure) =>
    compare({ ...at(figure), kind: 'WRONG_VALUE' }, projected[figure], expected[figure]),
  )
}

/** Midnight before a time that a column has. */
export function dayOf(column: string): RawBuilder<unknown> {
  return sql`(${sql.ref(column)} - ${sql.ref(column)} % 86400)`
}

/** A condition on a column of times. */
export function within(column: string, days: Days | undefined): RawBuilder<unknown> {
  const at = sql.ref(column)
  return days ? sql`${at} >= ${days.from} and ${at} < ${days.to}` : sql`true`
}
