/** Values of the scalars as they are in JSON. */
import { type GraphQLNamedType, isEnumType } from 'graphql'
import { type Sql, toSafeNumber, toText, toTime } from '../../projection/json.ts'

const asIs = (value: Sql): Sql => value

const formats: { readonly [scalar: string]: ((value: Sql) => Sql) | undefined } = {
  Address: asIs,
  Hash: asIs,
  Amount: toText,
  AmountSum: toText,
  DateTime: toTime,
  SafeInt: toSafeNumber,
  Int: asIs,
  String: asIs,
  Boolean: asIs,
}

/** A value of a column as the scalar or enum writes it; undefined for a type that has no format in SQL. */
export function toFormat(type: GraphQLNamedType, value: Sql): Sql | undefined {
  return isEnumType(type) ? value : formats[type.name]?.(value)
}
