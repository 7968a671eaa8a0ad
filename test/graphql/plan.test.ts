/**
 * Plans of operations: each is one statement, whose answer is that of the reference implementation over all rows
 * (`oracle/`).
 */
import fc from 'fast-check'
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  parse,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOf } from '../../api/graphql/operation/plan/fields.ts'
import { plan } from '../../api/graphql/operation/plan/plan.ts'
import { toShape } from '../../api/graphql/operation/shape.ts'
import { schema } from '../../api/graphql/schema.ts'
import { createProjectionDb } from '../../api/projection/session/database.ts'
import { loadLabels } from '../../deployments/labels.ts'
import { pick } from '../fuzz/draw.ts'
import { type GraphqlSources, graphqlDocument } from '../fuzz/graphql-document.ts'
import { type ScalarSamples, scalarSamples } from '../fuzz/graphql-input.ts'
import { collectTexts } from '../fuzz/samples.ts'
import { sharedAccount, sharedWorld } from '../support/world.ts'
import { iso } from './calendar.ts'
import { createClient } from './client.ts'
import { createOracle } from './oracle/oracle.ts'
import { createRareWorld } from './oracle/rare-world.ts'
import { withoutHoles } from './oracle/without-holes.ts'
import { asked, connectionsOf, objectType, ordersOf, relationsOf, rowType, selected } from './walk.ts'

const { accounts, claimIds, vaults, manifest, databaseUrl } = sharedWorld()
const GATEWAY = { labels: loadLabels(31_337), router: manifest.contracts.financingRouter }

async function openWorld(url: string) {
  const client = createClient(url)
  return { ...client, answersOf: await createOracle(createProjectionDb(client.pool), GATEWAY) }
}

const shared = await openWorld(databaseUrl)
const { app, ask, takeStatements, pool } = shared

const DAY = 86_400n
const midnight = ((await timeOfBlock()) / DAY) * DAY + DAY
const rareDatabases = [
  await createRareWorld(pool, midnight),
  await createRareWorld(pool, midnight + DAY / 2n),
]
const worlds = [shared, ...(await Promise.all(rareDatabases.map(({ url }) => openWorld(url))))]
afterAll(async () => {
  await Promise.all(worlds.map(({ stop }) => stop()))
  await Promise.all(rareDatabases.map(({ drop }) => drop()))
})

/** Pairs of random documents, and requests of each pair, in random order. */
const RUNS = Number(process.env.PLAN_RUNS ?? 30)
const REQUESTS = 6
const SEED = Number(process.env.PLAN_SEED ?? 18)

const WALLET = sharedAccount('wallet-1').address
const [CLAIM = ''] = claimIds
const [VAULT = ''] = vaults
/** A placeholder of the second value of a request, if clients could guess it. */
const PLACEHOLDER = `0x${'0'.padStart(24, 'f')}${'1'.padStart(16, '0')}`
const ROW = 'claimId faceValue remainingFace state dueDate matured overdueSince daysToDue slicesRemaining'

type Variables = Record<string, unknown>
type Paged = { pageInfo: { hasNextPage: boolean; endCursor: string } }

async function timeOfBlock(): Promise<bigint> {
  const { data } = await ask('{ _meta { finalizedThrough { timestamp } } }')
  return BigInt(Date.parse(data._meta.finalizedThrough.timestamp) / 1000)
}

/** The answer as JSON, or the code of its error, and those that are right. */
async function askBoth(query: string, variables: Variables = {}, { ask, answersOf } = shared) {
  const { data, errors } = await ask(query, variables)
  const given: string = errors ? errors[0].extensions.code : JSON.stringify(data)
  return { data, given, right: answersOf(query, variables) }
}

