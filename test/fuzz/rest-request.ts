/** A request of a described operation: as described, or with one to three of its parts changed. */
import { type Leaf, leaves, withPart } from '../support/hostile.ts'
import type { Operation, Parameter } from './described.ts'
import { type Draw, oneIn, pick } from './draw.ts'
import { encodeJson, hostileJson, hostileText } from './hostile-json.ts'
import type { FuzzRequest } from './request.ts'
import { fitting, type Sources } from './schema-values.ts'

type Part = { parameter: Parameter; text: string }
type Draft = { parts: readonly Part[]; body: unknown }

export function restRequest(draw: Draw, sources: Sources, operation: Operation): FuzzRequest {
  const described = describedDraft(draw, sources, operation)
  const isChanged = oneIn(draw, 2)
  const draft = isChanged ? changed(draw, sources, operation, described) : described
  return { ...written(operation, draft), isChanged }
}

function describedDraft(draw: Draw, sources: Sources, { parameters, body }: Operation): Draft {
  const chosen = parameters.filter(({ required }) => required || oneIn(draw, 4))
  return {
    parts: chosen.map((parameter) => ({ parameter, text: parameterText(draw, sources, parameter) })),
    body: body && (body.required || oneIn(draw, 2)) ? fitting(draw, sources, body.schema) : undefined,
  }
}

/** Filters of exports are JSON of an undescribed shape: an empty one fits each of them. */
function parameterText(draw: Draw, sources: Sources, { name, schema }: Parameter): string {
  if (schema.contentMediaType === 'application/json') return pick(draw, ['{}', '{"AND":[]}', '{"AND":[{}]}'])
  const value = fitting(draw, sources, schema, name)
  return Array.isArray(value) ? value.join(',') : String(value)
}

function changed(draw: Draw, sources: Sources, operation: Operation, draft: Draft): Draft {
  const others = oneIn(draw, 3) ? changed(draw, sources, operation, draft) : draft
  const { parts, body } = others
  const places = operation.parameters
  const leavesOfBody: Leaf[] = operation.body ? leaves(operation.body.schema, sources.document) : []
  const unknown: Parameter = {
    place: 'query',
    name: hostileText(draw).slice(0, 99),
    schema: {},
    required: false,
  }
  const changes: (() => Draft)[] = [
    () => ({ parts: [...parts, { parameter: unknown, text: hostileText(draw) }], body }),
  ]
  if (places.length > 0) {
    const parameter = pick(draw, places)
    const rest = parts.filter((part) => part.parameter !== parameter)
    changes.push(
      () => ({ parts: [...rest, { parameter, text: hostileText(draw) }], body }),
      () => ({ parts: [...parts, { parameter, text: hostileText(draw) }], body }),
      () => ({ parts: rest, body }),
    )
  }
  if (leavesOfBody.length > 0) {
    const { path } = pick(draw, leavesOfBody)
    changes.push(
      () => ({ parts, body: withPart(body, path, hostileJson(draw)) }),
      () => ({ parts, body: withPart(body, [...path, 'unknown'], hostileJson(draw)) }),
      () => ({ parts, body: withPart(body, [...path.slice(0, -1), hostileText(draw)], hostileJson(draw)) }),
      () => ({ parts, body: hostileJson(draw) }),
      () => ({ parts, body: undefined }),
    )
  }
  return pick(draw, changes)()
}

function written(operation: Operation, { parts, body }: Draft): FuzzRequest {
  const at = (place: Parameter['place']) => parts.filter(({ parameter }) => parameter.place === place)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const part = at('path').findLast(({ parameter }) => parameter.name === name)
    return percentEncoded(part?.text ?? '')
  })
  const query = at('query').map(
    ({ parameter, text }) => `${percentEncoded(parameter.name)}=${percentEncoded(text)}`,
  )
  const headers = at('header').map(({ parameter, text }) => [parameter.name, headerText(text)] as const)
  return {
    operation: operation.name,
    kind: operation.kind,
    method: operation.method,
    target: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: body === undefined ? headers : [...headers, ['Content-Type', 'application/json']],
    body: body === undefined ? undefined : Buffer.from(encodeJson(body)),
    isChanged: false,
    isRaw: false,
    mayGoUnanswered: false,
    isElsewhere: false,
  }
}

/** The longest part of a target; Node refuses longer ones before the gateway sees them. */
const TEXT_MAX = 6_000

/** Lone surrogates have no encoding of their own: they become U+FFFD. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.slice(0, TEXT_MAX).toWellFormed()).slice(0, TEXT_MAX)
}

/** The characters of the text that an HTTP client agrees to write into a header. */
function headerText(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, TEXT_MAX)
}
