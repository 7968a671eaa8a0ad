/**
 * Requests that are made to cost more than they look: each is refused after a bounded amount of work, with a short
 * answer.
 */
import { getIntrospectionQuery, parse } from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { OPERATION_POINTS, pointsOf, pointsOfRequest } from '../../api/graphql/operation/measure/measure.ts'
import { prepareOperation } from '../../api/graphql/operation/run.ts'
import { schema } from '../../api/graphql/schema.ts'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { sharedWorld } from '../support/world.ts'
import { type Answer, createClient } from './client.ts'

const { app, ask, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

/** Bytes of the longest refusal: a few errors, none of which repeats the request. */
const REFUSAL_BYTES_MAX = 8000

const COUNT = 'query ($filter: ClaimFilter) { claims(filter: $filter) { totalCount } }'
const ID = `0x${'ab'.repeat(32)}`

async function refusal(
  body: string,
): Promise<{ status: number; code: string; message: string; bytes: number }> {
  const response = await app.request(GRAPHQL_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body,
  })
  const text = await response.text()
  const { errors = [] }: Answer = JSON.parse(text)
  const { message, extensions } = errors[0] ?? {}
  return { status: response.status, code: extensions?.code, message, bytes: text.length }
}

const request = (query: string, variables?: unknown) => JSON.stringify({ query, variables })
const counted = (filter: unknown) => request(COUNT, { filter })
const list = (length: number, entry: (i: number) => unknown) => Array.from({ length }, (_, i) => entry(i))
const words = (length: number, word: (i: number) => string) => list(length, word).join(' ')

const VARIABLES: [title: string, body: string, named: string][] = [
  [
    '3,000 unknown fields',
    counted(Object.fromEntries(list(3000, (i) => [`unknownField${i}`, 1]).map((pair) => Object(pair)))),
    'filter: ',
  ],
  [
    '150 unknown fields',
    counted(Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`faceValu${i}`, 1]))),
    'filter: ',
  ],
  ['50,000 wrong entries', counted({ claimId_in: list(50_000, () => 1) }), 'filter.claimId_in: '],
  ['150 wrong entries', counted({ claimId_in: list(150, () => 1) }), 'filter.claimId_in.0: '],
  ['33,000 empty objects', counted({ OR: list(33_000, () => ({})) }), 'filter.OR: '],
  [
    'nesting 3,000 deep',
    `{"query":"${COUNT}","variables":{"filter":${'{"AND":['.repeat(3000)}{}${']}'.repeat(3000)}}}`,
    'filter.AND.0',
  ],
  [
    'lists nested 40,000 deep',
    `{"query":"${COUNT}","variables":{"filter":${'['.repeat(40_000)}${']'.repeat(40_000)}}}`,
    'filter.0',
  ],
  [
    '5,000 variables that the query does not have',
    request('{ __typename }', Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`v${i}`, 1]))),
    'variables: ',
  ],
  [
    '3,000 values over many lists',
    request('{ __typename }', { v: list(100, () => list(30, () => 1)) }),
    'variables: ',
  ],
  ['a value of 90,000 characters', counted({ faceValue: '9'.repeat(90_000) }), 'filter.faceValue: '],
  ['a name of 90,000 characters', counted({ ['a'.repeat(90_000)]: 1 }), 'filter: '],
  [
    'names of a prototype',
    `{"query":"${COUNT}","variables":{"filter":{"__proto__":{"constructor":1}}}}`,
    'filter: ',
  ],
  [
    '300 required variables that are missing',
    request(`query (${words(300, (i) => `$v${i}: Hash!`)}) { __typename }`),
    '$v0',
  ],
]

