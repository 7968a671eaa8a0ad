/** Values that a JSON schema allows: of the world that is really there where one fits, else of its pattern. */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { isObject, isRuledOut, type Json, resolve } from '../support/hostile.ts'
import { below, type Draw, oneIn, pick } from './draw.ts'

export type Samples = {
  /** Texts of any field. */
  values: readonly string[]
  /** Texts of the fields of one name, where no others make sense. */
  byName: Readonly<Record<string, readonly string[]>>
}

export type Sources = { ajv: Ajv2020; document: Json; samples: Samples }

const LIST_LENGTH_MAX = 4

export function fitting(draw: Draw, sources: Sources, described: unknown, name = ''): unknown {
  const schema = resolve(described, sources.document)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return pick<unknown>(draw, schema.enum)
  const choices = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list))
  if (choices) return fitting(draw, sources, pick(draw, choices), name)
  switch (schema.type) {
    case 'object':
      return objectOf(draw, sources, schema)
    case 'array':
      return listOf(draw, sources, schema, name)
    case 'integer':
    case 'number':
      return integerOf(draw, schema)
    case 'boolean':
      return oneIn(draw, 2)
    default:
      return textOf(draw, sources, schema, name)
  }
}

function objectOf(draw: Draw, sources: Sources, { properties, required }: Json): Json {
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const chosen = Object.entries(isObject(properties) ? properties : {}).filter(
    ([name]) => needed.includes(name) || oneIn(draw, 3),
  )
  return Object.fromEntries(chosen.map(([name, part]) => [name, fitting(draw, sources, part, name)]))
}

function listOf(draw: Draw, sources: Sources, { items, minItems, maxItems }: Json, name: string): unknown[] {
  const [least, most] = [
    numberOr(minItems, 0),
    Math.min(numberOr(maxItems, LIST_LENGTH_MAX), LIST_LENGTH_MAX),
  ]
  const length = least + below(draw, Math.max(most - least, 0) + 1)
  const made = Array.from({ length }, () => fitting(draw, sources, items, name))
  // No list of the API may hold a value twice.
  return [...new Map(made.map((value) => [JSON.stringify(value), value])).values()]
}

function integerOf(draw: Draw, { minimum, maximum }: Json): number {
  const [least, most] = [numberOr(minimum, 0), numberOr(maximum, 255)]
  return oneIn(draw, 3) ? pick(draw, [least, most]) : least + below(draw, most - least + 1)
}

function textOf(draw: Draw, { ajv, samples }: Sources, schema: Json, name: string): string {
  const named = (samples.byName[name] ?? []).filter((value) => !isRuledOut(ajv, { path: [], schema }, value))
  if (named.length > 0) return pick(draw, named)
  const fits = fittingSamples(ajv, samples, schema)
  if (fits.length > 0) return pick(draw, fits)
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : '^[a-z]{1,9}$'
  return draw(matching, pattern)
}

const matching = (pattern: string) => fc.stringMatching(new RegExp(pattern))

const known = new WeakMap<Samples, Map<string, readonly string[]>>()

function fittingSamples(ajv: Ajv2020, samples: Samples, schema: Json): readonly string[] {
  if (schema.pattern === undefined && schema.format === undefined) return samples.values
  const bySchema = known.get(samples) ?? new Map<string, readonly string[]>()
  known.set(samples, bySchema)
  const key = JSON.stringify(schema)
  const found =
    bySchema.get(key) ?? samples.values.filter((value) => !isRuledOut(ajv, { path: [], schema }, value))
  bySchema.set(key, found)
  return found
}

function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' ? value : other
}
