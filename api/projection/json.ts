/**
 * JSON made by Postgres: the values that JavaScript would write. It is text from the start, because `row_to_json` looks up the type of each column again
 * in each row.
 */
import { type RawBuilder, sql } from 'kysely'
import { LAST_ISO_SECOND } from '../domain/time.ts'
import { sqlName } from './database.ts'

/** A part of a statement. */
export type Sql = RawBuilder<unknown>

/** A value of JSON: its text, in parts of which those of strings are constant. */
export type Json = {
  readonly parts: readonly (string | Sql)[]
  /** Whether the one part can be null, which stands for the value null. A part of any other value never is. */
  readonly isNullable: boolean
}

/** A field of an object: its name, which needs no escape in JSON or SQL, and its value. */
export type JsonField = readonly [name: string, value: Json]

function known(...parts: Json['parts']): Json {
  return { parts, isNullable: false }
}

function nullable(text: Sql): Json {
  return { parts: [text], isNullable: true }
}

/** The text of a value, null where it is the value null. */
export function toText({ parts }: Json): Sql {
  const [first] = parts
  const texts = parts.map((part) => (typeof part === 'string' ? sql.lit(part) : part))
  return parts.length === 1 && first !== undefined && typeof first !== 'string' ? first : concat(texts)
}

/** The parts of a text that stands in another one. Constants that meet are one. */
function merge(parts: Json['parts']): Json['parts'] {
  const merged: (string | Sql)[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (typeof part === 'string' && typeof last === 'string') merged.splice(-1, 1, last + part)
    else merged.push(part)
  }
  return merged
}

function partsOf(value: Json): Json['parts'] {
  return value.isNullable ? [sql`coalesce(${toText(value)}, 'null')`] : value.parts
}

/** The value where the condition holds, else null. */
export function toValueIf(condition: Sql, value: Json): Json {
  return nullable(sql`case when ${condition} then ${toText(value)} end`)
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
    `${place === 0 ? '' : ','}"${name}":`,
    ...partsOf(value),
  ])
  return known(...merge(['{', ...parts, '}']))
}

/** The same of one row; null where there is none. @param from the relation and conditions of the row */
export function toObjectFrom(fields: readonly JsonField[], from: Sql): Json {
  return nullable(sql`(select ${toText(toObject(fields))} ${from})`)
}

/** The same of aggregates of rows, or of what depends on none. @param from the relation of the rows */
export function toObjectOfAll(fields: readonly JsonField[], from: Sql): Json {
  return known(sql`(select ${toText(toObject(fields))} ${from})`)
}

/** The objects of all rows, as an aggregate, which is null where there are none. */
export function toItems(object: Json, order: Sql, condition: Sql = sql.raw('')): Sql {
  return sql`string_agg(${toText(object)}, ',' ${order}) ${condition}`
}

/** A list of the objects that such an aggregate has. */
export function toList(items: Sql): Json {
  // Null adds nothing to a text.
  return known('[', items, ']')
}

/** The same text for every row. It needs no escape. */
export function toConstant(text: string): Json {
  return known(`"${text}"`)
}

/** A text that needs no escape. */
export function toPlainString(text: Sql, isNullable = true): Json {
  return isNullable ? nullable(sql`'"' || (${text})::text || '"'`) : known('"', text, '"')
}

/** A text of any characters, or a list. */
export function toJson(value: Sql): Json {
  return nullable(sql`to_json(${value})::text`)
}

/** A number or boolean: a text of SQL is one of JSON. */
export function toLiteral(value: Sql, isNullable = true): Json {
  const text = sql`(${value})::text`
  return isNullable ? nullable(text) : known(text)
}

/** An integer as a number, as `safeNumber`. */
export function toSafeNumber(value: Sql, isNullable?: boolean): Json {
  return toLiteral(atMost(value, String(Number.MAX_SAFE_INTEGER)), isNullable)
}

/** Null where the value is null, which `least` is not. */
function atMost(value: Sql, maximum: string): Sql {
  return sql`case when ${value} > ${sql.raw(maximum)} then ${sql.raw(maximum)} else ${value} end`
}

/** Unix seconds in ISO 8601, as `formatTime`, where `DateStyle` is ISO. A text with a format of its own takes twice the time. */
export function toTime(seconds: Sql, isNullable = true): Json {
  const last = atMost(seconds, String(LAST_ISO_SECOND))
  const local = sql`replace((to_timestamp((${last})::int8) at time zone 'utc')::text, ' ', 'T')`
  return isNullable ? toPlainString(sql`${local} || 'Z'`) : known('"', local, 'Z"')
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
  return known(sql`coalesce(${toText(value)}, ('nothing at ' || ${key})::json::text)`)
}

/** Whether a statement failed at a value, and not for want of the database. */
export function isUnfit(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNFIT_VALUE.test(String(error.code))
}
