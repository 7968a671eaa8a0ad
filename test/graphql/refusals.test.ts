import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { createDatabase } from '../support/postgres.ts'
import { assertProperty } from '../support/property.ts'
import { sharedWorld } from '../support/world.ts'
import { type Answer, createClient } from './client.ts'

const { app, ask, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

const NEW = 'application/graphql-response+json'
const post = (body: unknown, accept = NEW) =>
  app.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

function codes({ errors = [] }: Answer): string[] {
  return errors.map(({ extensions }) => extensions.code)
}

describe('what is malformed', () => {
  const cases: [title: string, body: unknown, status: number, code: string][] = [
    ['a body that is not JSON', '{', 400, 'VALIDATION_FAILED'],
    ['no query', {}, 400, 'VALIDATION_FAILED'],
    ['a query that is no text', { query: 7 }, 400, 'VALIDATION_FAILED'],
    ['a batch', [{ query: '{ __typename }' }, { query: '{ __typename }' }], 400, 'VALIDATION_FAILED'],
    ['a syntax error', { query: '{ claims' }, 400, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', { query: '{ nope }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'an unknown argument',
      { query: '{ claims(limit: 3) { totalCount } }' },
      400,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'an unknown filter',
      { query: '{ claims(filter: { nope: 1 }) { totalCount } }' },
      400,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'a missing variable',
      { query: 'query ($id: Hash!) { claim(claimId: $id) { id } }' },
      400,
      'VALIDATION_FAILED',
    ],
    [
      'a malformed id in a variable',
      { query: 'query ($id: Hash!) { claim(claimId: $id) { id } }', variables: { id: '0x12' } },
      400,
      'VALIDATION_FAILED',
    ],
    [
      'an address with a wrong checksum',
      {
        query: 'query ($a: Address!) { account(address: $a) { id } }',
        variables: { a: '0x70997970C51812dc3A010C7d01b50e0d17dc79c8' },
      },
      400,
      'VALIDATION_FAILED',
    ],
    [
      'a malformed id in the text',
      { query: '{ claim(claimId: "0x12") { id } }' },
      400,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'an amount that is a number',
      { query: '{ claims(filter: { faceValue: 5 }) { totalCount } }' },
      400,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'an amount above 2^256-1',
      { query: `{ claims(filter: { faceValue: "${2n ** 256n}" }) { totalCount } }` },
      400,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'an operation name that there is not',
      { query: 'query A { __typename }', operationName: 'B' },
      400,
      'VALIDATION_FAILED',
    ],
  ]
  for (const [title, body, status, code] of cases) {
    it(`is a ${status} ${code}: ${title}`, async () => {
      const response = await post(body)
      const answer: Answer = await response.json()
      expect({ status: response.status, codes: codes(answer) }).toEqual({ status, codes: [code] })
      expect(answer.errors?.[0].message).not.toBe('')
      expect(answer.errors?.[0].extensions.requestId).toMatch(/^[\w-]{8,}$/)
      expect(answer.data).toBeUndefined()
    })
  }

  it('is located in the document where a literal is malformed', async () => {
    for (const [type, literal] of [
      ['vault(address: ', '"0x12"'],
      ['claim(claimId: ', '"0x12"'],
      ['claims(filter: { faceValue: ', '5'],
    ] as const) {
      const query = `{ ${type}${literal}${type.includes('{') ? ' }' : ''}) { __typename } }`
      const { errors } = await ask(query)
      expect([query, errors?.map(({ locations }) => locations)]).toEqual([
        query,
        [[{ line: 1, column: type.length + 3 }]],
      ])
    }
  })

  it.each(['{', '[]'])('is named where the body is no JSON object: %s', async (body) => {
    const { errors }: Answer = await (await post(body)).json()
    expect(errors?.map(({ message }) => message)).toEqual([
      'The body is not a JSON object. Send a JSON object with a query.',
    ])
  })

  const fields: [title: string, query: string, path: string][] = [
    ['a page of none', '{ claims(first: 0) { totalCount } }', 'first'],
    ['a page of less than none', '{ claims(last: -1) { totalCount } }', 'last'],
    ['a page of more than 200', '{ claims(first: 201) { totalCount } }', 'first'],
    ['both directions at once', '{ claims(first: 1, last: 1) { totalCount } }', 'last'],
    ['a foreign cursor', '{ claims(after: "bm9wZQ") { totalCount } }', 'after'],
    ['a foreign cursor from the end', '{ claims(last: 3, before: "!") { totalCount } }', 'before'],
    ['a global id with a null byte', `{ node(id: "${btoa('Claim:\0')}") { id } }`, 'id'],
    [
      'a filter that nests too deep',
      `{ claims(filter: ${'{ AND: ['.repeat(6)}{ state: ELIGIBLE }${']}'.repeat(6)}) { totalCount } }`,
      'filter',
    ],
  ]
  for (const [title, query, path] of fields) {
    it(`names the field at fault: ${title}`, async () => {
      const answer = await ask(query)
      expect(codes(answer)).toEqual(['VALIDATION_FAILED'])
      expect(answer.errors?.[0].extensions.errors).toEqual([{ path, message: expect.any(String) }])
    })
  }

  it('is never a masked failure, whatever the cursors, ids and texts', async () => {
    const query = `query ($after: String, $id: ID!, $hash: Hash!) {
      claims(first: 1, after: $after) { nodes { claimId } } node(id: $id) { id } claim(claimId: $hash) { claimId } }`
    await assertProperty(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.string(),
        async (after, id, hash) => {
          const answer = await ask(query, { after, id: btoa(`Claim:${encodeURIComponent(id)}`), hash })
          expect(codes(answer)).not.toContain('INTERNAL')
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('what asks for too much', () => {
  const fragments = Array.from(
    { length: 14 },
    (_, i) => `fragment F${i} on Claim { allocations { claim { ...F${i + 1} } } }`,
  )
  const cases: [title: string, query: string, code: string][] = [
    [
      'depth',
      `{ claim(claimId: "0x${'0'.repeat(64)}") { ${'allocations { claim { '.repeat(8)} claimId ${'} }'.repeat(8)} } }`,
      'QUERY_TOO_COMPLEX',
    ],
    [
      'depth by fragments',
      `{ claims(first: 1) { nodes { ...F0 } } } ${fragments.join(' ')} fragment F14 on Claim { claimId }`,
      'QUERY_TOO_COMPLEX',
    ],
    [
      'cost',
      '{ vaults(first: 200) { nodes { allocations(first: 200) { nodes { faceAmount } } } } }',
      'QUERY_TOO_COMPLEX',
    ],
    [
      'aliases',
      `{ ${Array.from({ length: 31 }, (_, i) => `a${i}: __typename`).join(' ')} }`,
      'QUERY_TOO_COMPLEX',
    ],
    [
      'root fields',
      `{ ${Array.from({ length: 13 }, (_, i) => `a${i}: claims(first: ${i + 1}) { totalCount }`).join(' ')} }`,
      'QUERY_TOO_COMPLEX',
    ],
    ['tokens', `{ ${'__typename '.repeat(2001)} }`, 'GRAPHQL_PARSE_FAILED'],
  ]
  for (const [title, query, code] of cases) {
    it(`is refused before anything is read: ${title}`, async () => {
      const response = await post({ query })
      expect(response.status).toBe(400)
      const answer: Answer = await response.json()
      expect(codes(answer)).toEqual([code])
      expect(answer.data).toBeUndefined()
    })
  }

  it('is refused in the operation that is run, wherever it stands in the document', async () => {
    const query = `query Small { __typename } query Large { vaults(first: 200) { nodes { allocations(first: 200) { nodes { faceAmount } } } } }`
    const large = await (await post({ query, operationName: 'Large' })).json()
    expect(codes(large)).toEqual(['QUERY_TOO_COMPLEX'])
    const small = await (await post({ query, operationName: 'Small' })).json()
    expect(small.data).toEqual({ __typename: 'Query' })
  })
})

describe('while there is nothing to read', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  it('answers 503 NOT_READY with Retry-After, and introspects all the same', async () => {
    const unready = createClient(database.url)
    const response = await unready.app.request(GRAPHQL_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: NEW },
      body: JSON.stringify({ query: '{ claims { totalCount } }' }),
    })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(codes(await response.json())).toEqual(['NOT_READY'])
    expect((await unready.ask('{ __typename }')).data).toEqual({ __typename: 'Query' })
    await unready.stop()
  })

  it('answers 503 DATABASE_UNAVAILABLE while Postgres is away', async () => {
    const away = createClient('postgres://nobody@127.0.0.1:1/none')
    const answer = await away.ask('{ claims { totalCount } }')
    expect(codes(answer)).toEqual(['DATABASE_UNAVAILABLE'])
    expect(JSON.stringify(answer)).not.toContain('ECONNREFUSED')
    await away.stop()
  })
})

describe('a bug of ours', () => {
  it('is masked, with the request id and nothing else', async () => {
    const broken = createClient(sharedWorld().databaseUrl)
    broken.pool.on('acquire', (client) => {
      Object.assign(client, { query: () => Promise.reject(new Error('secret detail')) })
    })
    const answer = await broken.ask('{ claims { totalCount } }')
    expect(codes(answer)).toEqual(['INTERNAL'])
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(answer.errors?.[0].message).toContain('requestId')
    await broken.stop()
  })
})

describe('what HTTP itself refuses', () => {
  const ofQuery = (parameters: Record<string, string>) =>
    app.request(`${GRAPHQL_PATH}?${new URLSearchParams({ query: '{ __typename }', ...parameters })}`)

  it.each(['variables', 'extensions'])('reports %s of a query string that are no JSON', async (name) => {
    const response = await ofQuery({ [name]: '{"a":' })
    expect([response.status, codes(await response.json())]).toEqual([400, ['VALIDATION_FAILED']])
  })

  const JSON_TYPE = 'application/json; charset=utf-8'
  const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const send = async (init: RequestInit) => {
    const response = await app.request(GRAPHQL_PATH, { method: 'POST', ...init })
    return [response.status, response.headers.get('Content-Type'), codes(await response.json())]
  }

  describe.each(['application/json', '*/*', BROWSER, 'text/event-stream', 'text/event-stream, */*'])(
    'for a client that accepts %s',
    (accept) => {
      it.each([
        ['a form, which a page of another site can send', 'application/x-www-form-urlencoded'],
        ['a document alone', 'application/graphql'],
        ['another JSON type', 'application/graphql+json'],
        ['a type whose name begins with that of JSON', 'application/json-patch+json'],
        ['a form of several parts', 'multipart/form-data; boundary=a'],
        ['text, which a page of another site can send', 'text/plain'],
        ['text that names JSON in a parameter', 'text/plain; as=application/json'],
        ['text that names JSON in a quoted parameter', 'text/plain; as="application/json;"'],
      ])('refuses a body of another type: %s', async (_, type) => {
        for (const body of ['query=%7B__typename%7D', '{ __typename }', '{"query":"{ __typename }"}'])
          expect(await send({ headers: { accept, 'content-type': type }, body })).toEqual([
            415,
            JSON_TYPE,
            ['UNSUPPORTED_MEDIA_TYPE'],
          ])
      })

      it.each([
        ['no JSON', '{'],
        ['no query', '{}'],
        ['an unknown member', '{"query":"{ __typename }","more":null}'],
        ['a list of requests', '[{"query":"{ __typename }"}]'],
        ['variables that are a list', '{"query":"{ __typename }","variables":[]}'],
        [
          'variables of a hostile shape',
          `{"query":"{ __typename }","variables":{"v":[${'1,'.repeat(300)}1]}}`,
        ],
      ])('refuses a malformed body as JSON: %s', async (_, body) => {
        const headers = { accept, 'content-type': 'application/json' }
        expect(await send({ headers, body })).toEqual([400, JSON_TYPE, ['VALIDATION_FAILED']])
      })

      it('refuses HEAD, and names the methods', async () => {
        const url = `${GRAPHQL_PATH}?query=%7B__typename%7D`
        const { status, headers } = await app.request(url, { method: 'HEAD', headers: { accept } })
        expect([status, headers.get('Content-Type'), headers.get('Allow')]).toEqual([
          405,
          JSON_TYPE,
          'GET, POST',
        ])
      })
    },
  )

  it('refuses a body of another type whose JSON was answered before', async () => {
    const body = '{"query":"{ claims(first: 1) { totalCount } }"}'
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    expect((await send({ headers, body }))[0]).toBe(200)
    const asText = { ...headers, 'content-type': 'text/plain' }
    expect((await send({ headers: asText, body }))[0]).toBe(415)
  })

  it.each(['query A { __typename }', 'subscription A { finalizedBlock { blockNumber } }'])(
    'reports an operation name that the document does not have with status 200, as events too: %s',
    async (query) => {
      const headers = { accept: 'text/event-stream', 'content-type': 'application/json' }
      const body = JSON.stringify({ query, operationName: 'B' })
      const response = await app.request(GRAPHQL_PATH, { method: 'POST', headers, body })
      expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/event-stream'])
      expect(await response.text()).toMatch(
        /^:\n\nevent: next\ndata: {"errors":\[{.*"code":"VALIDATION_FAILED".*\n\nevent: complete\ndata:\n\n$/,
      )
    },
  )

  it('refuses with a code to answer in another type', async () => {
    const response = await post({ query: '{ __typename }' }, 'application/xml')
    expect([response.status, codes(await response.json())]).toEqual([400, ['VALIDATION_FAILED']])
  })
})
