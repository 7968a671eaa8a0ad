/** Rules that every answer keeps, whatever was asked. */
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { catalogue } from '../../api/errors.ts'
import { isObject, isRuledOut, type Json } from '../support/hostile.ts'
import type { Operation } from './described.ts'
import { findLeak } from './leaks.ts'
import type { FuzzRequest } from './request.ts'
import type { FuzzAnswer } from './send.ts'

export type Rules = {
  ajv: Ajv2020
  operations: ReadonlyMap<string, Operation>
  /** The schema of each header that the document describes. */
  headers: ReadonlyMap<string, Json>
  secrets: readonly string[]
}

/** Any route may answer these, for they are decided before a route is reached. */
const GENERAL = [204, 400, 401, 404, 405, 413, 415, 429, 503]
/**
 * Statuses that the HTTP server sends by itself, without a body, when the bytes, the target or the host are those of no
 * request.
 */
const UNPARSED = [400, 408, 413, 414, 417, 431]
/** The database and the node are up. */
const OUTAGES = ['DATABASE_UNAVAILABLE', 'CHAIN_UNAVAILABLE', 'NOT_READY']

/** The codes of the answer, none where it is no error. @throws what is wrong with it */
export function checkAnswer(rules: Rules, request: FuzzRequest, answer: FuzzAnswer): string[] {
  const text = answer.body.toString('utf8')
  const leak = findLeak(
    `${[...answer.headers].map((pair) => pair.join(': ')).join('\n')}\n${text}`,
    rules.secrets,
  )
  if (leak) throw new Error(`the answer holds ${leak}`)
  if (request.isChanged && isUnparsed(answer)) return []
  const id = answer.headers.get('x-request-id')
  if (!id) throw new Error(`an answer of status ${answer.status} has no X-Request-Id`)
  checkStatus(rules, request, answer.status)
  if (request.kind === 'rest' && !request.isElsewhere) checkHeaders(rules, answer.headers)
  const isEmpty = request.method === 'HEAD' || answer.status === 204 || answer.status === 304
  if (isEmpty) return checkEmpty(text)
  const codes = codesOf(rules, request, answer, id)
  for (const code of codes) checkCode(code, answer.status)
  return codes
}

function isUnparsed({ status, headers, body }: FuzzAnswer): boolean {
  return UNPARSED.includes(status) && body.length === 0 && !headers.has('x-request-id')
}

function checkHeaders({ ajv, headers }: Rules, sent: FuzzAnswer['headers']): void {
  for (const [name, schema] of headers) {
    const text = sent.get(name.toLowerCase())
    if (text === undefined) continue
    const value = schema.type === 'integer' ? Number(text) : text
    if (isRuledOut(ajv, { path: [], schema }, value)) throw new Error(`${name} is not as described: ${text}`)
  }
}

function checkEmpty(text: string): [] {
  if (text !== '') throw new Error(`a body where there must be none: ${text.slice(0, 99)}`)
  return []
}

function checkStatus({ operations }: Rules, { operation, isElsewhere }: FuzzRequest, status: number): void {
  const own = operations.get(operation)
  const documented = isElsewhere ? [...operations.values()] : own ? [own] : []
  if (status !== 500 && documented.some(({ answers }) => answers.has(status))) return
  if (!GENERAL.includes(status)) throw new Error(`status ${status} is not documented`)
}

function checkCode(code: string, status: number): void {
  if (!Object.hasOwn(catalogue, code)) throw new Error(`the catalogue has no code ${code}`)
  if (OUTAGES.includes(code)) throw new Error(`${code}, while nothing is down`)
  if (code === 'INTERNAL') throw new Error('INTERNAL')
  if (status === 503 && !statusesOf(code).includes(503)) throw new Error(`503 with ${code}`)
}

function statusesOf(code: string): number[] {
  return Object.entries(catalogue).flatMap(([name, { status }]) => (name === code ? [status] : []))
}

function codesOf(rules: Rules, request: FuzzRequest, answer: FuzzAnswer, id: string): string[] {
  const type = answer.headers.get('content-type') ?? ''
  const text = answer.body.toString('utf8')
  if (type === 'application/problem+json') return [checkProblem(rules, JSON.parse(text), answer.status, id)]
  if (request.kind === 'graphql') return graphqlCodes(type, text, answer.status, id)
  if (answer.status >= 400) throw new Error(`an error as ${type}: ${text.slice(0, 99)}`)
  if (request.isElsewhere || type !== 'application/json') return []
  const schema = rules.operations.get(request.operation)?.answers.get(answer.status)
  checkSchema(rules, schema, JSON.parse(text))
  return []
}

function checkProblem(rules: Rules, problem: Json, status: number, id: string): string {
  checkSchema(rules, { $ref: '#/components/schemas/Problem' }, problem)
  const { code, requestId } = problem
  if (problem.status !== status)
    throw new Error(`the problem says ${String(problem.status)}, the status ${status}`)
  if (!statusesOf(String(code)).includes(status)) throw new Error(`${String(code)} with status ${status}`)
  if (requestId !== id) throw new Error('the problem names another request')
  return String(code)
}

function checkSchema({ ajv }: Rules, schema: unknown, value: unknown): void {
  if (!isObject(schema)) throw new Error('the answer is not described')
  const { $ref, ...inline } = schema
  const validate = typeof $ref === 'string' ? ajv.getSchema(`openapi${$ref}`) : compiled(ajv, schema, inline)
  if (!validate) throw new Error(`no schema ${String($ref)}`)
  if (!validate(value)) throw new Error(`not as described: ${ajv.errorsText(validate.errors)}`)
}

const inlineSchemas = new WeakMap<Json, ReturnType<Ajv2020['compile']>>()

/** References of an inline schema are those of the document. */
function compiled(ajv: Ajv2020, key: Json, schema: Json) {
  const found =
    inlineSchemas.get(key) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')))
  inlineSchemas.set(key, found)
  return found
}

function graphqlCodes(type: string, text: string, status: number, id: string): string[] {
  if (type.startsWith('text/html') && status === 200) return []
  const results = type.startsWith('text/event-stream')
    ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']): unknown => JSON.parse(data))
    : [JSON.parse(text)]
  return results.flatMap((result) => resultCodes(result, status, id))
}

function resultCodes(result: unknown, status: number, id: string): string[] {
  if (!isObject(result)) throw new Error('the answer is no GraphQL result')
  const { errors, data } = result
  if (errors === undefined && data === undefined) throw new Error('a result with neither data nor errors')
  if (errors === undefined && status >= 400) throw new Error(`status ${status} without errors`)
  if (errors !== undefined && (!Array.isArray(errors) || errors.length === 0))
    throw new Error('errors is no list')
  const listed: unknown[] = Array.isArray(errors) ? errors : []
  return listed.map((error) => {
    const { message, extensions } = isObject(error) ? error : {}
    if (typeof message !== 'string' || !isObject(extensions))
      throw new Error('an error without message or code')
    if (extensions.requestId !== id) throw new Error('an error without the id of its request')
    return String(extensions.code)
  })
}
