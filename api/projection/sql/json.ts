/**
 * JSON made by Postgres: the values that JavaScript would write. It is text from the start, because `row_to_json` looks
 * up the type of each column again in each row.
 */
import { type RawBuilder, sql } from 'kysely'
import { LAST_ISO_SECOND } from '../../domain/time.ts'
import { sqlName } from './source.ts'

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

/** Writes the text of a value, null where it is the value null. */
export function toText({ parts }: Json): Sql {
  const [first] = parts
  const texts = parts.map((part) => (typeof part === 'string' ? sql.lit(part) : part))
  return parts.length === 1 && first !== undefined && typeof first !== 'string' ? first : concat(texts)
}

/** Writes the value with another text of it, which can be null only if the present one can. */
export function mapText(value: Json, write: (text: Sql) => Sql): Json {
  return { parts: [write(toText(value))], isNullable: value.isNullable }
}

/** Returns the text of a value that depends on no row; undefined for any other. */
export function constantOf({ parts }: Json): string | undefined {
  const texts = parts.filter((part) => typeof part === 'string')
  return texts.length === parts.length ? texts.join('') : undefined
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

/** Writes the value where the condition holds, else null. */
export function toValueIf(condition: Sql, value: Json): Json {
  return nullable(sql`case when ${condition} then ${toText(value)} end`)
}

/** Writes the column of a row. */
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

/** Writes an object with these fields, in their order. */
export function toObject(fields: readonly JsonField[]): Json {
  const parts = fields.flatMap(([name, value], place) => [
    `${place === 0 ? '' : ','}"${name}":`,
    ...partsOf(value),
  ])
  return known(...merge(['{', ...parts, '}']))
}

/** Writes an object of one row; null if there is none. @param from the relation and conditions of the row */
export function toObjectFrom(object: Json, from: Sql): Json {
  return nullable(sql`(select ${toText(object)} ${from})`)
}

/** Writes an object of aggregates of rows, or of values that depend on no row. @param from the relation of the rows */
export function toObjectOfAll(fields: readonly JsonField[], from: Sql): Json {
  return known(sql`(select ${toText(toObject(fields))} ${from})`)
}

/** Writes the objects of all rows, as an aggregate, which is null where there are none. */
export function toItems(object: Json, order: Sql, condition: Sql = sql.raw('')): Sql {
  return sql`string_agg(${toText(object)}, ',' ${order}) ${condition}`
}

/** Writes a list of the objects that such an aggregate has. */
export function toList(items: Sql): Json {
  // Null adds nothing to a text.
  return known('[', items, ']')
}

/**
 * Writes a list by the places of its items. @param found relations with the columns `place`, from 0, and `item`; what
 * has no item is null
 */
export function toJsonList(found: readonly Sql[], length: number): Json {
  if (length === 0) return known('[]')
  const nothing = sql`select null::int4 as place, null::text as item where false`
  const all = sql.join(found.length > 0 ? [...found] : [nothing], sql` union all `)
  return toList(sql`(
    select string_agg(coalesce(found.item, 'null'), ',' order by wanted.place)
    from generate_series(0, ${sql.lit(length - 1)}) as wanted (place) left join (${all}) as found on found.place = wanted.place
  )`)
}

/** Writes a text that is equal for all rows and needs no escape. */
export function toConstant(text: string): Json {
  return known(`"${text}"`)
}

/** Writes a text that needs no escape. */
export function toPlainString(text: Sql, isNullable = true): Json {
  return isNullable ? nullable(sql`'"' || (${text})::text || '"'`) : known('"', text, '"')
}

/** Writes a text of any characters, or a list. */
export function toJson(value: Sql): Json {
  return nullable(sql`to_json(${value})::text`)
}

/** Writes a number or boolean: a text of SQL is one of JSON. */
export function toLiteral(value: Sql, isNullable = true): Json {
  const text = sql`(${value})::text`
  return isNullable ? nullable(text) : known(text)
}

/** Writes an integer as a number, as `safeNumber`. */
export function toSafeNumber(value: Sql, isNullable?: boolean): Json {
  return toLiteral(atMost(value, String(Number.MAX_SAFE_INTEGER)), isNullable)
}

/** Null where the value is null, which `least` is not. */
function atMost(value: Sql, maximum: string): Sql {
  return sql`case when ${value} > ${sql.raw(maximum)} then ${sql.raw(maximum)} else ${value} end`
}

/**
 * Unix seconds in ISO 8601, as `formatTime`, where `DateStyle` is ISO. A text with a format of its own takes twice the
 * time.
 */
export function toTime(seconds: Sql, isNullable = true): Json {
  const last = atMost(seconds, String(LAST_ISO_SECOND))
  const local = sql`replace((to_timestamp((${last})::int8) at time zone 'utc')::text, ' ', 'T')`
  return isNullable ? toPlainString(sql`${local} || 'Z'`) : known('"', local, 'Z"')
}

/** Base64 of a text. Postgres breaks lines, which the format does not. */
export function toBase64(text: Sql): Sql {
  return sql`translate(encode(convert_to(${text}, 'UTF8'), 'base64'), E'\n', '')`
}

/** Encodes as `toBase64`, in the alphabet of URLs and without padding. */
export function toBase64Url(text: Sql): Sql {
  return sql`translate(encode(convert_to(${text}, 'UTF8'), 'base64'), E'+/=\n', '-_')`
}

/** The value null. */
export const NULL: Json = known('null')

/**
 * Writes a text that fails the statement when it is converted to another type, and then is in the message of the error.
 * It has a value of a row, because the planner would evaluate a failure of constants ahead.
 *
 * @param name letters and digits
 */
export function failureText(name: string): Sql {
  return sql`('failure ' || state.checkpoint || ${sql.lit(` ${name}`)})`
}

/** SQLSTATE of a text that does not fit the type it is converted to (invalid_text_representation). */
const UNFIT_TEXT = '22P02'

/** Returns the name of the failure that ended a statement; undefined for any other error. */
export function failureOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNFIT_TEXT) return undefined
  return /"failure \d+ (\w+)"/.exec(error.message)?.[1]
}

/** Writes the value; fails the statement where it is null. */
export function orFail(value: Json, failure: Sql): Json {
  return known(sql`coalesce(${toText(value)}, (${failure})::int4::text)`)
}
