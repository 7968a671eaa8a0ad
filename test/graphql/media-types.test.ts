/** A request has one answer: as JSON of either type, and as an event. */
import { afterAll, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const { app, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

const CLAIM = 'query One($id: Hash!) { claim(claimId: $id) { claimId state } }'
const MANY = 'query A { claims(first: 1) { totalCount } } query B { vaults { totalCount } }'
const id = sharedWorld().claimIds[0] ?? ''
const DEEP = `{ claims { nodes { ${'allocations { claim { '.repeat(8)}claimId${' } }'.repeat(8)} } } }`

/** With the code of the error, and the status for clients of the newer media type. */
type Case = readonly [
  title: string,
  request: Record<string, unknown>,
  code: string | undefined,
  status: number,
]

const CASES: readonly Case[] = [
  ['a list', { query: '{ claims(first: 2) { nodes { claimId faceValue } } }' }, undefined, 200],
  ['variables', { query: CLAIM, variables: { id } }, undefined, 200],
  ['a name', { query: CLAIM, operationName: 'One', variables: { id } }, undefined, 200],
  ['one of two operations', { query: MANY, operationName: 'B' }, undefined, 200],
  ['extensions', { query: '{ _meta { __typename } }', extensions: {} }, undefined, 200],
  ['introspection', { query: '{ __schema { queryType { name } } }' }, undefined, 200],
  ['two operations and no name', { query: MANY }, 'VALIDATION_FAILED', 400],
  ['an unknown name', { query: MANY, operationName: 'C' }, 'VALIDATION_FAILED', 400],
  ['an empty name', { query: MANY, operationName: '' }, 'VALIDATION_FAILED', 400],
  ['a syntax error', { query: '{ claims' }, 'GRAPHQL_PARSE_FAILED', 400],
  ['a comment only', { query: '# nothing' }, 'GRAPHQL_PARSE_FAILED', 400],
  ['several faults', { query: '{ nope claims { nope } other }' }, 'GRAPHQL_VALIDATION_FAILED', 400],
  [
    'too many fields of one name',
    { query: `{ ${'_meta { __typename } '.repeat(21)} }` },
    'QUERY_TOO_COMPLEX',
    400,
  ],
  ['too much depth', { query: DEEP }, 'QUERY_TOO_COMPLEX', 400],
  ['a wrong variable', { query: CLAIM, variables: { id: '0x12' } }, 'VALIDATION_FAILED', 400],
  ['a missing variable', { query: CLAIM }, 'VALIDATION_FAILED', 400],
  ['a value beyond its range', { query: '{ claims(first: 1000) { totalCount } }' }, 'VALIDATION_FAILED', 400],
  ['a mutation', { query: 'mutation { nope }' }, 'VALIDATION_FAILED', 400],
  ['a field that fails', { query: '{ viewer { address } }' }, 'UNAUTHENTICATED', 200],
]

const withoutIds = (text: string) => text.replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')

const URL_OF = `http://localhost${GRAPHQL_PATH}`
const PLAIN = 'application/json'
const NEW = 'application/graphql-response+json'
const EVENTS = 'text/event-stream'

async function answerOf(accept: string, init: RequestInit, search = '') {
  const headers = { ...init.headers, Accept: accept }
  const response = await app.request(URL_OF + search, { ...init, headers })
  const text = withoutIds(await response.text())
  return { status: response.status, type: response.headers.get('Content-Type'), text }
}

const post = (request: unknown, accept: string, type = PLAIN) =>
  answerOf(accept, { method: 'POST', headers: { 'Content-Type': type }, body: JSON.stringify(request) })

function get(request: Record<string, unknown>, accept: string) {
  const parameters = Object.entries(request).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return answerOf(accept, {}, `?${new URLSearchParams(parameters)}`)
}

const codeOf = (text: string) => JSON.parse(text).errors?.[0].extensions.code

it.each(CASES)('%s has one answer, by POST and by GET', async (_, request, code, status) => {
  const { text } = await post(request, PLAIN)
  expect(codeOf(text)).toBe(code)
  for (const send of [post, get]) {
    expect(await send(request, PLAIN)).toEqual({ status: 200, type: `${PLAIN}; charset=utf-8`, text })
    expect(await send(request, NEW)).toEqual({ status, type: `${NEW}; charset=utf-8`, text })
    const events = `:\n\nevent: next\ndata: ${text}\n\nevent: complete\ndata:\n\n`
    expect(await send(request, EVENTS)).toEqual({ status: 200, type: EVENTS, text: events })
  }
})

it('each operation of a document has its own answer', async () => {
  const query =
    'query One { vaults(first: 1) { totalCount } } query Other { vaults(first: 1) { nodes { name } } }'
  const own = async (operationName: string) =>
    JSON.parse((await post({ query, operationName }, PLAIN)).text).data
  const one = { vaults: { totalCount: expect.any(Number) } }
  for (const _ of Array(2)) {
    expect(await own('One')).toEqual(one)
    expect(await own('Other')).toEqual({ vaults: { nodes: [{ name: expect.any(String) }] } })
  }
})

it('null stands for what is absent', async () => {
  const query = '{ _meta { __typename } }'
  const nothing = { documentId: null, operationName: null, variables: null, extensions: null }
  const { text } = await post({ query, ...nothing }, PLAIN)
  expect(text).toBe((await post({ query }, PLAIN)).text)
})

it.each([
  ['variables that are no JSON', { query: CLAIM, variables: '{' }],
  ['empty variables', { query: '{ _meta { __typename } }', variables: '' }],
  ['an unknown parameter', { query: '{ _meta { __typename } }', more: '1' }],
  ['an empty query', { query: '' }],
  ['nothing', {}],
])('a GET with %s is refused with JSON', async (_, request) => {
  for (const accept of [PLAIN, NEW, EVENTS]) {
    const { status, type, text } = await get(request, accept)
    expect([status, codeOf(text)]).toEqual([400, 'VALIDATION_FAILED'])
    expect(type).toBe(`${accept === NEW ? NEW : PLAIN}; charset=utf-8`)
  }
})

it('a parameter of a GET that is given twice has its first value', async () => {
  const query = '{ _meta { __typename } }'
  const search = `?${new URLSearchParams([
    ['query', query],
    ['query', '{ nope }'],
  ])}`
  expect(await answerOf(PLAIN, {}, search)).toEqual(await get({ query }, PLAIN))
})

it('is JSON wherever a client accepts JSON, with any charset of the body', async () => {
  const request = { query: '{ claims(first: 2) { totalCount } }' }
  const plain = await post(request, PLAIN)
  expect(plain).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' })
  const accepted = [
    '*/*',
    'x/y, application/json',
    'application/json, text/plain, */*',
    'text/html, */*;q=0.8',
    'application/*',
  ]
  for (const accept of [...accepted, 'text/event-stream, application/json', 'text/event-stream, */*'])
    expect(await post(request, accept, 'application/json; charset=utf-8')).toEqual(plain)
  for (const type of ['Application/JSON', 'application/json ;charset=utf-8'])
    expect(await post(request, PLAIN, type)).toEqual(plain)
})

it('is one event for a client that accepts any text', async () => {
  const request = { query: '{ claims(first: 2) { totalCount } }' }
  expect(await post(request, 'text/*')).toEqual(await post(request, EVENTS))
})

it.each(['', 'x/y', 'text/html', 'multipart/mixed', 'text/event-stream;q=0'])(
  'a client that accepts only "%s" is refused',
  async (accept) => {
    const { status, text } = await post({ query: '{ __typename }' }, accept)
    expect([status, codeOf(text)]).toEqual([400, 'VALIDATION_FAILED'])
  },
)
