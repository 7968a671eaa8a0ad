/**
 * The changes between two OpenAPI documents that break a client of REST (docs/versioning.md). A type of a request may
 * become wider, one of a response narrower. An additional value of an enumeration in a response breaks no client.
 */

import { isDeepStrictEqual } from 'node:util'
import { compare } from '../api/domain/bigint.ts'
import { unreleasedOf } from './changelog.ts'
import { BOUNDS, type Operation, type RestContract, type Schema } from './rest-contract.ts'

/** `place` is an operation with a part of it, or a field of a component: `GET /api/v1/vaults active`, `Vault.name`. */
export type RestChange = { place: string; message: string }

/** The breaking changes, in the order of their places. A change of a component is listed once. */
export function restChanges(earlier: RestContract, later: RestContract): RestChange[] {
  const found = new Map<string, RestChange>()
  const walk: Walk = {
    earlier,
    later,
    visited: new Set(),
    report: (place, message) => found.set(`${place}: ${message}`, { place, message }),
  }
  for (const [path, methods] of Object.entries(earlier.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const place = `${method.toUpperCase()} ${path}`
      const after = Object.entries(later.paths[path] ?? {}).find(([name]) => name === method)?.[1]
      if (after) compareOperations(walk, place, operation, after)
      else walk.report(place, 'was removed')
    }
  }
  return [...found.values()].toSorted((a, b) => compare(describeRestChange(a), describeRestChange(b)))
}

export function describeRestChange({ place, message }: RestChange): string {
  return `breaking ${place}: ${message}`
}

/** The changes whose places the section "Unreleased" of the changelog does not name in backticks. */
export function unrecordedRestChanges(changes: readonly RestChange[], changelog: string): RestChange[] {
  const unreleased = unreleasedOf(changelog)
  return changes.filter(({ place }) => !unreleased.includes(`\`${place}\``))
}

type Direction = 'request' | 'response'
type Walk = {
  earlier: RestContract
  later: RestContract
  /** Pairs of components that were compared, each in one direction. */
  visited: Set<string>
  report: (place: string, message: string) => void
}
/** Two versions of a schema. */
type Pair = { before: Schema; after: Schema }
type Compare = (place: string, pair: Pair) => void

function compareOperations(walk: Walk, place: string, before: Operation, after: Operation): void {
  const { report } = walk
  if (isPublic(before) && !isPublic(after)) report(place, 'requires a token')
  compareParameters(walk, place, before, after)
  if (after.requestBody?.required && !before.requestBody?.required) report(`${place} body`, 'is required')
  compareContents(walk, `${place} body`, 'request', before.requestBody?.content, after.requestBody?.content)
  for (const [status, answer] of Object.entries(before.responses)) {
    const answerAfter = after.responses[status]
    const at = `${place} ${status}`
    if (answerAfter) {
      compareContents(walk, at, 'response', answer.content, answerAfter.content)
      for (const header of Object.keys(answer.headers ?? {})) {
        if (!answerAfter.headers?.[header]) report(`${at} ${header}`, 'was removed')
      }
    } else if (status < '400') report(at, 'was removed')
  }
}

/** Whether it answers without a token. */
function isPublic({ security = [] }: Operation): boolean {
  return security.length === 0 || security.some((schemes) => Object.keys(schemes).length === 0)
}

function compareParameters(walk: Walk, place: string, before: Operation, after: Operation): void {
  const [earlier = [], later = []] = [before.parameters, after.parameters]
  for (const parameter of later) {
    const known = earlier.find((one) => one.in === parameter.in && one.name === parameter.name)
    const at = `${place} ${parameter.name}`
    if (parameter.required && !known?.required) walk.report(at, 'is required')
    if (known?.schema && parameter.schema) {
      compareSchemas(walk, 'request', at, { before: known.schema, after: parameter.schema })
    }
  }
  for (const { in: where, name } of earlier) {
    // A header that is not read any more is ignored; an unknown parameter is refused.
    const isKept = where === 'header' || later.some((one) => one.in === where && one.name === name)
    if (!isKept) walk.report(`${place} ${name}`, 'was removed')
  }
}

type Content = Operation['responses'][string]['content']

function compareContents(walk: Walk, place: string, direction: Direction, before: Content, after: Content) {
  for (const [type, { schema }] of Object.entries(before ?? {})) {
    const later = after?.[type]
    if (!later) walk.report(place, `has no ${type} any more`)
    else if (schema && later.schema)
      compareSchemas(walk, direction, place, { before: schema, after: later.schema })
  }
}

function compareSchemas(walk: Walk, direction: Direction, place: string, { before, after }: Pair): void {
  const component = /[^/]+$/.exec(before.$ref ?? '')?.[0]
  if (component !== undefined) {
    const comparison = `${direction} ${before.$ref} ${after.$ref ?? place}`
    if (walk.visited.has(comparison)) return
    walk.visited.add(comparison)
  }
  const at = component ?? place
  const [earlier, later] = [variantsOf(walk.earlier, before), variantsOf(walk.later, after)]
  const { pairs, gone, added } = pairUp(earlier, later)
  for (const { type } of direction === 'request' ? gone : added) {
    walk.report(at, direction === 'request' ? `does not take ${type} any more` : `can be ${type}`)
  }
  for (const pair of pairs) compareVariants(walk, direction, at, pair)
}

