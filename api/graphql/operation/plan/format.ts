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
} from '../../../projection/sql/json.ts'

const formats: { readonly [scalar: string]: ((value: Sql, isNullable: boolean) => Json) | undefined } = {
  Address: toPlainString,
  Hash: toPlainString,
  Amount: toPlainString,
  AmountSum: toPlainString,
  SignedAmount: toPlainString,
  DateTime: toTime,
  SafeInt: toSafeNumber,
  Int: toLiteral,
  String: (value) => toJson(value),
  Float: toLiteral,
  Boolean: toLiteral,
}

/** Scalars whose values in a list are those of the column. */
const LISTED: ReadonlySet<string> = new Set(['Address', 'AmountSum', 'Hash', 'Int', 'String'])

/**
 * Writes a value of a column as the scalar, enum or list writes it.
 *
 * @param isNullable whether the value can be null
 * @throws Error for a type that has no format in SQL
 */
export function toFormat(type: GraphQLOutputType, value: Sql, isNullable = true): Json {
  const { name } = getNamedType(type)
  const isList = isListType(getNullableType(type))
  if (isList && LISTED.has(name)) return toJson(value)
  if (!isList && isEnumType(getNullableType(type))) return toPlainString(value, isNullable)
  const format = isList ? undefined : formats[name]
  if (!format) throw new Error(`the type ${type} has no format in SQL`)
  return format(value, isNullable)
}
