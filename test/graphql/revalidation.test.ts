/** Queries by GET in caches: of browsers, and between them and the gateway. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { getIntrospectionQuery } from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'

const { app, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

const LIST = '{ claims(first: 2) { totalCount nodes { claimId faceValue } } }'
const PLAIN = 'application/json'

type Headers = Readonly<Record<string, string>>

async function send(method: string, query: string, headers: Headers) {
  const init = { method, headers: { Accept: PLAIN, ...headers } }
  if (method === 'GET') return app.request(`${GRAPHQL_PATH}?${new URLSearchParams({ query })}`, init)
  const type = { 'Content-Type': PLAIN }
  const body = JSON.stringify({ query })
  return app.request(GRAPHQL_PATH, { ...init, headers: { ...init.headers, ...type }, body })
}

const get = async (query: string, headers: Headers = {}) => read(await send('GET', query, headers))
const post = async (query: string, headers: Headers = {}) => read(await send('POST', query, headers))

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

describe('introspection', () => {
  const SCHEMA = getIntrospectionQuery()

  it('by GET is revalidated by a weak tag, since each encoding has other bytes', async () => {
    const answer = await get(SCHEMA)
    expect(answer).toMatchObject({ status: 200, caching: 'no-cache' })
    expect(answer.tag).toMatch(/^W\/"[0-9a-f]{64}"$/)
    const unchanged = await get(SCHEMA, { 'If-None-Match': answer.tag, 'Accept-Encoding': 'gzip' })
    expect(unchanged).toEqual({ status: 304, tag: answer.tag, caching: 'no-cache', type: null, text: '' })
  })

  it.each(['GET', 'POST'])(
    'by %s is compressed as the client accepts it, also when it repeats',
    async (method) => {
      const plain = await (method === 'GET' ? get(SCHEMA) : post(SCHEMA)).then(({ text }) => text)
      const encodings = [
        ['br, gzip', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
        ['br, gzip', 'br', brotliDecompressSync],
      ] as const
      for (const [accepted, encoding, decompress] of encodings) {
        const response = await send(method, SCHEMA, { 'Accept-Encoding': accepted })
        expect(response.headers.get('Content-Encoding')).toBe(encoding)
        const body = Buffer.from(await response.arrayBuffer())
        expect(body.length * 8).toBeLessThan(plain.length)
        expect(decompress(body).toString()).toBe(plain)
      }
    },
  )

  it.each([
    ['of one name, which is small', '{ __schema { queryType { name } } }'],
    ['beside rows', `{ claims(first: 200) { nodes { claimId } } ${SCHEMA.slice(SCHEMA.indexOf('__schema'))}`],
  ])('%s is not compressed', async (_, query) => {
    const response = await send('GET', query, { 'Accept-Encoding': 'br, gzip' })
    expect([response.status, response.headers.get('Content-Encoding')]).toEqual([200, null])
    expect(await response.json()).toHaveProperty('data.__schema')
  })
})

it('a query by POST has no tag, and If-None-Match has no effect on it', async () => {
  const answer = await post(LIST)
  expect(answer).toMatchObject({ status: 200, tag: '', caching: 'no-store' })
  expect(await post(LIST, { 'If-None-Match': '*' })).toEqual(answer)
})
