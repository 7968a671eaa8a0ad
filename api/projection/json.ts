/** JSON made by Postgres: the values that JavaScript would write. */
import { type RawBuilder, sql } from 'kysely'
import { LAST_ISO_SECOND } from '../domain/time.ts'
import { sqlName } from './database.ts'

/** A part of a statement. */
export type Sql = RawBuilder<unknown>

/** A field of an object: its name, and its value as SQL. */
export type JsonField = readonly [name: string, value: Sql]

/** Bytes of the longest name of a column; Postgres cuts longer ones. */
export const NAME_BYTES_MAX = 63

/** The column of a row. */
export function columnOf(row: string, column: string): Sql {
  return sql.raw(`${row}."${sqlName(column)}"`)
}

/**
 * An object with these fields, in their order.
 *
 * @param from the relation and conditions of its one row; null where there is none. Default: the row around it
 */
export function toObject(fields: readonly JsonField[], from: Sql = sql.raw('')): Sql {
  const columns = fields.map(([name, value]) => sql`${value} as ${nameOf(name)}`)
  // The name of the row is none that a field can have.
  return sql`(select row_to_json("#o") from (select ${sql.join(columns)} ${from}) as "#o")`
}

/**
 * The same as a relation beside the row around it. Without a statement of its own for each row, it takes a fifth less time.
 *
 * @param name of the relation
 */
export function toJoined(fields: readonly JsonField[], name: string): { join: Sql; value: Sql } {
  const columns = fields.map(([field, value]) => sql`${value} as ${nameOf(field)}`)
  return {
    join: sql`cross join lateral (select ${sql.join(columns)}) as ${sql.raw(name)}`,
    value: sql.raw(`row_to_json(${name})`),
  }
}

/** A name without double quotes, as a column. */
function nameOf(name: string): Sql {
  return sql.raw(`"${name}"`)
}

/** The values of all rows; an empty list where there are none. */
export function toList(value: Sql, order: Sql, condition: Sql = sql.raw('')): Sql {
  return sql`coalesce(json_agg(${value} ${order}) ${condition}, '[]'::json)`
}

/** An exact integer as text. */
export function toText(value: Sql): Sql {
  return sql`(${value})::text`
}

/** An integer as a JSON number, as `safeNumber`. */
export function toSafeNumber(value: Sql): Sql {
  return atMost(value, String(Number.MAX_SAFE_INTEGER))
}

/** Null where the value is null, which `least` is not. */
function atMost(value: Sql, maximum: string): Sql {
  return sql`case when ${value} > ${sql.raw(maximum)} then ${sql.raw(maximum)} else ${value} end`
}

/** Unix seconds in ISO 8601, as `formatTime`, where `DateStyle` is ISO. A text with a format of its own takes twice the time. */
export function toTime(seconds: Sql): Sql {
  const last = atMost(seconds, String(LAST_ISO_SECOND))
  return sql`replace((to_timestamp((${last})::int8) at time zone 'utc')::text, ' ', 'T') || 'Z'`
}

/** Base64 of a text. Postgres breaks lines, which the format does not. */
export function toBase64(text: Sql): Sql {
  return sql`translate(encode(convert_to(${text}, 'UTF8'), 'base64'), E'\n', '')`
}

/** The same in the alphabet of URLs, without padding. */
export function toBase64Url(text: Sql): Sql {
  return sql`translate(encode(convert_to(${text}, 'UTF8'), 'base64'), E'+/=\n', '-_')`
}

/** SQLSTATE of a value that has no JSON, as `orFail` makes it, or that does not fit its type. */
const UNFIT_VALUE = /^22/

/** The value; fails the statement where it is null. `key` is never null, so that the planner cannot evaluate the failure ahead. */
export function orFail(value: Sql, key: Sql): Sql {
  return sql`coalesce(${value}, ('nothing at ' || ${key})::json)`
}

/** Whether a statement failed at a value, and not for want of the database. */
export function isUnfit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNFIT_VALUE.test(String(error.code))
}
