/**
 * Reads as of a block of the past. A clause `with` defines each table that a part of a statement reads, under its
 * present name, so that the same code writes reads of both times.
 */
import { ExpressionWrapper, OperationNodeTransformer, sql, TableNode } from 'kysely'
import { CodedError } from '../../errors.ts'
import { type Json, mapText, type Sql, toText } from '../sql/json.ts'
import { PROJECTION_SCHEMA, sqlName } from '../sql/source.ts'
import type { At } from './at.ts'
import { pastTables } from './tables.ts'

type Define = (at: At) => Sql

const definitions: ReadonlyMap<string, Define> = new Map([
  ...Object.entries(pastTables).map(([table, define]): [string, Define] => [sqlName(table), define]),
  ['_ponder_checkpoint', ({ checkpoint }) => sql`select ${checkpoint} as latest_checkpoint`],
])

/** Whether a cursor is one of the block, and a text that fails the statement if it is not. */
export type CursorCheck = { readonly isSame: Sql; readonly failure: Sql }

/**
 * Writes a value as of a block.
 *
 * @param notFinal a text that fails the statement if the projection has not reached the block
 */
export function valueAsOf(value: Json, at: At, notFinal: Sql, cursors: readonly CursorCheck[]): Json {
  return mapText(value, (text) => {
    const own = withOwnNames(text)
    const isFinal = sql`${at.block} <= substr(state.checkpoint, 27, 16)::numeric and ${at.time} <= left(state.checkpoint, 10)::numeric`
    // It depends on the present state, because the planner would evaluate failures of constants ahead.
    const checkpoint = sql`case when ${isFinal} then ${at.checkpoint} end as checkpoint`
    const past = sql`(${definitionsOf(own.tables, at)} select ${own.part} from (select ${checkpoint}) as state)`
    const foreign = cursors.map(
      ({ isSame, failure }) => sql`when not ${isSame} then (${failure})::int4::text`,
    )
    const page = cursors.length === 0 ? past : sql`case ${sql.join(foreign, sql` `)} else ${past} end`
    return sql`case when ${isFinal} then ${page} else (${notFinal})::int4::text end`
  })
}

/** Writes a relation, in parentheses and with a name, as of a block. */
export function relationAsOf(relation: Sql, at: At): Sql {
  const own = withOwnNames(relation)
  return sql`(${definitionsOf(own.tables, at)} select * from ${own.part}) as past`
}

/** Whether all tables that a value is read from have a past. */
export function definesPast(value: Json): boolean {
  return [...withOwnNames(toText(value)).tables].every((table) => definitions.has(table))
}

export function notInPast(field = ''): CodedError {
  return new CodedError('NOT_IN_PAST', `The field ${field} has no value as of an earlier block.`)
}

function definitionsOf(tables: ReadonlySet<string>, at: At): Sql {
  const defined = [...tables].map((table) => {
    const define = definitions.get(table)
    if (!define) throw new Error(`the table ${table} has no past`)
    return sql`${sql.id(table)} as not materialized (${define(at)})`
  })
  return defined.length === 0 ? sql`` : sql`with ${sql.join(defined)}`
}

/** A part of a statement whose views have no schema, and their names. */
function withOwnNames(part: Sql): { readonly part: Sql; readonly tables: ReadonlySet<string> } {
  const tables = new Set<string>()
  const transformed = new Unqualifier(tables).transformNode(part.toOperationNode())
  return { part: sql`${new ExpressionWrapper(transformed)}`, tables }
}

class Unqualifier extends OperationNodeTransformer {
  readonly #tables: Set<string>

  constructor(tables: Set<string>) {
    super()
    this.#tables = tables
  }

  protected override transformTable(node: TableNode): TableNode {
    const { schema, identifier } = node.table
    if (schema?.name !== PROJECTION_SCHEMA) return node
    this.#tables.add(identifier.name)
    return TableNode.create(identifier.name)
  }
}
