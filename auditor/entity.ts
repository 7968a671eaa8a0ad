/** The definition of an audited table: its key and order, and how the chain proves its rows. */
import type { ProjectionDb } from '../api/projection/session/database.ts'
import type { ProjectionTables } from '../api/projection/sql/source.ts'
import type { Evidence } from './chain/evidence.ts'
import type { ProtocolLog } from './chain/logs.ts'
import { type Comparison, compare, ROW, type Value } from './comparison.ts'
import { type Order, type Page, readRows, type Scope } from './rows.ts'

export type Table = keyof ProjectionTables

type ColumnOf<Row> = keyof Row & string

/** Every column of a row as the chain has it; undefined if the chain has no such value. */
export type Proof<Row> = {
  readonly [Column in ColumnOf<Row>]: Value
}

/** A count or sum of the rows that belong to a row: as projected, and as the chain has it. */ export type Count =
  {
    /** `count(…)` or `sum(…)`, with the name of the counted rows or summed column. */
    field: string
    projected: Value
    onChain: Value
    /** The rows of the sum. A wrong sum proves missing events only if each of its rows is right. */
    parts?: { entity: string; column: string; value: string }
  }

export type Definition<Row extends object, Related> = {
  key: readonly ColumnOf<Row>[]
  /**
   * Rows are read in this order, for which there is an index. Values of the column are times, positions (`event`) or
   * addresses.
   */
  order: Order<Row>
  /**
   * Further rows of the projection that belong to some rows. Read in the snapshot of the rows, before the chain is
   * read.
   */
  related: (db: ProjectionDb, rows: readonly Row[]) => Promise<(row: Row) => Related>
  /** The proof of a row; undefined if the chain has nothing that the row represents. */
  prove: (row: Row, related: Related, chain: Evidence) => Promise<Proof<Row> | undefined>
  /** Counts and sums of the contracts. Reads only their state. */
  count?: (row: Row, related: Related, chain: Evidence) => Promise<readonly Count[]>
  /** Keys of all rows, if the contracts list them. */
  listed?: (chain: Evidence) => Promise<readonly string[]>
  /** Keys of rows that exist because of an event. */
  implied?: (log: ProtocolLog) => readonly string[]
  /** Keys, or their first columns, of rows that an event may change in addition to those that it implies. */
  touched?: (log: ProtocolLog) => readonly string[]
}

/** Rows that were read, and the functions that compare them with the chain. These do not use the database. */
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
  /** Keys of the rows of the scope that exist. */
  keys: (db: ProjectionDb, schema: string, scope: Scope) => Promise<string[]>
}

/** Separator between the parts of a key. No part contains this character. */
export const BETWEEN = ':'

/** The audit of a table of the projection. */
export function auditTable<T extends Table, Related>(
  table: T,
  definition: Definition<ProjectionTables[T], Related>,
): Entity {
  return auditRows<ProjectionTables[T], Related>(table, table, definition)
}

/**
 * The audit of the rows of a table or of a statement: `source` is the name of a table, or returns a statement in
 * parentheses.
 */
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
  // The columns are those of the database: a column that the proof does not have is a difference.
  const columns = Object.entries(row).map(([column, value]) => compare(at(column), value, proven.get(column)))
  return [exists, ...columns]
}

function compareCount(entity: string, key: string, { field, projected, onChain, parts }: Count): Counted {
  return { comparison: compare({ entity, key, field, kind: 'MISSING_LOGS' }, projected, onChain), parts }
}

/**
 * The difference of a row that the projection does not have. @param because the event or state that requires the row
 */
export function missingRow(entity: string, key: string, because: string): Comparison {
  return { entity, key, field: ROW, projected: null, onChain: because, kind: 'MISSING_LOGS' }
}
