import { gunzipSync } from 'node:zlib'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogue, problemType } from '../../api/errors.ts'
import { stateIntegerFormats } from '../../api/openapi/integers.ts'
import { describeApi, errorTable } from '../../api/openapi/openapi.ts'
import { describedRefusals } from '../support/described-refusals.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { createTestStore } from '../support/store.ts'

let store: TestStore
let app: ReturnType<typeof createGateway>
let document: ReturnType<typeof describeApi>

beforeAll(async () => {
  store = await createTestStore()
  app = createGateway(store)
  document = describeApi(app)
})
afterAll(() => store.stop())

/** The service's own pages, and GraphQL, which describes itself. */
const UNDESCRIBED = /^\/($|schema\.graphql$|llms\.txt$|docs|api\/v1\/(openapi\.json|graphql))/

function operations() {
  return Object.entries(document.paths ?? {}).flatMap(([path, { get, post }]) =>
    Object.entries({ GET: get, POST: post }).flatMap(([method, operation]) =>
      operation ? [{ route: `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, operation }] : [],
    ),
  )
}

/** Whether a type, or a member of a union, is null. */
function isNull(type: unknown): boolean {
  return type === 'null' || (typeof type === 'object' && type !== null && 'type' in type && isNull(type.type))
}

describe('the OpenAPI document', () => {
  it('is served to everyone', async () => {
    const response = await app.request('/api/v1/openapi.json')
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)))
  })

  it('is compressed, and revalidated by its tag', async () => {
    const get = (headers: Record<string, string>) => app.request('/api/v1/openapi.json', { headers })
    const response = await get({ 'Accept-Encoding': 'gzip' })
    expect(response.headers.get('Content-Encoding')).toBe('gzip')
    const text = gunzipSync(await response.arrayBuffer()).toString()
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)))
    const tag = response.headers.get('ETag') ?? ''
    expect((await get({ 'If-None-Match': tag })).status).toBe(304)
  })

  it('passes the linter without a complaint', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: 'openapi.json',
      config,
    })
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    )
  })

  it('describes every route of the router, and no other', () => {
    const registered = app.routes
      .filter(({ method, path }) => method !== 'ALL' && !UNDESCRIBED.test(path))
      .map(({ method, path }) => `${method} ${path}`)
    expect(
      operations()
        .map(({ route }) => route)
        .sort(),
    ).toEqual([...new Set(registered)].sort())
  })

  it('asks for a token exactly where the guard does, and says that it may be refused', async () => {
    for (const { route, operation } of operations()) {
      const [method = '', path = ''] = route.split(' ')
      const isGuarded = (await app.request(path, { method })).status === 401
      expect([route, operation.security]).toEqual([route, isGuarded ? [{ bearer: [] }] : []])
      if (isGuarded) expect(Object.keys(operation.responses ?? {})).toContain('401')
    }
  })

  it('describes every group of routes', () => {
    const described = document.tags?.map(({ name }) => name) ?? []
    const used = operations().flatMap(({ operation }) => operation.tags ?? ['none'])
    expect([...new Set(used)].filter((tag) => !described.includes(tag))).toEqual([])
  })

  it('says of every read how to ask again for nothing', () => {
    for (const { operation } of operations().filter(({ operation }) => operation.tags?.includes('Reads'))) {
      expect(Object.keys(operation.responses ?? {})).toContain('304')
      expect(operation.parameters).toContainEqual(
        expect.objectContaining({ name: 'If-None-Match', in: 'header' }),
      )
    }
  })

  it('documents the headers of the limits in every response except those of probes', () => {
    for (const { route, operation } of operations()) {
      if (route.includes('/health')) continue
      expect(Object.keys(operation.responses ?? {})).toContain('429')
      for (const response of Object.values<{ headers?: object }>(operation.responses ?? {})) {
        expect(Object.keys(response.headers ?? {})).toEqual(
          expect.arrayContaining(['RateLimit', 'RateLimit-Policy']),
        )
      }
    }
  })

  it('has the parameter of a minimum block where a request can wait for one, with the error of the wait', () => {
    for (const { route, operation } of operations()) {
      // Probes state the lag and wait for nothing.
      if (route.includes('/health')) continue
      const parameters = operation.parameters?.filter((one) => 'name' in one && one.name === 'X-Min-Block')
      const refusals = JSON.stringify(operation.responses?.['503'] ?? {})
      for (const code of ['PROJECTION_BEHIND', 'CHAIN_BEHIND']) {
        const isNamed = JSON.stringify(parameters ?? []).includes(code)
        expect([route, code, isNamed]).toEqual([route, code, refusals.includes(code)])
      }
    }
  })

  it('documents the headers of an answer by its status', () => {
    for (const { route, operation } of operations()) {
      const isRevalidated = Object.keys(operation.responses ?? {}).includes('304')
      for (const [status, response] of Object.entries<{ headers?: object }>(operation.responses ?? {})) {
        const named = Object.keys(response.headers ?? {})
        expect([route, status, named.includes('Retry-After')]).toEqual([
          route,
          status,
          ['429', '503'].includes(status),
        ])
        expect([route, status, named.includes('WWW-Authenticate')]).toEqual([route, status, status === '401'])
        const isTagged = isRevalidated && ['200', '304'].includes(status)
        expect([route, status, named.includes('ETag')]).toEqual([route, status, isTagged])
        if (isTagged) expect(named).toContain('X-Finalized-Through')
        expect(named).toContain('X-Request-Id')
      }
    }
  })

  it('states the format of an integer by its range', () => {
    const integer = (maximum: number, minimum = 0) => ({ type: 'integer', minimum, maximum })
    const schema = {
      small: integer(2 ** 31 - 1, -(2 ** 31)),
      large: integer(2 ** 31),
      negative: integer(0, -(2 ** 31) - 1),
      nullable: { ...integer(5), type: ['integer', 'null'] },
      list: [{ items: integer(1) }],
      unbounded: { type: 'integer', minimum: 0 },
      decimal: { type: 'number', minimum: 0, maximum: 1 },
    }
    stateIntegerFormats(schema)
    expect(JSON.parse(JSON.stringify(schema, (_, value) => value?.format ?? value))).toMatchObject({
      ...{ small: 'int32', large: 'int64', negative: 'int64', nullable: 'int32', list: [{ items: 'int32' }] },
      ...{ unbounded: { type: 'integer' }, decimal: { type: 'number' } },
    })
  })

  it('lists every error of the catalogue, at the place that problems link to', () => {
    const description = document.info.description ?? ''
    for (const [code, { status, title }] of Object.entries(catalogue)) {
      expect(description).toContain(`| [\`${code}\`](/docs/errors/${code}) | ${status} | ${title} |`)
      expect(errorTable()).toContain(`| \`${code}\` | ${status} | ${title} |`)
    }
    expect(problemType('RATE_LIMITED')).toBe('/docs/errors/RATE_LIMITED')
  })

  it('names every refusal of the catalogue where a request can meet it', async () => {
    // Session cookies have refusals of their own.
    const withCookies = createGateway(store, { env: { SESSION_COOKIES: 'on' } })
    const met = new Set(Object.values(await describedRefusals(withCookies)).flat())
    const refusals = Object.entries(catalogue).filter(([, { status }]) => [403, 409, 422].includes(status))
    expect(refusals.map(([code]) => code).filter((code) => !met.has(code))).toEqual([])
  })

  it('has amounts as the named schema, also where they have a description of their own', () => {
    const remainingFace =
      '"remainingFace":{"$ref":"#/components/schemas/Money","description":"Face that is not financed, base units."}'
    expect(JSON.stringify(document.components?.schemas)).toContain(remainingFace)
    // An intersection is of two types of objects, never of a named type and annotations.
    expect(JSON.stringify(document)).not.toMatch(/"allOf":\[\{"\$ref":"[^"]*"\},\{"(?!type":"object")/)
  })

  it('nowhere asks for null and something else at once', () => {
    const contradictions: unknown[] = []
    JSON.stringify(document, (name, value: unknown) => {
      // Only the members themselves are checked: a field of one can be null.
      const members = name === 'allOf' && Array.isArray(value) ? value : []
      contradictions.push(...members.filter(({ type, anyOf }) => [type, anyOf].flat().some(isNull)))
      return value
    })
    expect(contradictions).toEqual([])
  })

  it('comes out the same every time', () => {
    expect(describeApi(createGateway(store))).toEqual(document)
    expect(describeApi(app)).toEqual(document)
  })
})
