/** Queries by GET in caches: of browsers, and between them and the gateway. */
import { afterAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const { app, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

const LIST = '{ claims(first: 2) { totalCount nodes { claimId faceValue } } }'
const PLAIN = 'application/json'

type Headers = Readonly<Record<string, string>>

async function get(query: string, headers: Headers = {}) {
  const path = `${GRAPHQL_PATH}?${new URLSearchParams({ query })}`
  return read(await app.request(path, { headers: { Accept: PLAIN, ...headers } }))
}

async function post(query: string, headers: Headers = {}) {
  const init = { method: 'POST', headers: { Accept: PLAIN, 'Content-Type': PLAIN, ...headers } }
  return read(await app.request(GRAPHQL_PATH, { ...init, body: JSON.stringify({ query }) }))
}

async function read(response: Response) {
  const [tag, caching, type] = ['ETag', 'Cache-Control', 'Content-Type'].map((name) =>
    response.headers.get(name),
  )
  return { status: response.status, tag: tag ?? '', caching, type, text: await response.text() }
}

describe('a query by GET', () => {
  it('is revalidated by its tag: 304 without a body, with the headers of the answer', async () => {
    const answer = await get(LIST)
    expect(answer).toMatchObject({ status: 200, caching: 'no-cache' })
    expect(answer.tag).toMatch(/^"[0-9a-f]{64}"$/)
    for (const named of [answer.tag, `W/${answer.tag}`, `"another", ${answer.tag}`, '*']) {
      const unchanged = await get(LIST, { 'If-None-Match': named })
      expect(unchanged).toEqual({ status: 304, tag: answer.tag, caching: 'no-cache', type: null, text: '' })
    }
    expect(await get(LIST, { 'If-None-Match': '"another"' })).toEqual(answer)
  })

  it('has a tag of its own for each answer and each media type', async () => {
    const other = await get(LIST, { Accept: 'application/graphql-response+json' })
    const [one, two] = [await get(LIST), await get(LIST.replace('2', '3'))]
    expect(other.text).toBe(one.text)
    expect(new Set([one.tag, two.tag, other.tag]).size).toBe(3)
  })

  it.each([
    ['of the schema', '{ __schema { queryType { name } } }', PLAIN],
    ['with an error of a resolver', '{ viewer { address } claims(first: 1) { totalCount } }', PLAIN],
    ['that cannot be parsed', '{ claims', PLAIN],
    ['that is no field', '{ nope }', PLAIN],
    ['that is a mutation', 'mutation { nope }', PLAIN],
    ['that is empty', '', PLAIN],
  ])('%s is stored by no cache', async (_, query, accept) => {
    const answer = await get(query, { Accept: accept, 'If-None-Match': '*' })
    expect(answer).toMatchObject({ tag: '', caching: 'no-store' })
    expect(answer.text).not.toBe('')
  })
})

it('a query by POST has no tag, and If-None-Match has no effect on it', async () => {
  const answer = await post(LIST)
  expect(answer).toMatchObject({ status: 200, tag: '', caching: 'no-store' })
  expect(await post(LIST, { 'If-None-Match': '*' })).toEqual(answer)
})
