/** Operations that are one statement: their answers are those of the resolvers. */
import fc from 'fast-check'
import { getNamedType, isInputObjectType, isObjectType, parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../api/graphql/compile/compile.ts'
import { schema } from '../../api/graphql/schema.ts'
import { toShape } from '../../api/graphql/shape.ts'
import { createProjectionDb } from '../../api/projection/database.ts'
import { loadLabels } from '../../deployments/labels.ts'
import { pick } from '../fuzz/draw.ts'
import { type GraphqlSources, graphqlDocument } from '../fuzz/graphql-document.ts'
import { scalarSamples } from '../fuzz/graphql-input.ts'
import { collectTexts } from '../fuzz/samples.ts'
import { sharedAccount, sharedWorld } from '../support/world.ts'
import { createBothWays, fieldsWithSql, schemaInSql } from './both-ways.ts'
import { createClient } from './client.ts'

const LABELS = loadLabels(31_337)

const { app, ask, takeStatements, stop, pool } = createClient(sharedWorld().databaseUrl)
afterAll(stop)
const answerBothWays = createBothWays(createProjectionDb(pool))

/** Pairs of random documents, and requests of each pair, in random order. */
const RUNS = Number(process.env.ONE_STATEMENT_RUNS ?? 150)
const REQUESTS = 6
const SEED = Number(process.env.ONE_STATEMENT_SEED ?? 18)

const WALLET = sharedAccount('wallet-1').address
const [VAULT] = sharedWorld().vaults
/** What the placeholder of the second value of a request would be, if clients could guess it. */
const PLACEHOLDER = `0x${'0'.padStart(24, 'f')}${'1'.padStart(16, '0')}`
const ROW = 'claimId faceValue remainingFace state dueDate matured overdueSince daysToDue slicesRemaining'

const CASES: [title: string, query: string][] = [
  ['a list', `{ claims(first: 50) { nodes { ${ROW} } } }`],
  [
    'labels',
    '{ claims(first: 50) { nodes { claimTypeLabel issuer { label } } } claimAggregates(groupBy: claimType) { nodes { claimTypeLabel } } }',
  ],
  [
    'all of a page',
    '{ claims(first: 5) { __typename totalCount edges { __typename cursor node { id __typename } } pageInfo { __typename hasNextPage hasPreviousPage startCursor endCursor } } }',
  ],
  [
    'the end of a list',
    '{ claims(last: 3) { nodes { claimId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }',
  ],
  [
    'an empty page',
    `{ claims(filter: { faceValue_gt: "${10n ** 40n}" }) { nodes { claimId } edges { cursor } pageInfo { hasNextPage startCursor endCursor } } }`,
  ],
  [
    'a page of several states',
    '{ claims(first: 4, orderBy: dueDate, filter: { state_in: [SETTLED, ELIGIBLE, SETTLED] }) { nodes { claimId state dueDate } pageInfo { endCursor } } }',
  ],
  [
    'nested lists with different arguments under two aliases',
    '{ vaults { nodes { a: allocations(first: 1) { nodes { faceAmount } totalCount } b: allocations(first: 2, orderBy: faceAmount) { edges { cursor node { claim { claimId } } } } } } }',
  ],
  [
    'fragments, interfaces and repeated fields',
    `{ claims(first: 3) { ...page nodes { claimId } } again: claims(first: 3) { ...page } }
     fragment page on ClaimConnection { nodes { ... on Node { id } issuer { address ...key } issuer { active } } }
     fragment key on Node { id __typename }`,
  ],
  [
    'objects that are not there',
    `{ claim(claimId: "0x${'0'.repeat(64)}") { claimId } claims { nodes { settlement { settledAt payer { id } } } } }`,
  ],
  [
    'objects without a row',
    `{ account(address: "0x${'1'.repeat(40)}") { id address issuer { address } claims { nodes { claimId } } } }`,
  ],
  [
    'groups of a rollup',
    `{ claimAggregates(groupBy: [state, issuer], orderBy: faceValue, orderDirection: desc, first: 3) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { __typename tokenInfo { address } state claimType registeredDay beneficiary { address } issuer { address claimCount } count remainingFace faceValue { sum average } } } }
       settlementAggregates(groupBy: settledMonth) { nodes { settledMonth issuer { address } payer { address } count beneficiaryAmount } } allocationAggregates(groupBy: vault, first: 5) { nodes { vault { name } effectiveDiscountBps discountAmount } } }`,
  ],
  [
    'counts and groups of the rows of one parent',
    `{ all: claims(filter: { beneficiary: "${WALLET}" }) { totalCount nodes { claimId } }
       some: claims(filter: { beneficiary: "${WALLET}", state_in: [SETTLED, ELIGIBLE], faceValue_gt: "5", issuerActive: true, matured: false }) { totalCount }
       none: claims(filter: { beneficiary: "0x${'1'.repeat(40)}", faceValue_gt: "5" }) { totalCount }
       claimAggregates(filter: { beneficiary: "${WALLET}", faceValue_gt: "5" }, groupBy: [state, registeredDay], orderBy: faceValue) { totalCount nodes { state registeredDay count faceValue { sum average } } pageInfo { endCursor } }
       allocationAggregates(filter: { vault: "${VAULT}", faceAmount_gt: "5" }) { nodes { count effectiveDiscountBps } } }`,
  ],
  [
    'fields with names that SQL knows',
    `{ ${['o', 'page', 'state', 'r1', 'r1p', 'one', 'gate', 'value', 'data', 'item', 'user', 'ctid', 'select']
      .map((name) => `${name}: claims(first: 1) { nodes { ${name}: claimId issuer { o: address } } }`)
      .slice(0, 12)
      .join(' ')} }`,
  ],
  [
    'executions and their legs',
    '{ executions(first: 20) { nodes { status preparedAt deadline totalCost effectiveDiscountBps legs { effectiveDiscountBps execution { executionId } vault { pricing { premiumBps } } } } } }',
  ],
]

describe('an operation of one statement', () => {
  it.each(CASES)('answers %s as its resolvers do', async (_, query) => {
    const answers = await answerBothWays(query)
    expect(answers?.inSql).toBe(answers?.resolved)
    expect(answers?.resolved).not.toContain('"errors"')
  })

  it('takes variables, defaults and conditions', async () => {
    const query = `query ($id: Hash!, $wallet: Address!, $is: Boolean!, $first: Int = 2, $order: ClaimOrderBy = faceValue, $filter: ClaimFilter) {
      claim(claimId: $id) { claimId state @include(if: $is) faceValue @skip(if: $is) }
      account(address: $wallet) { claims(first: $first, orderBy: $order, filter: $filter) { nodes { ...row @include(if: $is) faceValue } pageInfo { endCursor } } }
    } fragment row on Claim { claimId }`
    const [id] = sharedWorld().claimIds
    const wallet = sharedAccount('wallet-1').address
    for (const is of [true, false]) {
      for (const filter of [undefined, null, {}, { claimType_in: [0, 1, 2] }]) {
        const answers = await answerBothWays(query, { id, wallet, is, filter })
        expect(answers?.inSql).toBe(answers?.resolved)
      }
    }
  })

  it('is written once for all addresses and hashes, and reads those of each request', async () => {
    const query = `query ($id: Hash!, $wallet: Address, $filter: ClaimFilter, $first: Int) {
      claim(claimId: $id) { claimId state issuer { address } }
      own: claims(first: $first, filter: { beneficiary: $wallet }) { totalCount nodes { claimId } }
      claims(first: 5, filter: $filter) { nodes { claimId } }
      fixed: account(address: "${PLACEHOLDER}") { address }
      escaped: account(address: "${PLACEHOLDER.replace('x', '\\u0078').replaceAll('f', '\\u0066')}") { address }
    }`
    const [one = '', other = ''] = sharedWorld().claimIds
    const [wallet, second] = [WALLET, sharedAccount('wallet-2').address]
    const { data } = await ask('{ issuers { nodes { address } } }')
    const [issuer, another = issuer]: string[] = data.issuers.nodes.map(
      ({ address }: { address: string }) => address,
    )
    const shapes = [
      { id: one, wallet, filter: { issuer, beneficiary_in: [wallet, second] } },
      { id: other, wallet: second, filter: { issuer: another, beneficiary_in: [second, second] } },
      { id: other, wallet: second.toUpperCase().replace('X', 'x'), filter: { beneficiary_in: [wallet] } },
      { id: PLACEHOLDER.padEnd(66, '0'), wallet: PLACEHOLDER, filter: { issuer: PLACEHOLDER } },
      { id: one, wallet: null, filter: null, first: 2 },
      { id: one, filter: { beneficiary_in: [], faceValue_gt: '5' } },
      { id: one, filter: { beneficiary_in: [], faceValue_gt: '4' } },
      { id: one, wallet, filter: { issuer, beneficiary_in: [second, wallet] } },
    ]
    for (const variables of [...shapes, ...shapes]) {
      const answers = await answerBothWays(query, variables)
      expect(answers?.inSql).toBe(answers?.resolved)
    }
  })

  it('continues at a cursor of either way, in any order', async () => {
    for (const order of ['dueDate', 'faceValue', 'registeredAt']) {
      const query = `query ($after: String, $before: String) { claims(first: 7, after: $after, before: $before, orderBy: ${order}) { nodes { claimId } pageInfo { hasPreviousPage hasNextPage startCursor endCursor } } }`
      let after: string | null = null
      let pages = 0
      do {
        const answers = await answerBothWays(query, { after })
        expect(answers?.inSql).toBe(answers?.resolved)
        const { pageInfo } = JSON.parse(answers?.resolved ?? '').data.claims
        const before = await answerBothWays(query, { after, before: pageInfo.endCursor })
        expect(before?.inSql).toBe(before?.resolved)
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null
        pages += 1
      } while (after !== null)
      expect(pages).toBe(Math.ceil(sharedWorld().claimIds.length / 7))
    }
  })

  it('is the same statement for all pages of a document, because all arguments that are texts are cursors', async () => {
    const { data } = await ask('{ claims(first: 9) { edges { cursor } } }')
    const cursors: string[] = data.claims.edges.map(({ cursor }: { cursor: string }) => cursor)
    const document = parse('query ($at: String!) { claims(first: 3, after: $at) { edges { cursor } } }')
    const readings = cursors.map((at) => {
      const shape = toShape({ schema, document, variableValues: { at } })
      return shape && compile(shape, LABELS)
    })
    expect(new Set(readings.map((reading) => reading?.text)).size).toBe(1)
    expect(new Set(readings.map((reading) => JSON.stringify(reading?.values))).size).toBe(cursors.length)

    const inputs = Object.values(schema.getTypeMap()).flatMap((type) => {
      if (isInputObjectType(type)) return Object.values(type.getFields())
      return isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : []
    })
    const texts = inputs.filter(({ type }) => getNamedType(type).name === 'String')
    expect(new Set(texts.map(({ name }) => name))).toEqual(new Set(['after', 'before']))
  })

  it('refuses a cursor that no page has, also after a page of the same statement', async () => {
    const query =
      'query ($after: String) { claims(first: 2, after: $after, orderBy: faceValue) { nodes { claimId } } }'
    const [id = ''] = sharedWorld().claimIds
    const write = (...parts: string[]) =>
      Buffer.from(JSON.stringify(['faceValue', ...parts])).toString('base64url')
    const good = await answerBothWays(query, { after: write('1000000000', id) })
    expect(good?.inSql).toBeDefined()
    expect(good?.inSql).toBe(good?.resolved)
    for (const key of [
      ['01000000000', id],
      ['9'.repeat(101), id],
      ['1000000000', `0x${'f'.repeat(65)}`],
      ['1000000000', '0x'],
      [id, '1000000000'],
    ]) {
      const bad = await answerBothWays(query, { after: write(...key) })
      expect([key, bad?.inSql]).toEqual([key, undefined])
      expect(bad?.resolved).toContain('after: must be a cursor of an earlier page')
    }
  })

  it('sends exactly one statement, in no transaction', async () => {
    // The first read of a connection sets it up.
    await ask('{ claims(first: 1) { nodes { claimId } } }')
    for (const query of [
      '{ claims(first: 200) { nodes { claimId allocations { vault { address } } } totalCount } vaults { nodes { address } } }',
      '{ claims(first: 3, filter: { state: SETTLED }) { nodes { claimId } } }',
      '{ claimAggregates(groupBy: state) { nodes { state count faceValue { sum } } } claims(first: 1) { nodes { claimId } } }',
    ]) {
      takeStatements()
      const { data, errors } = await ask(query)
      expect(errors).toBeUndefined()
      expect(data.claims.nodes.length).toBeGreaterThan(0)
      expect(takeStatements()).toHaveLength(1)
    }
  })

  it('adds up rows only where no totals have the sums', () => {
    const addsUpRows = (query: string) => {
      const shape = toShape({ schema, document: parse(query) })
      return shape && compile(shape, LABELS)?.addsUpRows
    }
    const sums = 'nodes { faceValue { sum } }'
    expect(
      [
        `{ claimAggregates(filter: { beneficiary: "${WALLET}" }, groupBy: state) { ${sums} } }`,
        `{ claimAggregates(filter: { issuer: "${WALLET}" }, groupBy: state) { ${sums} } }`,
        `{ claims(filter: { beneficiary: "${WALLET}" }) { totalCount nodes { claimId } } }`,
        `{ claims { totalCount } sums: claimAggregates(filter: { beneficiary: "${WALLET}" }) { ${sums} } }`,
      ].map(addsUpRows),
    ).toEqual([true, false, false, true])
  })

  it('leaves to resolvers a filter on the lists of an object that rows share', async () => {
    const filter = 'claims(first: 1, filter: { claimType_gt: 200 }) { nodes { claimId } }'
    const shared = await answerBothWays(`{ claims { nodes { issuer { ${filter} } } } }`)
    expect(shared?.inSql).toBeUndefined()
    const own = await answerBothWays(`{ issuers { nodes { ${filter} } } }`)
    expect(own?.inSql).toBe(own?.resolved)
    expect(own?.inSql).toBeDefined()
  })

  // A field takes two arguments of a function of Postgres, and the object two; 100 is the maximum. An operation selects at most 400 fields.
  it('writes objects of any number of fields, with names of any length', async () => {
    for (const count of [0, 47, 48, 49, 397]) {
      const fields = Array.from({ length: count }, (_, i) => `${'a'.repeat(64)}${i}: claimType`)
      const answers = await answerBothWays(`{ claims(first: 2) { nodes { claimId ${fields.join(' ')} } } }`)
      expect(answers?.inSql).toBeDefined()
      expect(answers?.inSql).toBe(answers?.resolved)
    }
  })
})

describe('random operations', () => {
  let sources: GraphqlSources
  beforeAll(async () => {
    const schema = schemaInSql()
    sources = { schema, scalars: scalarSamples(await collectTexts(app, schema)) }
  })

  it('have the same answer both ways, also where a statement is used again for other variables', async () => {
    let compiled = 0
    const property = fc.asyncProperty(fc.gen(), async (draw) => {
      const documents = Array.from({ length: 2 }, () => graphqlDocument(draw, sources, false))
      for (let sent = 0; sent < REQUESTS; sent += 1) {
        const { query, variables, redraw } = pick(draw, documents)
        const answers = await answerBothWays(query, sent === 0 ? variables : redraw(draw))
        if (answers?.inSql === undefined) continue
        compiled += 1
        expect(answers.inSql).toBe(answers.resolved)
      }
    })
    await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true })
    // The others are beyond a bound, or count what no rollup has.
    expect(compiled).toBeGreaterThan((RUNS * REQUESTS) / 4)
  })
})

describe('the fields that have SQL', () => {
  it('are these', async () => {
    await expect(`${fieldsWithSql().join('\n')}\n`).toMatchFileSnapshot('fields-with-sql.txt')
  })
})
