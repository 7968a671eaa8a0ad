/** Values of the scalars as they are in JSON. */
import { type GraphQLOutputType, getNamedType, getNullableType, isEnumType, isListType } from 'graphql'
import {
  type Json,
  type Sql,
  toJson,
  toLiteral,
  toPlainString,
  toSafeNumber,
  toTime,
} from '../../projection/json.ts'

const formats: { readonly [scalar: string]: ((value: Sql, isNullable: boolean) => Json) | undefined } = {
  Address: toPlainString,
  Hash: toPlainString,
  Amount: toPlainString,
  AmountSum: toPlainString,
  DateTime: toTime,
  SafeInt: toSafeNumber,
  Int: toLiteral,
  String: (value) => toJson(value),
  Boolean: toLiteral,
}

/** Scalars whose values in a list are those of the column. */
const LISTED: ReadonlySet<string> = new Set(['Address', 'Hash', 'Int', 'String'])

/**
 * A value of a column as the scalar, enum or list writes it; undefined for a type that has no format in SQL.
 *
 * @param isNullable whether the value can be null
 */
export function toFormat(type: GraphQLOutputType, value: Sql, isNullable = true): Json | undefined {
  const { name } = getNamedType(type)
  if (isListType(getNullableType(type))) return LISTED.has(name) ? toJson(value) : undefined
  if (isEnumType(getNullableType(type))) return toPlainString(value, isNullable)
  return formats[name]?.(value, isNullable)
}
