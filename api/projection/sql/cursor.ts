/**
 * A cursor is a position in one order of a list: the name of the order and the key of a row. It is independent of
 * snapshots, so it stays valid while the projection advances. A cursor of a page as of a block ends with that block,
 * and is good for no other. Opaque to callers: base64url.
 */
import { sql } from 'kysely'
import { CURSOR_LENGTH_MAX } from '../../domain/limits.ts'
import { ORDINAL_MAX } from '../../domain/ordinal.ts'
import { type CodedError, validationFailed } from '../../errors.ts'
import type { Sql } from './json.ts'
import type { ColumnKind } from './source.ts'

/** The order of a cursor: its name and the kinds of its key columns. */
export type KeyShape = { readonly name: string; readonly kinds: readonly ColumnKind[] }

const formats: Record<ColumnKind, RegExp> = {
  // A sum of amounts can have more digits than an amount.
  integer: /^(0|[1-9]\d{0,99})$/,
  count: /^(0|[1-9]\d{0,8})$/,
  ordinal: /^(0|[1-9]\d{0,17}|[1-4]\d{18})$/,
  hex: /^0x[0-9a-f]{1,64}$/,
  text: /^[\w-]{1,128}$/,
  boolean: /^(true|false)$/,
}

/** The block as of which a page is read, in its cursors. */
export type CursorBlock = {
  readonly text: Sql
  /** Fails the statement if a cursor has another block. @param path as `decodeCursor` */
  readonly require: (given: string, path: string) => void
}

/** The kind of a block in a cursor: hexadecimal, because a plan is kept for all values of that kind. */
export const BLOCK_KIND: ColumnKind = 'hex'

/** Whether the text can be a value of such a column. */
export function isValue(kind: ColumnKind, text: string | undefined): text is string {
  return text !== undefined && formats[kind].test(text)
}

export function encodeCursor(shape: KeyShape, key: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([shape.name, ...key.map(String)])).toString('base64url')
}

/**
 * Decodes the key in a cursor of this order.
 *
 * @param path the field at fault in the error, `cursor` or `after`
 * @throws CodedError `VALIDATION_FAILED` for anything that `encodeCursor` did not write for the same order
 */
export function decodeCursor(shape: KeyShape, cursor: string, path: string): readonly string[] {
  const [name, ...key] = parse(cursor)
  const fits = key.length === shape.kinds.length && shape.kinds.every((kind, i) => isKeyPart(kind, key[i]))
  if (name === shape.name && fits && encodeCursor(shape, key) === cursor) return key
  throw foreignCursor(path)
}

/** A cursor can have a number in place of an ordinal that no ordinal reaches: plans are made with one. */
function isKeyPart(kind: ColumnKind, text: string | undefined): boolean {
  return isValue(kind === 'ordinal' ? 'integer' : kind, text)
}

/** Writes a part of the key of a cursor as a value that is compared with its column. */
export function keyPartToSql(kind: ColumnKind, text: string): Sql {
  return kind === 'ordinal'
    ? sql`least(${text}::numeric, ${sql.lit(String(ORDINAL_MAX))})::int8`
    : sql`${text}`
}

export function foreignCursor(path: string): CodedError {
  const message =
    'must be a cursor of an earlier page of this list in the same order and as of the same block; leave it out to start anew'
  return validationFailed([{ path, message }])
}

/** Writes the cursor with other values in its key; undefined for a text that is none. */
export function mapCursor(cursor: string, toValue: (value: string) => string): string | undefined {
  const [name, ...key] = parse(cursor)
  if (name === undefined) return undefined
  const shape = { name, kinds: [] }
  return encodeCursor(shape, key) === cursor ? encodeCursor(shape, key.map(toValue)) : undefined
}

function parse(cursor: string): readonly string[] {
  if (cursor.length > CURSOR_LENGTH_MAX) return []
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : []
  } catch {
    return []
  }
}