describe('variables', () => {
  it.each(VARIABLES)(
    'of %s are refused once, with the place at fault and without a copy of them',
    async (_, body, named) => {
      const { status, code, message, bytes } = await refusal(body)
      expect({
        status,
        isRefused: ['VALIDATION_FAILED', 'GRAPHQL_VALIDATION_FAILED'].includes(code),
      }).toEqual({
        status: 400,
        isRefused: true,
      })
      expect(message).toContain(named)
      expect(bytes).toBeLessThan(REFUSAL_BYTES_MAX)
    },
  )

  it('in the query string are bounded like those of a body', async () => {
    const variables = encodeURIComponent(`{"filter":${'{"AND":['.repeat(500)}{}${']}'.repeat(500)}}`)
    const response = await app.request(
      `${GRAPHQL_PATH}?query=${encodeURIComponent(COUNT)}&variables=${variables}`,
      { headers: { accept: 'application/graphql-response+json' } },
    )
    expect(response.status).toBe(400)
    expect((await response.json()).errors[0].extensions.code).toBe('VALIDATION_FAILED')
  })

  it('that are null are no variables', async () => {
    expect((await ask(COUNT, { filter: null })).errors).toBeUndefined()
  })
})

const chain = (length: number, of: (next: number, i: number) => string) =>
  words(length, (i) => `fragment f${i} on Claim { ${of((i + 1) % length, i)} }`)

const DOCUMENTS: [title: string, query: string][] = [
  ['900 unknown fields', `{ ${words(900, (i) => `claimz${i}`)} }`],
  ['400 unknown types', `query (${words(400, (i) => `$a${i}: ClaimFiltez${i}`)}) { __typename }`],
  [
    '600 unknown filter fields',
    `{ claims(filter: {${words(600, (i) => `faceValuez_${i}: 1`)}}) { totalCount } }`,
  ],
  ['1,900 wrong list entries', `{ claims(filter: { claimId_in: [${'1 '.repeat(1900)}] }) { totalCount } }`],
  ['600 conflicting fields', `{ claims { nodes { ${'a: state a: claimId '.repeat(14)} } } }`],
  ['600 operations without a name', '{ __typename }'.repeat(600)],
  ['a name of 90,000 characters', `{ ${'a'.repeat(90_000)} }`],
  ['a number of 90,000 digits', `{ claims(first: ${'9'.repeat(90_000)}) { totalCount } }`],
  ['lists nested 900 deep', `{ claims(filter: ${'['.repeat(900)}${']'.repeat(900)}) { totalCount } }`],
  ['45,000 lines', `${'\n'.repeat(45_000)} { ${'nope '.repeat(30)} }`],
  [
    'a cycle of 130 fragments',
    `{ claims { nodes { ...f0 } } } ${chain(130, (next) => `claimId ...f${next}`)}`,
  ],
  [
    '150 fragments that spread each other',
    `{ claims { nodes { ...f0 } } } ${chain(150, (next, i) => `...f${next} ...f${(i * 7) % 150}`)}`,
  ],
  [
    '40 fragments that all spread all',
    `{ claims { nodes { ...f0 } } } ${chain(30, () => words(30, (i) => `...f${i}`))}`,
  ],
  [
    'fragments that double 100 times',
    `{ claims { nodes { ...f0 } } } ${chain(100, (next, i) => (i === 99 ? 'claimId' : `...f${next} ...f${next}`))}`,
  ],
]

