/**
 * Every field of every endpoint that the API describes, with all that a careless or hostile caller may put there. A new
 * endpoint is in here by being described.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue } from '../../api/errors.ts'
import {
  EDGES,
  HOSTILE,
  isObject,
  isRuledOut,
  type Json,
  type Leaf,
  leaves,
  resolve,
  WRONG_CHECKSUM,
  withPart,
} from '../support/hostile.ts'
import { signIn } from '../support/sign-in.ts'
import { sharedAccount, sharedWorld } from '../support/world.ts'
import { type ReadGateway, startReadGateway } from './gateway.ts'

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)

let gateway: ReadGateway
let document: Json
let authorization: string
beforeAll(async () => {
  gateway = await startReadGateway()
  document = await (await gateway.get('/openapi.json')).json()
  const wallet = privateKeyToAccount(sharedAccount('wallet-1').privateKey)
  authorization = `Bearer ${await signIn(gateway.app, wallet)}`
})
afterAll(() => gateway.stop())

type Place = 'path' | 'query' | 'header' | 'body'
type Field = Leaf & { place: Place }
type Operation = { method: string; path: string; described: Json; fields: Field[] }

function operations(): Operation[] {
  const paths = isObject(document.paths) ? document.paths : {}
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, described]) =>
      isObject(described) ? [{ method, path, described, fields: fieldsOf(described) }] : [],
    ),
  )
}

/** All fields; of those that exports share, in both formats, each once, for one piece of code reads them all. */
function triedFields(): [Operation, Field][] {
  const all = operations().flatMap((operation) =>
    operation.fields.map((field): [string, [Operation, Field]] => {
      const path = operation.path.replace(/(?<=\/exports\/)\w+\.\w+/, '{list}')
      return [`${operation.method} ${path} ${field.place} ${field.path.join('.')}`, [operation, field]]
    }),
  )
  return [...new Map(all).values()]
}

function fieldsOf({ parameters, requestBody }: Json): Field[] {
  const listed = Array.isArray(parameters) ? parameters.map((entry) => resolve(entry, document)) : []
  const ofParameters = listed.flatMap((parameter): Field[] => {
    const { in: place, name } = parameter
    if (place !== 'path' && place !== 'query' && place !== 'header') return []
    return [{ place, path: [String(name)], schema: resolve(parameter.schema, document) }]
  })
  const ofBody = leaves(bodySchema(requestBody), document).filter(({ path }) => path.length > 0)
  return [...ofParameters, ...ofBody.map((leaf) => ({ ...leaf, place: 'body' as const }))]
}

function bodySchema(requestBody: unknown): unknown {
  const content = resolve(requestBody, document).content
  const json = isObject(content) ? content['application/json'] : undefined
  return isObject(json) ? json.schema : undefined
}

/** Something that is right for a field, of the world that is really there. */
function fitting({ schema, path }: Leaf): unknown {
  const { vaults, claimIds } = sharedWorld()
  const samples = [
    vaults[0],
    claimIds[0],
    '1000000',
    new Date(Date.now() + 864e5).toISOString(),
    `0x${'11'.repeat(65)}`,
  ]
  const candidates = [schema.const, schema.default, ...samples, schema.example, 1, true]
  const [option] = Array.isArray(schema.enum) ? schema.enum : []
  const found = [option, ...candidates].find(
    (value) => value !== undefined && !isRuledOut(ajv, { path, schema }, value),
  )
  if (found === undefined) throw new Error(`no sample fits ${path.join('.')}: ${JSON.stringify(schema)}`)
  return found
}

function send({ method, path, fields }: Operation, target: Field, value: unknown): Promise<Response> {
  const url = new URL(`http://gateway${path}`)
  const headers = new Headers({ Authorization: authorization })
  let body: unknown
  for (const field of fields) {
    const isTarget = field === target
    if (!isTarget && field.place !== 'path' && field.place !== 'body') continue
    const part = isTarget ? value : fitting(field)
    const name = String(field.path[0])
    if (field.place === 'path')
      url.pathname = url.pathname.replace(encodeURI(`{${name}}`), encodeURIComponent(String(part)))
    else if (field.place === 'query') url.searchParams.set(name, String(part))
    else if (field.place === 'header') headers.set(name, String(part))
    else body = withPart(body, field.path, part)
  }
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const init = {
    method: method.toUpperCase(),
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  return Promise.resolve(gateway.app.request(url.pathname + url.search, init))
}

/** Keywords by which two fields are alike, besides their place. */
const LIKENESS = ['type', 'format', 'pattern', 'enum', 'const', 'minimum', 'maximum', 'maxLength', 'items']

/** Kinds of field of which one has been given every value. */
const tried = new Set<string>()

/** All values for the first field of a kind, the edges for others like it. */
function valuesFor(field: Field): unknown[] {
  const kind = `${field.place} ${JSON.stringify(field.schema, LIKENESS)}`
  const values = tried.has(kind) ? EDGES : [...HOSTILE, WRONG_CHECKSUM]
  tried.add(kind)
  return values.filter((value) => canStand(field, value))
}

/** Whether the value can stand there at all: a path is never empty; a header has no control and no wide characters. */
function canStand({ place }: Field, value: unknown): boolean {
  if (place === 'body') return true
  if (typeof value === 'object') return false
  const text = String(value)
  if (place === 'header') return /^[\x20-\x7e]+$/.test(text)
  return place === 'query' || !/^$|^\.|\//.test(text)
}

function isAddress({ schema }: Leaf): boolean {
  return typeof schema.pattern === 'string' && /\{40\}/.test(schema.pattern)
}

function isRefusedByDescription(field: Field, value: unknown): boolean {
  if (field.place === 'body')
    return isRuledOut(ajv, field, value) || (isAddress(field) && value === WRONG_CHECKSUM)
  return isAddress(field) && (value === WRONG_CHECKSUM || isRuledOut(ajv, field, value))
}

describe('every field of every endpoint', () => {
  it('answers whatever is sent there as it is documented, and what the description rules out with a 400', async () => {
    const seen = new Set<string>()
    for (const [operation, field] of triedFields()) {
      const documented = Object.keys(
        isObject(operation.described.responses) ? operation.described.responses : {},
      )
      for (const value of valuesFor(field)) {
        const response = await send(operation, field, value)
        const where = `${operation.method} ${operation.path} ${field.path.join('.')} = ${JSON.stringify(value)?.slice(0, 80)}`
        expect(documented, where).toContain(String(response.status))
        expect(response.status, where).toBeLessThan(500)
        const text = await response.text()
        if (isRefusedByDescription(field, value)) expect(response.status, where).toBe(400)
        if (response.status >= 400) expect(Object.keys(catalogue), where).toContain(JSON.parse(text).code)
      }
      seen.add(operation.path)
    }
    expect(seen.size).toBeGreaterThan(6)
  })

  it('is joined by no field that nobody knows: a misspelt bound must not lift it', async () => {
    for (const operation of operations().filter(({ fields }) =>
      fields.some(({ place }) => place === 'body'),
    )) {
      const misspelt: Field = { place: 'body', path: ['maxTotalCosts'], schema: {} }
      const response = await send({ ...operation, fields: [...operation.fields, misspelt] }, misspelt, '1')
      const { code, errors } = await response.json()
      expect([operation.path, response.status, code]).toEqual([operation.path, 400, 'VALIDATION_FAILED'])
      expect(JSON.stringify(errors)).toContain('maxTotalCosts')
    }
  })
})