/** A schema of one type. */
type Variant = Schema & { type: string }

/** The types that a value can have: references and parts are resolved, unions are flattened. */
function variantsOf(contract: RestContract, schema: Schema): Variant[] {
  const whole = wholeOf(contract, schema)
  const union = whole.anyOf ?? whole.oneOf
  if (union) return union.flatMap((member) => variantsOf(contract, member))
  const types = whole.type ?? [...new Set((whole.enum ?? [whole.const]).map(typeOfValue))]
  return [types].flat().map((type) => ({ ...whole, type }))
}

function typeOfValue(value: unknown): string {
  return value === undefined ? 'anything' : value === null ? 'null' : typeof value
}

/** The schema with its references and `allOf` resolved; of unions, the members are not. */
function wholeOf(contract: RestContract, { $ref, allOf = [], ...own }: Schema): Schema {
  const name = $ref?.replace(/^.*\//, '')
  const referred = name === undefined ? undefined : contract.components.schemas[name]
  if (name !== undefined && !referred) throw new Error(`the document has no schema ${name}`)
  const parts = [...(referred ? [referred] : []), ...allOf].map((part) => wholeOf(contract, part))
  const all = [...parts, own]
  return Object.assign({}, ...all, {
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  })
}

/** Pairs variants of the same type, those with equal constants first: objects of a union differ by their constants. */
function pairUp(earlier: readonly Variant[], later: readonly Variant[]) {
  const rest = [...later]
  const take = (matches: (one: Variant) => boolean) => {
    const index = rest.findIndex(matches)
    return index < 0 ? [] : rest.splice(index, 1)
  }
  const gone: Variant[] = []
  const pairs = earlier.flatMap((before) => {
    const isSame = (one: Variant) =>
      one.type === before.type && isDeepStrictEqual(constantsOf(one), constantsOf(before))
    const [after] = take(isSame)
    if (after) return { before, after }
    gone.push(before)
    return []
  })
  // The ones that are left have other constants.
  const changed = gone.flatMap((before) =>
    take(({ type }) => type === before.type).map((after) => ({ before, after })),
  )
  const isGone = (one: Variant) => !changed.some(({ before }) => before === one)
  return { pairs: [...pairs, ...changed], gone: gone.filter(isGone), added: rest }
}

function constantsOf({ const: constant, properties = {} }: Schema): unknown[] {
  const fields = Object.entries(properties).filter(
    ([, field]) => field.const !== undefined || field.enum?.length === 1,
  )
  return [constant, ...fields.map(([name, field]) => [name, field.const ?? field.enum])]
}

function compareVariants(
  walk: Walk,
  direction: Direction,
  at: string,
  pair: { before: Variant; after: Variant },
) {
  const { before, after } = pair
  const { report } = walk
  const values = (schema: Schema) => schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  const [known, kept] = [values(before), values(after)]
  for (const value of known ?? [])
    if (kept && !kept.includes(value)) report(at, `has no value ${value} any more`)
  if (direction === 'request' && !known && kept) report(at, `takes only ${kept.join(', ')}`)
  if (direction === 'response' && before.pattern !== after.pattern && before.pattern !== undefined) {
    report(at, `has the pattern ${after.pattern}`)
  }
  if (direction === 'request') compareBounds(walk, at, pair)
  const next: Compare = (place, inner) => compareSchemas(walk, direction, place, inner)
  if (before.items && after.items) next(`${at}[]`, { before: before.items, after: after.items })
  const [more, moreAfter] = [before.additionalProperties, after.additionalProperties]
  if (typeof more === 'object' && typeof moreAfter === 'object')
    next(`${at}.*`, { before: more, after: moreAfter })
  compareFields(walk, direction, at, pair, next)
}

function compareBounds({ report }: Walk, at: string, { before, after }: Pair): void {
  for (const [bound, sign] of BOUNDS) {
    const [from, to] = [before[bound], after[bound]]
    if (from !== undefined && to !== undefined && sign * to < sign * from)
      report(at, `has the ${bound} ${to}`)
  }
}

function compareFields(
  { report }: Walk,
  direction: Direction,
  at: string,
  { before, after }: Pair,
  next: Compare,
) {
  const isRequired = ({ required = [] }: Schema, name: string) => required.includes(name)
  for (const [name, field] of Object.entries(before.properties ?? {})) {
    const place = `${at}.${name}`
    const fieldAfter = after.properties?.[name]
    if (fieldAfter) next(place, { before: field, after: fieldAfter })
    else report(place, 'was removed')
    if (fieldAfter && direction === 'response' && isRequired(before, name) && !isRequired(after, name)) {
      report(place, 'can be absent')
    }
  }
  for (const name of direction === 'request' ? (after.required ?? []) : []) {
    if (!isRequired(before, name)) report(`${at}.${name}`, 'is required')
  }
}
