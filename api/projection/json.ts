/**
 * JSON made by Postgres: the values that JavaScript would write. It is text from the start, because `row_to_json` looks up the type of each column again
 * in each row: a list takes five sixths of its time.
 */
import { type RawBuilder, sql } from 'kysely'
import { LAST_ISO_SECOND } from '../domain/time.ts'
import { sqlName } from './database.ts'

/** A part of a statement. */
export type Sql = RawBuilder<unknown>

declare const JSON_TEXT: unique symbol

/** A part of a statement that is a text of JSON. Null stands for the value null. */
export type Json = RawBuilder<{ readonly [JSON_TEXT]: true }>

/** A field of an object: its name, which needs no escape in JSON or SQL, and its value. */
export type JsonField = readonly [name: string, value: Json]

function json(text: Sql): Json {
  return sql`${text}`
}

/** The value where the condition holds, else null. */
export function toValueIf(condition: Sql, value: Json): Json {
  return json(sql`case when ${condition} then ${value} end`)
}

/** The column of a row. */
export function columnOf(row: string, column: string): Sql {
  return sql.raw(`${row}."${sqlName(column)}"`)
}

/** The maximum of arguments of a function in Postgres. */
const ARGUMENTS_MAX = 100

/** The texts one after the other. */
function concat(texts: readonly Sql[]): Sql {
  if (texts.length <= ARGUMENTS_MAX) return sql`concat(${sql.join(texts)})`
  const groups = Array.from({ length: Math.ceil(texts.length / ARGUMENTS_MAX) }, (_, i) =>
    texts.slice(i * ARGUMENTS_MAX, (i + 1) * ARGUMENTS_MAX),
  )
  return concat(groups.map(concat))
}

/** An object with these fields, in their order. */
export function toObject(fields: readonly JsonField[]): Json {
  const parts = fields.flatMap(([name, value], place) => [
    sql.lit(`${place === 0 ? '' : ','}"${name}":`),
    sql`coalesce(${value}, 'null')`,
  ])
  return json(concat([sql.lit('{'), ...parts, sql.lit('}')]))
}

/** The same of one row; null where there is none. @param from the relation and conditions of the row */
export function toObjectFrom(fields: readonly JsonField[], from: Sql): Json {
  return json(sql`(select ${toObject(fields)} ${from})`)
}

/** The objects of all rows. */
export function toList(object: Json, order: Sql, condition: Sql = sql.raw('')): Json {
  return json(sql`concat('[', string_agg(${object}, ',' ${order}) ${condition}, ']')`)
}

/** A text that needs no escape. */
export function toPlainString(text: Sql): Json {
  return json(sql`'"' || (${text})::text || '"'`)
}

/** A text of any characters, or a list. */
export function toJson(value: Sql): Json {
  return json(sql`to_json(${value})::text`)
}

/** A number or boolean: a text of SQL is one of JSON. */
export function toLiteral(value: Sql): Json {
  return json(sql`(${value})::text`)
}

/** An integer as a number, as `safeNumber`. */
export function toSafeNumber(value: Sql): Json {
  return toLiteral(atMost(value, String(Number.MAX_SAFE_INTEGER)))
}

/** Null where the value is null, which `least` is not. */
function atMost(value: Sql, maximum: string): Sql {
  return sql`case when ${value} > ${sql.raw(maximum)} then ${sql.raw(maximum)} else ${value} end`
}

/** Unix seconds in ISO 8601, as `formatTime`, where `DateStyle` is ISO. A text with a format of its own takes twice the time. */
export function toTime(seconds: Sql): Json {
  const last = atMost(seconds, String(LAST_ISO_SECOND))
  return toPlainString(
    sql`replace((to_timestamp((${last})::int8) at time zone 'utc')::text, ' ', 'T') || 'Z'`,
  )
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
export function orFail(value: Json, key: Sql): Json {
  return json(sql`coalesce(${value}, ('nothing at ' || ${key})::json::text)`)
}

/** Whether a statement failed at a value, and not for want of the database. */
export function isUnfit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNFIT_VALUE.test(String(error.code))
}