/** In every world. @returns the data of the shared one, which is right */
async function expectRight(query: string, variables: Variables = {}) {
  const answers = []
  for (const world of worlds) {
    const { data, given, right } = await askBoth(query, variables, world)
    expect([given]).toEqual(right)
    expect(given).toMatch(/^\{/)
    answers.push(data)
  }
  return answers[0]
}

function planOf(query: string | DocumentNode, variableValues: Variables = {}) {
  const document = typeof query === 'string' ? parse(query) : query
  const shape = toShape({ schema, document, variableValues })
  if (!shape) throw new Error('the document has no operation')
  return plan(shape, GATEWAY)
}

const TOKENS: string[] = (await ask('{ tokens { nodes { address } } }')).data.tokens.nodes.map(
  ({ address }: { address: string }) => address,
)
const [TOKEN = ''] = TOKENS
const globalId = (typeAndKey: string) => Buffer.from(typeAndKey).toString('base64')
const PERIOD =
  'start tokenInfo { symbol } faceFinanced advanced effectiveDiscountBps faceRepaid discountEarned outstandingFace outstandingAdvance faceDue overdueFace'
const CAPITAL = 'deposited withdrawn idleAssets assetsAtCost discountEarnedToDate utilizationBps'
const POSITION =
  'shares assets withdrawableNow costBasis deposited withdrawn received sent realizedGain unrealizedGain returnBps since'
const POSITION_PERIOD =
  'start deposited withdrawn received sent shares costBasis assets realizedGainToDate unrealizedGain'
const CHANGE =
  'id kind assets shares counterparty { address } sharesAfter costBasisAfter realizedGainAfter at blockNumber transactionHash'
const HOLDINGS =
  'tokenInfo { symbol } assets withdrawableNow costBasis deposited withdrawn received sent realizedGain unrealizedGain'
const MATURITY =
  'kind start tokenInfo { symbol } outstandingFace outstandingAdvance outstandingDiscount allocations'
const RECORD =
  'issuer { address } tokenInfo { symbol } settled onTime late { upTo1 upTo7 upTo30 upTo90 more } averageDaysLate impaired recovered outstanding overdue cohorts(months: 4) { month face paid paidBps }'
const EXPOSURE = 'tokenInfo { symbol } outstandingFace outstandingAdvance overdueFace'

const CASES: [title: string, query: string][] = [
  ['a list', `{ claims(first: 50) { nodes { ${ROW} } } }`],
  [
    'a page that is exactly full',
    `{ vaults(first: ${vaults.length}) { pageInfo { hasNextPage hasPreviousPage } nodes { address } } }`,
  ],
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
    `{ claim(claimId: "0x${'0'.repeat(64)}") { claimId } claims { nodes { registrationTransaction settlements { nodes { settledAt payer { id } } } } } }`,
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
    'least and greatest amounts, beside sums that a rollup has',
    `{ claimAggregates(groupBy: [state, claimType]) { totalCount nodes { state claimType count faceValue { sum average min max } financedFaceValue { min max } } }
       allocationAggregates(groupBy: [vault, fundedWeek]) { nodes { vault { address } fundedWeek faceAmount { min max } } } executionAggregates { nodes { totalAdvance { min max sum } } } }`,
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
      .slice(0, 10)
      .join(' ')} }`,
  ],
  [
    'executions and their legs',
    '{ executions(first: 20) { nodes { status preparedAt deadline totalCost effectiveDiscountBps legs { effectiveDiscountBps execution { executionId } vault { pricing { premiumBps } } } } } }',
  ],
  ['the finalized block', '{ _meta { __typename finalizedThrough { __typename blockNumber timestamp } } }'],
  [
    'the series of the market',
    `{ day: marketSeries(token: "${TOKEN}") { ${PERIOD} ${CAPITAL} claimsRegistered faceRegistered settlements faceSettled executions }
       week: marketSeries(token: "${TOKEN}", period: week, from: "2025-01-01T00:00:00Z") { ${PERIOD} ${CAPITAL} }
       none: marketSeries(token: "0x${'1'.repeat(40)}", period: month) { ${PERIOD} ${CAPITAL} } }`,
  ],
  [
    'the series of vaults and issuers',
    `{ vaults(first: 2) { nodes { days: series { ${PERIOD} ${CAPITAL} allocations totalAssets sharePrice yieldToDateBps } months: series(period: month) { start sharePrice overdueFace } } }
       issuers(first: 3) { nodes { series(token: "${TOKEN}", period: month) { ${PERIOD} claimsRegistered allocations } } } }`,
  ],
  [
    'the series of positions',
    `{ vaultPositions(first: 4, withoutShares: true) { nodes { days: series { ${POSITION_PERIOD} } months: series(period: month, from: "2025-01-01T00:00:00Z") { start shares unrealizedGain } } } }`,
  ],
  [
    'the movements of positions',
    `{ vaultPositions(first: 5) { nodes { movements(first: 2, filter: { kind_not: SENT }) { totalCount nodes { ${CHANGE} } pageInfo { hasNextPage endCursor } } all: movements(orderBy: assets) { totalCount edges { cursor } } } }
       positionChanges(first: 20, filter: { owner_not: "${WALLET}" }) { totalCount edges { cursor node { vault { name } owner { address } ${CHANGE} } } } }`,
  ],
  [
    'holdings of accounts in a token',
    `{ account(address: "${WALLET}") { holdings(token: "${TOKEN}") { ${HOLDINGS} } none: holdings(token: "0x${'1'.repeat(40)}") { ${HOLDINGS} } }
       vaultPositions(first: 5) { nodes { owner { holdings(token: "${TOKEN}") { ${HOLDINGS} } } } } }`,
  ],
  [
    'exposures and overdue face',
    `{ marketExposure(token: "${TOKEN}") { ${EXPOSURE} } none: marketExposure(token: "0x${'1'.repeat(40)}") { ${EXPOSURE} }
       issuers { nodes { exposure(token: "${TOKEN}") { ${EXPOSURE} } } } vaults { nodes { capital { overdueFace outstandingFace } } } }`,
  ],
  [
    'maturities of owners in several tokens',
    `{ all: marketMaturities(token: "${TOKEN}", periods: 2) { ${MATURITY} } none: marketMaturities(token: "0x${'1'.repeat(40)}", period: day, periods: 1) { ${MATURITY} }
       issuers(first: 3) { nodes { maturities(token: "${TOKEN}", period: week, periods: 6) { ${MATURITY} } } }
       claims(first: 5) { nodes { beneficiary { maturities(token: "${TOKEN}", from: "2040-02-29T12:00:00Z", periods: 2) { ${MATURITY} } } } } }`,
  ],
  [
    'maturities of vaults',
    `{ vaults { nodes { days: maturities(period: day, periods: 3) { ${MATURITY} } late: maturities(from: "9999-12-31T00:00:00Z", period: day) { kind start outstandingFace } } } }`,
  ],
  [
    'the concentration of vaults',
    `{ vaults(first: 20) { nodes { concentration { byIssuer(first: 150) { issuer { address } outstandingFace shareBps } two: byIssuer(first: 2) { shareBps } herfindahlBps weightedDaysToDue weightedDiscountBps } } } }`,
  ],
  [
    'how issuers pay',
    `{ paymentRecords(orderBy: settled, orderDirection: desc) { totalCount nodes { id ${RECORD} } }
       issuers(first: 3) { nodes { paymentRecord(token: "${TOKEN}") { ${RECORD} year: cohorts { month } } none: paymentRecord(token: "0x${'1'.repeat(40)}") { settled } } } }`,
  ],
  [
    'payment records by average delay',
    `{ all: paymentRecords(filter: { averageDaysLate_gte: -0.5, averageDaysLate_lt: 1e308 }) { totalCount } late: paymentRecords(filter: { averageDaysLate_gt: 1e-7 }) { nodes { id } }
       some: paymentRecords(filter: { OR: [{ averageDaysLate_in: [0, 7.29] }, { averageDaysLate_gt: 2.005, averageDaysLate_not: 3.14 }], settled_gt: "0" }) { nodes { id } } }`,
  ],
  [
    'the value of shares',
    '{ vaults { nodes { shareDecimals capital { totalAssets entryAssets sharePrice entryPrice yieldToDateBps writtenDown fundableLiquidity utilizationBps } mandate { supportedTypes } } } }',
  ],
  [
    'the value of positions',
    `{ vaultPositions(first: 50, withoutShares: true) { nodes { vault { name } owner { address } ${POSITION} } } account(address: "${WALLET}") { positions { nodes { ${POSITION} } } } }`,
  ],
  [
    'annualized returns',
    '{ vaults { nodes { returns { last7DaysBps last30DaysBps last90DaysBps toDateBps } } } }',
  ],
  [
    'credits, without those that are withdrawn',
    '{ claims(first: 200) { nodes { beneficiary { credits { tokenInfo { symbol } amount } } } } }',
  ],
  [
    'terms of a claim type',
    '{ vaultTerms(claimType: 1, orderBy: totalBpsNow) { totalCount edges { cursor node { id vault { name } totalBps(daysToDue: 45) claimTypeLabel } } } vaults { nodes { terms { claimType totalBpsMonth } } } }',
  ],
  [
    'objects by their ids',
    `{ claim: node(id: "${globalId(`Claim:${CLAIM}`)}") { id __typename ... on Claim { claimId state } }
       none: node(id: "${globalId('Claim:0x1')}") { id } account: node(id: "${globalId(`Account:${WALLET.toLowerCase()}`)}") { ... on Account { address claims(first: 2) { nodes { claimId } } } }
       nodes(ids: ["${globalId(`Vault:${VAULT}`)}", "${globalId('Allocation:0x1-0')}", "${globalId(`Claim:${CLAIM}`)}", "${globalId(`Vault:${VAULT}`)}"]) { id ... on Vault { name } ... on Claim { issuer { address } } } }`,
  ],
  [
    'events and their subjects',
    '{ activity(first: 100) { nodes { kind claim { claimId } vault { address } execution { executionId } } } claims { nodes { activity { kind } legs { legIndex } } } }',
  ],
]

describe('an operation', () => {
  it.each(CASES)('answers %s', async (_, query) => {
    await expectRight(query)
  })

  it('answers an execution of the projection, which has it in every status', async () => {
    const { data } = await ask('{ executions(first: 1) { nodes { executionId } } }')
    const [{ executionId: id }] = data.executions.nodes
    await expectRight('query ($id: Hash!) { execution(executionId: $id) { id status legs { legIndex } } }', {
      id,
    })
  })

  it('takes variables, defaults and conditions', async () => {
    const query = `query ($id: Hash!, $wallet: Address!, $is: Boolean!, $first: Int = 2, $order: ClaimOrderBy = faceValue, $filter: ClaimFilter) {
      claim(claimId: $id) { claimId state @include(if: $is) faceValue @skip(if: $is) }
      account(address: $wallet) { claims(first: $first, orderBy: $order, filter: $filter) { nodes { ...row @include(if: $is) faceValue } pageInfo { endCursor } } }
    } fragment row on Claim { claimId }`
    for (const is of [true, false]) {
      for (const filter of [undefined, null, {}, { claimType_in: [0, 1, 2] }])
        await expectRight(query, { id: CLAIM, wallet: WALLET, is, filter })
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
    const [one = '', other = ''] = claimIds
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
    for (const variables of [...shapes, ...shapes]) await expectRight(query, variables)
  })

  it('has every digit of the amounts of its request', () => {
    const document = parse(
      'query ($than: Amount) { claims(filter: { faceValue_gt: $than }) { nodes { claimId } } }',
    )
    const amounts = [2n ** 53n, 2n ** 53n + 1n]
    const values = amounts.flatMap((than) => planOf(document, { than: String(than) }).statement.values)
    expect(values.filter((value) => typeof value === 'bigint')).toEqual(amounts)
  })

  it('continues at a cursor of either way, in any order', async () => {
    for (const order of ['dueDate', 'faceValue', 'registeredAt']) {
      const query = `query ($after: String, $before: String) { claims(first: 7, after: $after, before: $before, orderBy: ${order}) { nodes { claimId } pageInfo { hasPreviousPage hasNextPage startCursor endCursor } } }`
      let after: string | null = null
      let pages = 0
      do {
        const { pageInfo }: Paged = (await expectRight(query, { after })).claims
        await expectRight(query, { after, before: pageInfo.endCursor })
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null
        pages += 1
      } while (after !== null)
      expect(pages).toBe(Math.ceil(claimIds.length / 7))
    }
  })

  it('continues groups at a cursor, whatever they are ordered by', async () => {
    for (const order of ['key', 'count', 'faceAmount']) {
      const query = `query ($after: String) { allocationAggregates(first: 3, after: $after, groupBy: [vault, fundedMonth], orderBy: ${order}, orderDirection: desc) { nodes { vault { address } fundedMonth count } pageInfo { hasNextPage endCursor } } }`
      let after: string | null = null
      do {
        const { pageInfo }: Paged = (await expectRight(query, { after })).allocationAggregates
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null
      } while (after !== null)
    }
  })

  it('is the same statement for all pages of a document, because all arguments that are texts are cursors', async () => {
    const { data } = await ask('{ claims(first: 9) { edges { cursor } } }')
    const cursors: string[] = data.claims.edges.map(({ cursor }: { cursor: string }) => cursor)
    const query = 'query ($at: String!) { claims(first: 3, after: $at) { edges { cursor } } }'
    const statements = cursors.map((at) => planOf(query, { at }).statement)
    expect(new Set(statements.map(({ text }) => text)).size).toBe(1)
    expect(new Set(statements.map(({ values }) => JSON.stringify(values))).size).toBe(cursors.length)

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
    const write = (...parts: string[]) =>
      Buffer.from(JSON.stringify(['faceValue', ...parts])).toString('base64url')
    await expectRight(query, { after: write('1000000000', '8388608') })
    await expectRight(query, { after: write('1000000000', '9'.repeat(40)) })
    for (const key of [
      ['01000000000', '8388608'],
      ['9'.repeat(101), '8388608'],
      ['1000000000', '08388608'],
      ['1000000000', '-1'],
      ['1000000000', ''],
      ['1000000000', CLAIM],
      [CLAIM, '1000000000'],
    ]) {
      const { data, errors } = await ask(query, { after: write(...key) })
      expect([key, data ?? null, errors?.[0].extensions.code]).toEqual([key, null, 'VALIDATION_FAILED'])
      expect(errors?.[0].message).toContain('after: must be a cursor of an earlier page')
    }
  })

  it('sends exactly one statement, in no transaction', async () => {
    // The first read of a connection sets it up.
    await ask('{ claims(first: 1) { nodes { claimId } } }')
    for (const query of [
      '{ claims(first: 200) { nodes { claimId allocations { vault { address } } } totalCount } vaults { nodes { address } } }',
      '{ claims(first: 3, filter: { state: SETTLED }) { nodes { claimId } } }',
      '{ claimAggregates(groupBy: state) { nodes { state count faceValue { sum } } } claims(first: 1) { nodes { claimId } } }',
      '{ _meta { finalizedThrough { blockNumber } } }',
      `{ marketSeries(token: "${TOKEN}") { start overdueFace idleAssets } vaults { nodes { series { sharePrice } } } }`,
      `{ marketExposure(token: "${TOKEN}") { overdueFace } issuers { nodes { exposure(token: "${TOKEN}") { outstandingFace } } } }`,
      '{ vaults { nodes { capital { overdueFace } maturities { outstandingFace } } } }',
      '{ vaults { nodes { concentration { herfindahlBps byIssuer { shareBps } } } } }',
      '{ paymentRecords { nodes { impaired overdue cohorts { paid } } } }',
      `{ account(address: "${WALLET}") { holdings(token: "${TOKEN}") { assets unrealizedGain } } }`,
      '{ vaultPositions { nodes { assets withdrawableNow unrealizedGain returnBps } } }',
      '{ vaultPositions { nodes { series { assets realizedGainToDate } } } }',
      `{ claimAggregates(filter: { beneficiary: "${WALLET}" }, groupBy: state) { nodes { faceValue { min max } } } }`,
      '{ vaultTerms(claimType: 1) { nodes { totalBpsNow vault { name } } } }',
      `{ node(id: "${globalId(`Claim:${CLAIM}`)}") { ... on Claim { state issuer { active } } } }`,
      `{ nodes(ids: ["${globalId(`Claim:${CLAIM}`)}", "${globalId(`Vault:${VAULT}`)}"]) { id ... on Claim { state } ... on Vault { name } } }`,
    ]) {
      takeStatements()
      const { data, errors } = await ask(query)
      expect([query, errors]).toEqual([query, undefined])
      expect(Object.values(data)).not.toContain(null)
      // The plan of a filter is looked at first.
      const reads = takeStatements().filter((text) => !text.startsWith('explain'))
      expect([query, reads.length]).toEqual([query, 1])
    }
  })

  it('has the estimate of the planner for rows that no parent bounds', async () => {
    const query = '{ claimAggregates(groupBy: state) { nodes { faceValue { min } } } }'
    takeStatements()
    await expectRight(query)
    expect(takeStatements().filter((text) => text.startsWith('explain'))).toHaveLength(1)
  })

  it('adds up rows where it has sums, those of totals too', () => {
    const sums = 'nodes { faceValue { sum } }'
    expect(
      [
        `{ claimAggregates(filter: { beneficiary: "${WALLET}" }, groupBy: state) { ${sums} } }`,
        `{ claimAggregates(filter: { issuer: "${WALLET}" }, groupBy: state) { ${sums} } }`,
        `{ claimAggregates(filter: { issuer: "${WALLET}" }, groupBy: state) { nodes { faceValue { max } } } }`,
        `{ claims(filter: { beneficiary: "${WALLET}" }) { totalCount nodes { claimId } } }`,
        `{ claims { totalCount } sums: claimAggregates(filter: { beneficiary: "${WALLET}" }) { ${sums} } }`,
      ].map((query) => planOf(query).statement.addsUpRows),
    ).toEqual([true, true, true, false, true])
  })

  it('answers a filter on the lists of an object, also where rows share the object', async () => {
    const filter = 'claims(first: 1, filter: { claimType_gt: 200 }) { totalCount nodes { claimId } }'
    await expectRight(`{ claims { nodes { issuer { ${filter} } } } }`)
    await expectRight(`{ issuers { nodes { ${filter} } } }`)
  })

  it.each([
    ['a page in two directions', '{ claims(first: 1, last: 1) { totalCount } }'],
    ['a page that is too large', '{ vaults { nodes { allocations(first: 201) { totalCount } } } }'],
    ['an id of no object', '{ node(id: "Q2xhaW0") { id } }'],
    ['an id of a type without ids', `{ nodes(ids: ["${globalId('Credit:0x1-0x2')}"]) { id } }`],
    [
      'a series that ends before it begins',
      `{ marketSeries(token: "${TOKEN}", from: "2025-01-02T00:00:00Z", to: "2025-01-02T00:00:00Z") { start } }`,
    ],
    [
      'a series that is too long',
      `{ marketSeries(token: "${TOKEN}", from: "2000-01-02T00:00:00Z") { start } }`,
    ],
    ['a type of claims beyond 255', '{ vaultTerms(claimType: 256) { totalCount } }'],
    ['days beyond a century', '{ vaultTerms(claimType: 1) { nodes { totalBps(daysToDue: 36501) } } }'],
    ['shares of no issuer', '{ vaults { nodes { concentration { byIssuer(first: 0) { shareBps } } } } }'],
    ['a ladder without periods', `{ marketMaturities(token: "${TOKEN}", periods: 0) { kind } }`],
    [
      'five groupings',
      '{ claimAggregates(groupBy: [state, issuer, beneficiary, claimType, dueDay]) { totalCount } }',
    ],
  ])('refuses %s', async (_, query) => {
    const { given, right } = await askBoth(query)
    expect([given, right]).toEqual(['VALIDATION_FAILED', ['VALIDATION_FAILED']])
  })

  // A field takes two arguments of a function of Postgres, and the object two; 100 is the maximum. An operation selects
  // at most 400 fields.
  it('writes objects of any number of fields, with names of any length', async () => {
    for (const count of [0, 47, 48, 49, 397]) {
      const fields = Array.from({ length: count }, (_, i) => `${'a'.repeat(64)}${i}: claimType`)
      const query = `{ claims(first: 2) { nodes { claimId ${fields.join(' ')} } } }`
      // The gateway has lower bounds for aliases and their length.
      const { text, values } = planOf(query).statement
      const { rows } = await pool.query(text, [...values])
      expect(JSON.stringify(JSON.parse(rows[0].data))).toBe(shared.answersOf(query)[0])
    }
  })
})

const lists = connectionsOf(objectType('Query')).map((list) => [list.name, list] as const)

/** Every field of a row, and the plain ones of what it refers to. */
function everythingOf(row: GraphQLObjectType): string {
  const plain = Object.values(row.getFields()).filter(
    ({ type, args }) => args.length === 0 && isLeafType(getNamedType(type)),
  )
  const relations = relationsOf(row).filter(({ name }) => !LEFT_OUT.includes(name))
  return [...plain.map(({ name }) => name), ...relations.map((relation) => selected(relation, 2))].join(' ')
}

/** Balances are read from the chain, and a series has its own cases. */
const LEFT_OUT = ['balances', 'series']

/** Arguments by which all groupings are groupings of some request. */
function groupingsOf({ args }: GraphQLField<unknown, unknown>): { [argument: string]: string }[] {
  const type = args.find(({ name }) => name === 'groupBy')?.type
  const named = type && getNamedType(type)
  return isEnumType(named) ? named.getValues().map(({ name }) => ({ groupBy: `[${name}]` })) : [{}]
}

describe.each(lists)('the list %s', (_, list) => {
  it('has every field of its rows', async () => {
    const row = everythingOf(rowType(getNamedType(list.type)))
    for (const groupBy of groupingsOf(list))
      await expectRight(`{ ${asked(list, { first: '12', ...groupBy })} { totalCount nodes { ${row} } } }`)
  })

  it('has all cursors of every order', async () => {
    for (const orderBy of ordersOf(list))
      for (const orderDirection of ['asc', 'desc'])
        await expectRight(
          `{ ${asked(list, { first: '200', orderBy, orderDirection })} { edges { cursor } } }`,
        )
  })
})

it('pending terms have every type that they support', async () => {
  const mandate = 'mandate { supportedTypes supportedTypesBitmap }'
  await expectRight(`{ vaults(first: 200) { nodes { address ${mandate} pendingTerms { ${mandate} } } } }`)
})

it('accounts have every field', async () => {
  for (const { address } of accounts)
    await expectRight(`{ account(address: "${address}") { ${everythingOf(objectType('Account'))} } }`)
})

describe.each(['day', 'week', 'month'])('series per %s', (period) => {
  const [day, second] = [iso(midnight - 200n * DAY), iso(midnight - 9n * DAY - 1n)]
  const RANGES = [
    '',
    `, from: "${day}"`,
    `, from: "${second}", to: "${iso(midnight - DAY)}"`,
    `, to: "${iso(midnight + 1n)}"`,
  ]

  it.each(RANGES)('have every figure of vaults, issuers and tokens%s', async (range) => {
    const fields = (type: string) => everythingOf(objectType(type))
    for (const token of TOKENS) {
      await expectRight(
        `{ marketSeries(token: "${token}", period: ${period}${range}) { ${fields('MarketPeriod')} } }`,
      )
      await expectRight(
        `{ issuers(first: 1) { nodes { series(token: "${token}", period: ${period}${range}) { ${fields('IssuerPeriod')} } } } }`,
      )
    }
    for (const vault of vaults.slice(0, 3))
      await expectRight(
        `{ vault(address: "${vault}") { series(period: ${period}${range}) { ${fields('VaultPeriod')} } } }`,
      )
  })
})

/** Samples with more that hits: midnights, seconds around the blocks, and tokens as often as other addresses. */
function samplesOf(texts: readonly string[]): ScalarSamples {
  const samples = scalarSamples(texts)
  const times = ['DateTime'].flatMap((scalar) => samples[scalar] ?? []).map(String)
  const midnights = times.map((time) => `${time.slice(0, 10)}T00:00:00Z`)
  const seconds = [midnight, midnight + DAY / 2n].flatMap((now) => [now - 1n, now, now + 1n].map(iso))
  const tokens = Array.from({ length: 10 }, () => TOKENS).flat()
  return {
    ...samples,
    DateTime: [...times, ...new Set(midnights), ...seconds],
    Address: [...(samples.Address ?? []), ...tokens],
  }
}

describe('random operations', () => {
  let sources: GraphqlSources
  beforeAll(async () => {
    const drawn = withoutHoles(schema)
    sources = { schema: drawn, scalars: samplesOf(await collectTexts(app, drawn)) }
  })

  it('have the expected answer, also where a statement is used again for other variables', async () => {
    let answered = 0
    const property = fc.asyncProperty(fc.gen(), async (draw) => {
      const documents = Array.from({ length: 2 }, () => graphqlDocument(draw, sources, false))
      for (let sent = 0; sent < REQUESTS; sent += 1) {
        const { query, variables, redraw } = pick(draw, documents)
        const own = sent === 0 ? variables : redraw(draw)
        const { given, right } = await askBoth(query, own, pick(draw, worlds))
        if (given === 'QUERY_TOO_COMPLEX') continue
        expect(right, `${query} ${JSON.stringify(own)}`).toContain(given)
        answered += 1
      }
    })
    await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true })
    // The others are beyond a bound.
    expect(answered).toBeGreaterThan((RUNS * REQUESTS) / 2)
  })
})

const STRUCTURE = /(Connection|Edge|PageInfo)$/

describe('every field', () => {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  const rows = types.filter(({ name }) => !name.startsWith('__') && !STRUCTURE.test(name))

  it.each(rows.map((type) => [type.name, type] as const))(
    'of the type %s declares how it is read',
    (_, type) => {
      const isNode = type.getInterfaces().some(({ name }) => name === 'Node')
      const fields = Object.values(type.getFields()).filter(({ name }) => !isNode || name !== 'id')
      for (const field of fields) expect(() => readOf(field), field.name).not.toThrow()
    },
  )
})
