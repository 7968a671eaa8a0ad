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

const formats: { readonly [scalar: string]: ((value: Sql) => Json) | undefined } = {
  Address: toPlainString,
  Hash: toPlainString,
  Amount: toPlainString,
  AmountSum: toPlainString,
  DateTime: toTime,
  SafeInt: toSafeNumber,
  Int: toLiteral,
  String: toJson,
  Boolean: toLiteral,
}

/** Scalars whose values in a list are those of the column. */
const LISTED: ReadonlySet<string> = new Set(['Address', 'Hash', 'Int', 'String'])

/** A value of a column as the scalar, enum or list writes it; undefined for a type that has no format in SQL. */
export function toFormat(type: GraphQLOutputType, value: Sql): Json | undefined {
  const { name } = getNamedType(type)
  if (isListType(getNullableType(type))) return LISTED.has(name) ? toJson(value) : undefined
  return isEnumType(getNullableType(type)) ? toPlainString(value) : formats[name]?.(value)
}