/** A claim, its beneficiary, the beneficiary's claims and so on, down to this many levels. */
const nestedFields = (levels: number) => {
  const path = list(levels - 1, (i) => ['claims(first: 1)', 'nodes', 'beneficiary'][i % 3])
  return `{ ${path.map((field) => `${field} {`).join(' ')} __typename ${'}'.repeat(levels)}`
}

describe('documents', () => {
  it.each(DOCUMENTS)('of %s are refused with a few short errors', async (_, query) => {
    const { status, code, bytes } = await refusal(request(query))
    expect([400, true], code).toEqual([
      status,
      [
        'VALIDATION_FAILED',
        'GRAPHQL_VALIDATION_FAILED',
        'QUERY_TOO_COMPLEX',
        'GRAPHQL_PARSE_FAILED',
      ].includes(code),
    ])
    expect(bytes).toBeLessThan(REFUSAL_BYTES_MAX)
  })

  it.each<[string, (count: number) => string, number]>([
    ['fields of one name', (count) => `{ ${'claims(first: 1) { nodes { state } } '.repeat(count)} }`, 20],
    [
      'fields of one name',
      (count) =>
        `{ claims(first: 1) { ${'... { nodes { state } } ... on ClaimConnection { ... { nodes { claimId } } } '.repeat(count / 2)} ${count % 2 ? 'nodes { state }' : ''} } }`,
      20,
    ],
    [
      'objects in arguments',
      (count) =>
        `{ ${words(2, (i) => `a${i}: claims(first: 1, filter: { OR: [${'{} '.repeat(98)}] }) { nodes { state } }`)} ${words(count - 198, (i) => `b${i}: vaults(first: 1, filter: {}) { nodes { name } }`)} }`,
      200,
    ],
    [
      'fragment spreads',
      (count) => `{ claims(first: 1) { nodes { ${'...f '.repeat(count)} } } } fragment f on Claim { state }`,
      200,
    ],
    ['aliases', (count) => `{ claims(first: 1) { nodes { ${words(count, (i) => `a${i}: state`)} } } }`, 30],
    ['lines', (count) => `${'\n'.repeat(count - 1)}{ __typename }`, 2000],
    ['lines', (count) => `${'\r\n'.repeat(count - 2)}\r{ __typename }`, 2000],
    ['depth', (count) => nestedFields(count), 14],
  ])('have a limit of %s', async (measure, query, maximum) => {
    expect((await ask(query(maximum))).errors).toBeUndefined()
    const { errors = [] } = await ask(query(maximum + 1))
    expect(errors[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX', measure })
  })

  it('have names of at most 64 characters', async () => {
    const query = (length: number) => `{ ${'a'.repeat(length)}: __typename }`
    expect((await ask(query(64))).errors).toBeUndefined()
    const { errors = [] } = await ask(query(65))
    expect(errors[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX', measure: 'length of a name' })
  })

  it('report at most 5 errors', async () => {
    const { errors } = await ask(`{ ${words(900, (i) => `claimz${i}`)} }`)
    expect(errors).toHaveLength(5)
  })
})

describe('a list of each row', () => {
  const ofEach = (rows: number, args: string) =>
    `query ${args.includes('$') ? '($filter: ClaimFilter)' : ''} { claims(first: ${rows}) { nodes { beneficiary { claims(${args}) { __typename } } } } }`
  const filter = { claimId_in: list(100, () => ID), OR: list(40, (i) => ({ faceValue_gte: `${i}` })) }

  it('costs 2 per value of its filter for each row', async () => {
    const { extensions } = await ask(ofEach(10, 'first: 1, filter: $filter'), {
      filter: { faceValue_gte: '1' },
    })
    const without = await ask(ofEach(10, 'first: 1'))
    expect(extensions.cost.cost - without.extensions.cost.cost).toBe(20)
    expect((await ask(ofEach(20, 'first: 1, filter: $filter'), { filter })).errors).toBeUndefined()
    const { errors = [] } = await ask(ofEach(150, 'first: 1, filter: $filter'), { filter })
    expect(errors[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX', measure: 'cost' })
  })

  it('with an invalid page size is refused once, before anything is read', async () => {
    const { data, errors = [] } = await ask(ofEach(100, 'first: 0'))
    expect(data).toBeUndefined()
    expect(errors).toHaveLength(1)
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('reports the first error of an operation, at its place, without data', async () => {
    const lists = words(
      5,
      (i) => `a${i}: vaults(first: 2) { nodes { allocations(after: "!") { __typename } } }`,
    )
    const { data, errors = [] } = await ask(`{ ${lists} }`)
    expect(data).toBeNull()
    expect(errors).toMatchObject([{ path: ['a0', 'nodes', 'allocations'] }])
    expect(errors[0]?.locations).toHaveLength(1)
  })

  it('locates its errors in documents of at most 200 lines', async () => {
    const query = (lines: number) => `${'\n'.repeat(lines - 1)}{ claims(after: "!") { totalCount } }`
    expect((await ask(query(200))).errors?.[0]).toHaveProperty('locations')
    expect((await ask(query(201))).errors?.[0]).not.toHaveProperty('locations')
  })
})

describe('a page', () => {
  const costOf = async (page: string) =>
    (await ask(`{ claims${page} { nodes { state } } }`)).extensions.cost.cost

  it('costs what its size does, from either end, and 50 rows where no size is given', async () => {
    expect(await costOf('(last: 200)')).toBe(await costOf('(first: 200)'))
    expect(await costOf('(last: 1)')).toBe(await costOf('(first: 1)'))
    expect(await costOf('')).toBe(await costOf('(first: 50)'))
    expect(new Set(await Promise.all(['(last: 200)', '(last: 50)', '(last: 1)'].map(costOf))).size).toBe(3)
  })
})

describe('a request', () => {
  it('costs 300 points, a point for each 16 bytes of it, and one for each 32 bytes of its answer, rounded up', () => {
    expect(OPERATION_POINTS).toBe(300)
    expect([0, 1, 16, 17, 32, 33].map((length) => pointsOfRequest('x'.repeat(length)))).toEqual([
      0, 1, 1, 2, 2, 3,
    ])
    const answered = (length: number) => pointsOf({ cost: 0, maximum: 0, fields: 2 }, 'x'.repeat(length), 0)
    expect([0, 1, 32, 33].map(answered)).toEqual([40, 41, 41, 42])
  })
})

describe('the cost of a field', () => {
  const OF = `address: "0x${'11'.repeat(20)}"`
  const TOKEN = `token: "0x${'22'.repeat(20)}"`
  const BEGINNING = 'from: "2026-01-01T00:00:00Z"'
  const YEAR = `${BEGINNING}, to: "2027-01-01T00:00:00Z"`
  const account = (fields: string) => `{ account(${OF}) { ${fields} } }`
  const vault = (fields: string) => `{ vault(${OF}) { ${fields} } }`
  const record = (fields: string) => `{ issuer(${OF}) { paymentRecord(${TOKEN}) { ${fields} } } }`
  const pages = (fields: string) => `{ vaultPositions(first: 10) { ${fields} } }`

  it.each([
    ['a row', account('address'), 2],
    ['a list of 10 rows', pages('nodes { shares }'), 3 + 10],
    ['a list with information on its page', pages('pageInfo { hasNextPage endCursor }'), 3 + 2 * 10],
    ['a list with the number of its rows', pages('totalCount'), 3 + 10 * 50],
    ['a list of computed values', pages('nodes { assets }'), 3 + 10 * 5],
    ['an aggregate', '{ claimAggregates(first: 10) { nodes { count } } }', 2003 + 10],
    ['slices', `{ claim(claimId: "${ID}") { allocations { faceAmount } } }`, 2 + 8],
    ['balances', account('balances { balance }'), 1 + 20 + 3],
    ['holdings', account(`holdings(${TOKEN}) { costBasis }`), 1 + 50 + 1],
    ['an execution', `{ execution(executionId: "${ID}") { status } }`, 5001],
    ['a transaction', `{ transaction(hash: "${ID}") { status } }`, 5001],
    ['an object', '{ node(id: "YTox") { id } }', 2],
    ['objects', '{ nodes(ids: ["YTox", "YTox", "YTox"]) { id } }', 200 + 3],
    ['the auditor', '{ _meta { audit { state } } }', 1 + 150 + 1],
    ['differences', '{ _meta { audit { differences { key } } } }', 1 + 150 + 1 + 10],
    ['unfinalized events', '{ unfinalized(first: 7) { events { name } } }', 1 + 7 * 2],
    ['unfinalized events of the default number', '{ unfinalized { events { name } } }', 1 + 20 * 2],
    [
      'arguments of them',
      '{ unfinalized(first: 7) { events { arguments { name } } } }',
      1 + 7 * (1 + 1 + 10),
    ],
    ['an exposure', `{ marketExposure(${TOKEN}) { outstandingFace } }`, 50 + 1],
    ['maturities', vault('maturities(periods: 3) { kind }'), 1 + 50 + 3 + 4],
    ['maturities of the market', `{ marketMaturities(${TOKEN}, periods: 3) { kind } }`, 2000 + 3 + 4],
    ['a series of at most 15 months', vault(`series(period: month, ${YEAR}) { start }`), 1 + 50 + 15],
    ['a series without a beginning', vault('series(period: month) { start }'), 1 + 50 + 30],
    ['a series without an end', vault(`series(period: day, ${BEGINNING}) { start }`), 1 + 50 + 400],
    ['a series of the market', `{ marketSeries(${TOKEN}, period: month, ${YEAR}) { start } }`, 2000 + 15],
    ['a concentration', vault('concentration { herfindahlBps }'), 1 + 50 + 1],
    ['issuers of it', vault('concentration { byIssuer(first: 3) { shareBps } }'), 1 + 50 + 25 + 3],
    ['overdue face of a vault', vault('capital { overdueFace }'), 1 + 1 + 5],
    ['returns', vault('returns { last7DaysBps toDateBps }'), 1 + 1 + 10 + 10],
    ['balances of a statement', account(`statement(${YEAR}) { balances { closing } }`), 2 + 500 + 10],
    ['totals of a statement', account(`statement(${YEAR}) { totals { amount } }`), 2 + 500 + 10],
    ['entries of a statement', account(`statement(${YEAR}) { entries(first: 7) { amount } }`), 2 + 500 + 7],
    ['cohorts', record('cohorts(months: 3) { month }'), 2 + 200 + 3],
    ['impaired face', record('impaired'), 2 + 30],
    ['overdue face of an issuer', record('overdue'), 2 + 30],
  ])('beside 20 for each field of the document: %s', (_, query, values) => {
    const { cost, fields } = prepareOperation({ schema, document: parse(query) }).cost
    expect(cost - 20 * fields).toBe(values)
  })
})

describe('a subscription', () => {
  it('may cost at most 8,000', async () => {
    const query = (rows: number) =>
      `subscription { account(address: "0x${'11'.repeat(20)}") { claims(first: 200) { nodes { allocations { faceAmount } } } a: activity(first: ${rows}) { nodes { ${words(29, (i) => `a${i}: kind`)} id kind } } } }`
    const { errors = [] } = await ask(query(200))
    expect(errors[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX', measure: 'cost', maximum: 8000 })
  })

  it.each([
    ['its field', 'subscription { finalizedBlock @skip(if: true) { blockNumber } }'],
    [
      'a fragment',
      'subscription { ...f } fragment f on Subscription { ... @include(if: false) { finalizedBlock { blockNumber } } }',
    ],
  ])('cannot leave %s out', async (_, query) => {
    const { errors = [] } = await ask(query)
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(errors[0]?.message).toContain('@skip')
  })
})

describe('root fields', () => {
  const fields = (from: number, to: number) =>
    words(to - from, (i) => `a${from + i}: claims(first: ${from + i + 1}) { pageInfo { hasNextPage } }`)
  const over: [title: string, query: string][] = [
    ['in the operation', `{ ${fields(0, 13)} }`],
    ['in an inline fragment', `{ ... { ${fields(0, 13)} } }`],
    ['in a nested inline fragment', `{ ... on Query { ... @include(if: true) { ${fields(0, 13)} } } }`],
    ['in a named fragment', `{ ...f } fragment f on Query { ${fields(0, 13)} }`],
    [
      'over several fragments',
      `{ ...f ... { ${fields(0, 6)} } } fragment f on Query { ${fields(6, 10)} ...g } fragment g on Query { ${fields(10, 13)} }`,
    ],
  ]

  it.each(over)('are at most 12: 13 %s are refused', async (_, query) => {
    const { errors = [] } = await ask(query)
    expect(errors[0]?.extensions).toMatchObject({
      code: 'QUERY_TOO_COMPLEX',
      measure: 'root fields',
      value: 13,
      maximum: 12,
    })
  })

  it('are read where they are 12, and one that several fragments share counts once', async () => {
    const { data, errors } = await ask(
      `{ ...f ...f ... { ${fields(0, 3)} } } fragment f on Query { ${fields(0, 10)} ...g } fragment g on Query { ${fields(8, 12)} }`,
    )
    expect(errors).toBeUndefined()
    expect(Object.keys(data)).toHaveLength(12)
  })
})

describe('introspection', () => {
  const WHOLE =
    'types { name fields { name args { name type { name ofType { name } } } type { name ofType { name } } } inputFields { name type { name } } }'
  const refused: [title: string, query: string][] = [
    [
      'of 12 schemas',
      `{ ${words(12, (i) => `a${i}: __schema { types { name fields { name args { name } } } }`)} }`,
    ],
    [
      'of two whole schemas',
      `{ ...f b: __schema { ...s } } fragment f on Query { a: __schema { ...s } } fragment s on __Schema { ${words(4, (i) => `t${i}: ${WHOLE}`)} }`,
    ],
    ['of one schema with its types 29 times', `{ __schema { ${words(29, (i) => `t${i}: ${WHOLE}`)} } }`],
    [
      'of the types of the fields of types, three times',
      `{ __schema { types { ${words(3, (i) => `a${i}: fields { type { ...t ofType { ...t } } }`)} } } }
       fragment t on __Type { fields { name type { name kind ofType { name kind ofType { name kind } } } } }`,
    ],
  ]

  it.each(refused)('%s is refused', async (_, query) => {
    const { errors = [] } = await ask(query)
    expect(errors[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX', measure: 'introspection' })
  })

  it.each([
    ['the standard query', getIntrospectionQuery()],
    [
      'the standard query with everything optional',
      getIntrospectionQuery({
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        experimentalDirectiveDeprecation: false,
        oneOf: true,
      }),
    ],
    [
      'a few types beside rows',
      '{ a: __type(name: "Claim") { fields { name } } b: __type(name: "Vault") { fields { name } } claims(first: 1) { totalCount } }',
    ],
  ])('answers %s', async (_, query) => {
    const { data, errors } = await ask(query)
    expect(errors).toBeUndefined()
    expect(data).toBeTruthy()
  })
})

describe('a filter', () => {
  const conditions = (length: number) => list(length, () => ({ faceValue_gte: '1' }))
  const ids = (length: number) => list(length, () => ID)

  it.each<[string, unknown, unknown]>([
    [
      '100 conditions and branches in one list',
      { AND: list(99, () => ({})) },
      { AND: list(100, () => ({})) },
    ],
    [
      '100 conditions and branches over several lists',
      { AND: [{ OR: conditions(20) }, { OR: conditions(25) }], OR: [{}, {}, {}], state: 'ELIGIBLE' },
      { AND: [{ OR: conditions(20) }, { OR: conditions(25) }], OR: [{}, {}, {}, {}], state: 'ELIGIBLE' },
    ],
    [
      '100 conditions, of which a filter of several columns has all of its own',
      { AND: conditions(47), financeable: true },
      { AND: conditions(47), financeable: true, state: 'ELIGIBLE' },
    ],
    ['200 values in one list', { claimId_in: ids(200) }, { claimId_in: ids(201) }],
    [
      '5 levels',
      { AND: [{ OR: [{ AND: [{ OR: [{}] }] }] }] },
      { AND: [{ OR: [{ AND: [{ OR: [{ AND: [{}] }] }] }] }] },
    ],
  ])('has at most %s', async (_, most, more) => {
    expect((await ask(COUNT, { filter: most })).errors).toBeUndefined()
    const { errors = [] } = await ask(COUNT, { filter: more })
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['VALIDATION_FAILED'])
  })
})
