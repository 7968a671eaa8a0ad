/** A plain query is answered without Yoga, and exactly as Yoga answers it. */
import { afterAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/yoga.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const { app, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

const CLAIM = 'query One($id: Hash!) { claim(claimId: $id) { claimId state } }'
const MANY = 'query A { claims(first: 1) { totalCount } } query B { vaults { totalCount } }'
const id = sharedWorld().claimIds[0] ?? ''
const deep = (levels: number) => `${'{ issuer '.repeat(levels)}{ address }${' }'.repeat(levels)}`

const BODIES: readonly (readonly [title: string, body: unknown])[] = [
  ['a list', { query: '{ claims(first: 2) { nodes { claimId faceValue } } }' }],
  ['variables', { query: CLAIM, variables: { id } }],
  ['a name', { query: CLAIM, operationName: 'One', variables: { id } }],
  ['null for what is absent', { query: '{ _meta { __typename } }', operationName: null, variables: null }],
  ['one of two operations', { query: MANY, operationName: 'B' }],
  ['two operations and no name', { query: MANY }],
  ['an unknown name', { query: MANY, operationName: 'C' }],
  ['an empty name', { query: MANY, operationName: '' }],
  ['a syntax error', { query: '{ claims' }],
  ['several faults', { query: '{ nope claims { nope } other vaults { nope } more }' }],
  ['too many fields of one name', { query: `{ ${'_meta { __typename } '.repeat(21)} }` }],
  ['too much depth', { query: `{ claims { nodes { ${deep(15)} } } }` }],
  [
    'too high a cost',
    {
      query:
        '{ claims(first: 200) { nodes { allocations { vault { allocations(first: 200) { nodes { claim { claimId } } } } } } } }',
    },
  ],
  ['a wrong variable', { query: CLAIM, variables: { id: '0x12' } }],
  ['a missing variable', { query: CLAIM }],
  ['variables of a hostile shape', { query: CLAIM, variables: { id: Array(300).fill(1) } }],
  ['variables that are a list', { query: CLAIM, variables: [] }],
  ['an error of a resolver', { query: '{ viewer { address } claims(first: 1) { totalCount } }' }],
  ['an error of a value', { query: '{ claims(first: 1000) { totalCount } }' }],
  ['a mutation', { query: 'mutation { nope }' }],
  ['a subscription', { query: 'subscription { finalizedBlocks { blockNumber } }' }],
  ['introspection', { query: '{ __schema { queryType { name } } }' }],
  ['a comment only', { query: '# nothing' }],
  ['no query', {}],
  ['an empty query', { query: '' }],
  ['a query that is no text', { query: 7 }],
  ['an unknown member', { query: '{ _meta { __typename } }', more: 1 }],
  ['extensions', { query: '{ _meta { __typename } }', extensions: {} }],
  ['a list of requests', [{ query: '{ _meta { __typename } }' }]],
  ['text', 'text'],
  ['nothing', null],
]

const withoutIds = (text: string) => text.replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')

async function answerOf(request: Request) {
  const response = await app.request(request)
  const { status, headers } = response
  const [type, retryAfter] = [headers.get('Content-Type'), headers.get('Retry-After')]
  return { status, type, retryAfter, text: withoutIds(await response.text()) }
}

const URL_OF = `http://localhost${GRAPHQL_PATH}`
const post = (body: string, accept: string, type = 'application/json') =>
  answerOf(new Request(URL_OF, { method: 'POST', headers: { 'Content-Type': type, Accept: accept }, body }))

/** Only Yoga reads further than the first range. */
const byYoga = (mediaType: string) => `x/y, ${mediaType}`

describe.each(['application/json', 'application/graphql-response+json'])('a request for %s', (mediaType) => {
  it.each(BODIES)('with %s has one answer', async (_, body) => {
    const text = JSON.stringify(body)
    expect(await post(text, mediaType)).toEqual(await post(text, byYoga(mediaType)))
  })

  it('with a body that is not JSON has one answer', async () => {
    for (const text of ['{', '', '{"query":"{ _meta { __typename } }"} more'])
      expect(await post(text, mediaType)).toEqual(await post(text, byYoga(mediaType)))
  })

  it.each([
    ['a query', { query: '{ claims(first: 2) { nodes { claimId } } }' }],
    ['variables', { query: CLAIM, variables: JSON.stringify({ id }) }],
    ['a name', { query: MANY, operationName: 'A' }],
    ['variables that are not JSON', { query: CLAIM, variables: '{' }],
    ['empty variables', { query: '{ _meta { __typename } }', variables: '', operationName: '' }],
    ['a mutation', { query: 'mutation { nope }' }],
    ['a fault', { query: '{ nope }' }],
    ['an unknown parameter', { query: '{ _meta { __typename } }', more: '1' }],
    ['nothing', {}],
  ])('by GET with %s has one answer', async (_, parameters) => {
    const url = `${URL_OF}?${new URLSearchParams(Object.entries(parameters))}`
    const get = (accept: string) => answerOf(new Request(url, { headers: { Accept: accept } }))
    expect(await get(mediaType)).toEqual(await get(byYoga(mediaType)))
  })

  it('by GET with a parameter that is given twice has one answer', async () => {
    const url = `${URL_OF}?query=${encodeURIComponent('{ _meta { __typename } }')}&query=${encodeURIComponent('{ nope }')}`
    const get = (accept: string) => answerOf(new Request(url, { headers: { Accept: accept } }))
    expect(await get(mediaType)).toEqual(await get(byYoga(mediaType)))
  })
})

it('any range of Accept is JSON by default, with any charset of the body', async () => {
  const text = JSON.stringify({ query: '{ claims(first: 2) { totalCount } }' })
  const plain = await post(text, 'application/json')
  expect(plain).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' })
  expect(await post(text, '*/*')).toEqual(plain)
  expect(await post(text, 'application/json, text/plain, */*', 'application/json; charset=utf-8')).toEqual(
    plain,
  )
})
