/** Values for arguments of GraphQL, as its types allow them or not. */
import {
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql'
import { below, type Draw, oneIn, pick } from './draw.ts'
import { hostileJson, RawJson } from './hostile-json.ts'

const DEPTH_MAX = 4

/** Known values of each scalar. */
export type ScalarSamples = Readonly<Record<string, readonly unknown[]>>

const PATTERNS: Readonly<Record<string, RegExp>> = {
  Address: /^0x[0-9a-f]{40}$/i,
  Hash: /^0x[0-9a-f]{64}$/,
  Amount: /^[0-9]+$/,
  AmountSum: /^[0-9]+$/,
  SignedAmount: /^-?[0-9]+$/,
  DateTime: /^\d{4}-\d\d-\d\dT/,
  ID: /^[\w+/=-]{8,}$/,
  String: /./,
}
const NUMBERS: ScalarSamples = {
  Int: [1, 2, 5, 0, 50, 200, 255],
  SafeInt: [1, 0, 30, 2 ** 40],
  Float: [1, 0.5],
  Boolean: [true, false],
}

/** @returns what a scalar without samples gets, too: a scalar added later is reached by any text */
export function scalarSamples(texts: readonly string[]): ScalarSamples {
  const found = Object.entries(PATTERNS).map(([name, pattern]) => [
    name,
    texts.filter((text) => pattern.test(text)),
  ])
  return { ...Object.fromEntries(found), ...NUMBERS }
}

export function inputValue(
  draw: Draw,
  samples: ScalarSamples,
  type: GraphQLInputType,
  isHostile: boolean,
  depth = 0,
): unknown {
  if (isHostile && oneIn(draw, 6)) return hostileJson(draw)
  if (isNonNullType(type)) return inputValue(draw, samples, type.ofType, isHostile, depth)
  if (isListType(type)) {
    const length = depth < DEPTH_MAX ? below(draw, 4) : 0
    return Array.from({ length }, () => inputValue(draw, samples, type.ofType, isHostile, depth + 1))
  }
  if (isEnumType(type)) return pick(draw, type.getValues()).name
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields())
    const optional = depth < DEPTH_MAX ? Array.from({ length: below(draw, 3) }, () => pick(draw, fields)) : []
    const chosen = [...fields.filter(isRequiredInputField), ...optional]
    const parts = chosen.map((field) => [
      field.name,
      inputValue(draw, samples, field.type, isHostile, depth + 1),
    ])
    return Object.fromEntries(parts)
  }
  const sample = pick(draw, samples[type.name] ?? samples.String ?? ['a'])
  // Hex digits are read in any case.
  return (type.name === 'Address' || type.name === 'Hash') && typeof sample === 'string' && oneIn(draw, 8)
    ? sample.toUpperCase().replace('X', 'x')
    : sample
}

/**
 * A value as GraphQL writes it in a document.
 *
 * @param instead what is written in place of a part of the value; undefined for the part itself
 */
export function literal(
  value: unknown,
  type?: GraphQLInputType,
  instead: (part: unknown, type: GraphQLInputType) => string | undefined = () => undefined,
): string {
  if (value instanceof RawJson) return value.text
  if (type && isNonNullType(type)) return literal(value, type.ofType, instead)
  const write = (part: unknown, own?: GraphQLInputType) =>
    (own && instead(part, own)) ?? literal(part, own, instead)
  if (Array.isArray(value)) {
    const item = type && isListType(type) ? type.ofType : undefined
    return `[${value.map((part) => write(part, item)).join(', ')}]`
  }
  if (typeof value === 'object' && value !== null) {
    const fields = type && isInputObjectType(type) ? type.getFields() : {}
    const parts = Object.entries(value).map(([key, part]) => `${key}: ${write(part, fields[key]?.type)}`)
    return `{${parts.join(', ')}}`
  }
  if (type && isEnumType(type) && typeof value === 'string' && /^\w+$/.test(value)) return value
  return JSON.stringify(value) ?? 'null'
}
