/** What the audit of one noun needs to know of it; everything else follows from it. */
import type { ProjectionDb, ProjectionTables } from '../api/projection/database.ts'
import type { Evidence } from './chain/evidence.ts'
import type { ProtocolLog } from './chain/logs.ts'
import { type Comparison, compare, ROW, type Value } from './comparison.ts'
import { type Order, type Page, readRows, type Scope } from './rows.ts'

export type Table = keyof ProjectionTables

type ColumnOf<Row> = keyof Row & string

/** Every column of a row as the chain has it; undefined where the chain has nothing of the kind. */
export type Proof<Row> = {
  readonly [Column in ColumnOf<Row>]: Value
}

/** Rows or a sum of rows that belong to a row: as projected, and as the chain has them. */ export type Count =
  {
    /** `count(…)` or `sum(…)`: of what. */
    field: string
    projected: Value
    onChain: Value
    /** Rows that make the sum. A sum is wrong for want of events only where each of its rows is right. */
    parts?: { entity: string; column: string; value: string }
  }

export type Definition<Row extends object, Related> = {
  key: readonly ColumnOf<Row>[]
  /** Rows are read in this order, which an index has. Values of the column are times, positions (`event`) or addresses. */
  order: Order<Row>
  /** What else the projection says about some rows. In the snapshot of the rows, before the chain is read. */
  related: (db: ProjectionDb, rows: readonly Row[]) => Promise<(row: Row) => Related>
  /** The proof of a row; undefined where the chain has no such thing. */
  prove: (row: Row, related: Related, chain: Evidence) => Promise<Proof<Row> | undefined>
  /** What the contracts count, from their state alone. */
  count?: (row: Row, related: Related, chain: Evidence) => Promise<readonly Count[]>
  /** Keys of all rows, where the contracts list them. */
  listed?: (chain: Evidence) => Promise<readonly string[]>
  /** Keys of rows that exist because of an event. */
  implied?: (log: ProtocolLog) => readonly string[]
  /** Keys, or their first columns, of rows that an event may change beside those that it implies. */
  touched?: (log: ProtocolLog) => readonly string[]
}

/** Rows as they were read, with the proof that is still to be made. Nothing of the database is needed any more. */
export type Loaded = {
  keys: readonly string[]
  next: Page | undefined
  prove: (chain: Evidence) => Promise<Comparison[]>
  count: (chain: Evidence) => Promise<Counted[]>
}

export type Counted = { comparison: Comparison; parts: Count['parts'] }

export type Entity = {
  name: string
  order: 'time' | 'event' | 'address'
  keyColumns: readonly string[]
  listed: (chain: Evidence) => Promise<readonly string[]>
  implied: (log: ProtocolLog) => readonly string[]
  touched: (log: ProtocolLog) => readonly string[]
  load: (db: ProjectionDb, schema: string, scope: Scope) => Promise<Loaded>
  /** Which rows of the scope there are. */
  keys: (db: ProjectionDb, schema: string, scope: Scope) => Promise<string[]>
}

/** Parts of a key as one text. No part holds this character. */
export const BETWEEN = ':'

/** The audit of a table of the projection. */
export function auditTable<T extends Table, Related>(
  table: T,
  definition: Definition<ProjectionTables[T], Related>,
): Entity {
  return auditRows<ProjectionTables[T], Related>(table, table, definition)
}

/** The audit of rows that a statement makes: `source` names a table, or is a statement in parentheses. */
export function auditRows<Row extends object, Related>(
  name: string,
  source: string | ((schema: string) => string),
  definition: Definition<Row, Related>,
): Entity {
  const { key, order, listed = async () => [], implied = () => [], touched = () => [] } = definition
  const keyOf = (row: Row) => key.map((column) => String(row[column])).join(BETWEEN)
  return {
    name,
    order: order.of,
    keyColumns: key,
    listed,
    implied,
    touched: (log) => [...implied(log), ...touched(log)],
    keys: async (db, schema, scope) =>
      (await readRows<Row>({ db, schema, source, key, order }, scope)).rows.map(keyOf),
    load: async (db, schema, scope) => {
      const { rows, next } = await readRows<Row>({ db, schema, source, key, order }, scope)
      const relatedOf = await definition.related(db, rows)
      const items = rows.map((row) => ({ key: keyOf(row), row, related: relatedOf(row) }))
      return {
        keys: items.map((item) => item.key),
        next,
        prove: async (chain) => {
          const proven = items.map(async ({ key, row, related }) =>
            compareRow(name, key, row, await definition.prove(row, related, chain)),
          )
          return (await Promise.all(proven)).flat()
        },
        count: async (chain) => {
          const { count } = definition
          if (!count) return []
          const counted = items.map(async ({ key, row, related }) =>
            (await count(row, related, chain)).map((one) => compareCount(name, key, one)),
          )
          return (await Promise.all(counted)).flat()
        },
      }
    },
  }
}

function compareRow<Row extends object>(
  entity: string,
  key: string,
  row: Row,
  proof: Proof<Row> | undefined,
): Comparison[] {
  const at = (field: string) => ({ entity, key, field, kind: 'WRONG_VALUE' }) as const
  const exists = compare(at(ROW), 'exists', proof ? 'exists' : null)
  if (!proof) return [exists]
  const proven: ReadonlyMap<string, unknown> = new Map(Object.entries(proof))
  // The columns are those that the database has: one that nothing proves differs.
  const columns = Object.entries(row).map(([column, value]) => compare(at(column), value, proven.get(column)))
  return [exists, ...columns]
}

function compareCount(entity: string, key: string, { field, projected, onChain, parts }: Count): Counted {
  return { comparison: compare({ entity, key, field, kind: 'MISSING_LOGS' }, projected, onChain), parts }
}

/** The difference of a row that the projection does not have. @param because what on the chain demands it */
export function missingRow(entity: string, key: string, because: string): Comparison {
  return { entity, key, field: ROW, projected: null, onChain: because, kind: 'MISSING_LOGS' }
}
