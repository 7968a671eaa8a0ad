import { parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressInput } from '../../api/domain/address.ts'
import { plan } from '../../api/graphql/operation/plan/plan.ts'
import { prepareOperation } from '../../api/graphql/operation/run.ts'
import { schema } from '../../api/graphql/schema.ts'
import { type Example, examples } from '../../api/graphql/serve/examples.ts'
import { bindPast } from '../../api/projection/past/at.ts'
import { createProjectionDb } from '../../api/projection/session/database.ts'
import { openSnapshot } from '../../api/projection/session/snapshot.ts'
import { readBalances, readEntries, type StatementEntry } from '../../api/projection/statements/statement.ts'
import { loadLabels } from '../../deployments/labels.ts'
import { type Answer, createClient } from '../graphql/client.ts'
import { asked, connectionsOf, objectType, ordersOf } from '../graphql/walk.ts'
import { createDatabase } from '../support/postgres.ts'
import { BIG_TABLES, CLAIMS, makeLarge, SAMPLES } from './large.ts'

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

let database: Awaited<ReturnType<typeof createDatabase>>
let client: ReturnType<typeof createClient>
let wallet: string
let vault: string
let issuer: string

beforeAll(async () => {
  database = await createDatabase()
  client = createClient(database.url)
  await makeLarge(client.pool)
  wallet = (await client.pool.query(SAMPLES.wallet)).rows[0].id
  issuer = (await client.pool.query(SAMPLES.issuer)).rows[0].id
  vault = (await client.pool.query(SAMPLES.vault)).rows[0].id
})
afterAll(async () => {
  await client.stop()
  await database.drop()
})

/** Rows after the cursor of a page far down a list. */
const ROWS_LEFT = 200

/** Reads of an operation's statements: the tables they scan from end to end, and how many blocks they touch. */
async function examine(query: string, variables: Record<string, unknown> = {}) {
  client.takeCalls()
  const { data, errors } = await client.ask(query, variables)
  expect(errors).toBeUndefined()
  const calls = client
    .takeCalls()
    .filter(({ text }) => text.includes('"projection"') && !text.startsWith('explain'))
  const scanned: string[] = []
  let blocks = 0
  for (const { text, values, isPrepared } of calls) {
    if (isPrepared) scanned.push(...(await scannedInGenericPlan(text)))
    const { rows } = await client.pool.query(`explain (analyze, buffers, format json) ${text}`, [...values])
    const root: Plan = rows[0]['QUERY PLAN'][0].Plan
    blocks += root['Shared Hit Blocks'] + root['Shared Read Blocks']
    scanned.push(...seqScans(root).filter((table) => BIG_TABLES.includes(table)))
  }
  expect(calls.length).toBeGreaterThan(0)
  return { data, scanned, blocks }
}

const VALUE = 'totalAssets entryAssets sharePrice entryPrice yieldToDateBps writtenDown overdueFace'
const CAPITAL = `${VALUE} fundableLiquidity outstandingFace outstandingAdvance totalShares discountEarned`
const GAINS = 'assets withdrawableNow realizedGain unrealizedGain returnBps'
const POSITION = `${GAINS} shares costBasis deposited withdrawn received sent since`

/** Lists with a past, and fields that change. */
const COST_OF_PAST: ReadonlyMap<string, string> = new Map([
  ['claims', 'state financedFaceValue paidFaceValue sliceCount changedAt'],
  ['allocations', 'paidFace repaidFace repaidAt'],
  ['executions', 'totalFace'],
  ['executionLegs', 'faceAmount'],
  ['legs', 'faceAmount'],
  ['activity', 'amount'],
  ['capitalChanges', 'amount'],
  ['capitalHistory', 'amount'],
  ['positionChanges', 'assets'],
  ['vaults', `active curator { address } mandate { minFace } capital { ${CAPITAL} }`],
  ['vaultPositions', POSITION],
  ['positions', POSITION],
])

/** Orders of lists with other orders by columns that change, which read all rows as of a block. */
const UNCHANGED_ORDERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['vaults', ['registeredAt']],
  ['vaultPositions', ['vault', 'owner']],
  ['positions', ['vault', 'owner']],
])

/** A block of the large projection, in which each has one claim: 25,000 claims are of later ones. */
const PAST_BLOCK = 225_000n
/** In the middle of the histories of vaults and positions, whose rows are those of the present. */
const MIDDLE_BLOCK = 120_000n

/** Examines an operation as of a block, which no chain has. */
async function examineAsOf(query: string, blockNumber: bigint) {
  const past = { blockNumber, timestamp: 1_600_000_000n + blockNumber * 240n }
  const { shape } = prepareOperation({ schema, document: parse(query), variableValues: {} })
  const { statement, pasts } = plan(shape, { labels: loadLabels(31_337), router: '0x' })
  const values = bindPast(statement.values, new Map(pasts.map(({ field }) => [field, past])))
  const { rows } = await client.pool.query(statement.text, [...values])
  const explained = await client.pool.query(`explain (analyze, buffers, format json) ${statement.text}`, [
    ...values,
  ])
  const root: Plan = explained.rows[0]['QUERY PLAN'][0].Plan
  return {
    rows: rows[0].data.split('__typename').length - 1,
    scanned: seqScans(root).filter((table) => BIG_TABLES.includes(table)),
    blocks: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
  }
}

/** The tables that a prepared statement scans whatever its parameters are. */
async function scannedInGenericPlan(text: string): Promise<string[]> {
  const { rows } = await client.pool.query(`explain (generic_plan, format json) ${text}`)
  return seqScans(rows[0]['QUERY PLAN'][0].Plan).filter((table) => BIG_TABLES.includes(table))
}

function seqScans(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []
  return [...own, ...(plan.Plans ?? []).flatMap(seqScans)]
}

/** Blocks that a page of 50 rows may touch: a few for each row, never a part of the table. */
const BLOCKS_MAX = 1800

/** Blocks by which pages of one list may differ: paths down an index, other blocks of rows. */
const MORE_BLOCKS = 50

type Rows = {
  nodes: object[]
  pageInfo: { startCursor: string; endCursor: string; hasPreviousPage: boolean }
}

const PAGE = '{ nodes { __typename id } pageInfo { startCursor endCursor hasPreviousPage } }'

/** Every list of the schema that has orders, and the object it belongs to. */
const lists = (['Query', 'Account', 'Vault', 'Issuer'] as const).flatMap((place) =>
  connectionsOf(objectType(place))
    .filter((list) => !list.name.endsWith('Aggregates') && ordersOf(list).length > 0)
    .map((list) => [place, list] as const),
)

type Samples = { wallet: string; vault: string; issuer: string }

function within(place: 'Query' | 'Account' | 'Vault' | 'Issuer', inner: string, samples: Samples): string {
  if (place === 'Query') return `{ ${inner} }`
  if (place === 'Account') return `{ account(address: "${samples.wallet}") { ${inner} } }`
  if (place === 'Vault') return `{ vault(address: "${samples.vault}") { ${inner} } }`
  return `{ issuer(address: "${samples.issuer}") { ${inner} } }`
}

/** The one page in an answer, however deep. */
function pageIn(data: object): Rows {
  const [inner] = Object.values(data)
  return 'pageInfo' in inner ? inner : pageIn(inner)
}

const CLAIM = '{ nodes { claimId state } pageInfo { endCursor startCursor hasNextPage } }'

const shapes: [title: string, query: string][] = [
  ['claims by time of registration', `{ claims(first: 50) ${CLAIM} }`],
  ['claims by due date', `{ claims(first: 50, orderBy: dueDate, orderDirection: asc) ${CLAIM} }`],
  ['claims by face value', `{ claims(first: 50, orderBy: faceValue) ${CLAIM} }`],
  ['the last claims', `{ claims(last: 50, orderBy: dueDate) ${CLAIM} }`],
  [
    'claims due in a month',
    `{ claims(first: 50, orderBy: dueDate, orderDirection: asc, filter: { dueDate_gte: "2021-01-01T00:00:00Z", dueDate_lt: "2021-02-01T00:00:00Z" }) ${CLAIM} }`,
  ],
  [
    'open claims, the next due first',
    `{ claims(first: 50, orderBy: dueDate, orderDirection: asc, filter: { state_in: [ELIGIBLE, PARTIALLY_FUNDED] }) ${CLAIM} }`,
  ],
  [
    'financeable claims, the next due first',
    `{ claims(first: 50, orderBy: dueDate, orderDirection: asc, filter: { financeable: true }) ${CLAIM} }`,
  ],
  ['financeable claims, the latest first', `{ claims(first: 50, filter: { financeable: true }) ${CLAIM} }`],
  [
    'claims that are not due, the next due first',
    `{ claims(first: 50, orderBy: dueDate, orderDirection: asc, filter: { matured: false }) ${CLAIM} }`,
  ],
  ['claims of active issuers', `{ claims(first: 50, filter: { issuerActive: true }) ${CLAIM} }`],
  ['claims of inactive issuers', `{ claims(first: 50, filter: { issuerActive: false }) ${CLAIM} }`],
  [
    'open claims of a token, the next due first',
    `query ($token: Address) { claims(first: 50, orderBy: dueDate, orderDirection: asc, filter: { token: $token, state_in: [ELIGIBLE, PARTIALLY_FUNDED] }) ${CLAIM} }`,
  ],
  ['claims in a state', `{ claims(first: 50, filter: { state: PARTIALLY_FUNDED }) ${CLAIM} }`],
  ['claims of a token', `query ($token: Address) { claims(first: 50, filter: { token: $token }) ${CLAIM} }`],
  [
    'claims of a wallet',
    `query ($wallet: Address!) { account(address: $wallet) { claims(first: 50) ${CLAIM} } }`,
  ],
  [
    'claims of a wallet in a state',
    `query ($wallet: Address!) { account(address: $wallet) { claims(first: 50, filter: { state: SETTLED }) ${CLAIM} } }`,
  ],
  [
    'claims of an issuer',
    `query ($issuer: Address!) { claims(first: 50, filter: { issuer: $issuer }) ${CLAIM} }`,
  ],
  [
    'claims of an owner, the largest first',
    `query ($wallet: Address!) { claims(first: 50, filter: { beneficiary: $wallet }, orderBy: faceValue) ${CLAIM} }`,
  ],
  [
    'claims of a type that none has, the next due first',
    `{ claims(first: 50, orderBy: dueDate, orderDirection: asc, filter: { claimType: 200 }) ${CLAIM} }`,
  ],
  ['claims of every issuer', `{ issuers(first: 50) { nodes { claims(first: 5) { nodes { claimId } } } } }`],
  [
    'claims with all that belongs to them',
    `{ claims(first: 10) { nodes { allocations { vault { name } execution { legs { claim { state } } } } settlements(first: 1) { nodes { settledAt } } issuer { active } } } }`,
  ],
  ['executions by time', `{ executions(first: 50) { nodes { executionId legs { faceAmount } } } }`],
  [
    'executions of a wallet',
    `query ($wallet: Address!) { account(address: $wallet) { executions(first: 50) { nodes { executionId } } } }`,
  ],
  [
    'activity of a wallet',
    `query ($wallet: Address!) { account(address: $wallet) { activity(first: 50) { nodes { kind } } } }`,
  ],
  [
    'activity of the last hour, and of one long ago',
    `{ late: activity(first: 50, filter: { at_gte: "2020-10-11T09:00:00Z" }) { nodes { kind } }
       early: activity(first: 50, filter: { at_gte: "2020-10-01T00:00:00Z", at_lt: "2020-10-01T01:00:00Z" }) { nodes { kind } } }`,
  ],
  [
    'changes of capital of an hour',
    `{ capitalChanges(first: 50, orderDirection: asc, filter: { at_gte: "2021-03-01T00:00:00Z", at_lt: "2021-03-01T01:00:00Z" }) { nodes { kind } } }`,
  ],
  ['activity of all', `{ activity(first: 50) { nodes { kind } } }`],
  ['settlements by time', `{ settlements(first: 50) { nodes { faceAmount } } }`],
  [
    'settlements a wallet paid',
    `query ($wallet: Address!) { account(address: $wallet) { settlementsPaid(first: 50) { nodes { faceAmount } } } }`,
  ],
  [
    'allocations of a vault',
    `query ($vault: Address!) { vault(address: $vault) { allocations(first: 50) { nodes { faceAmount } } } }`,
  ],
  [
    'capital history of every vault',
    `{ vaults(first: 20) { nodes { capitalHistory(first: 5) { nodes { amount } } } } }`,
  ],
]

const TWO_YEARS = 'period: month, from: "2020-07-01T00:00:00Z", to: "2022-07-01T00:00:00Z"'

const series: [title: string, query: string][] = [
  [
    'the market by month',
    `query ($token: Address!) { marketSeries(token: $token, ${TWO_YEARS}) { start faceFinanced advanced claimsRegistered } }`,
  ],
  [
    'a vault by month',
    `query ($vault: Address!) { vault(address: $vault) { series(${TWO_YEARS}) { start faceFinanced advanced } } }`,
  ],
  [
    'an issuer by month',
    `query ($issuer: Address!, $token: Address!) { issuer(address: $issuer) { series(token: $token, ${TWO_YEARS}) { start faceFinanced advanced } } }`,
  ],
]

const GROUP = 'nodes { tokenInfo { address } count } pageInfo { hasNextPage }'
const EVERYTHING = 'nodes { count faceValue { sum average min max } } totalCount'

const aggregates: [title: string, query: string][] = [
  ['claims by state', `{ claimAggregates(groupBy: [state]) { ${GROUP} totalCount } }`],
  [
    'claims of a state by issuer and type, the largest face first',
    `{ claimAggregates(filter: { state: SETTLED }, groupBy: [issuer, claimType], orderBy: faceValue, orderDirection: desc) { ${GROUP} } }`,
  ],
  [
    'claims registered in a month, with extremes',
    `{ claimAggregates(filter: { registeredAt_gte: "2021-03-01T00:00:00Z", registeredAt_lt: "2021-04-01T00:00:00Z" }, groupBy: [state, registeredDay]) { ${EVERYTHING} } }`,
  ],
  [
    'claims due in a month by week',
    `{ claimAggregates(filter: { dueDate_gte: "2021-03-01T00:00:00Z", dueDate_lt: "2021-04-01T00:00:00Z" }, groupBy: [dueWeek]) { ${EVERYTHING} } }`,
  ],
  [
    'claims of a wallet by month',
    `query ($wallet: Address!) { claimAggregates(filter: { beneficiary: $wallet }, groupBy: [registeredMonth, state]) { ${EVERYTHING} } }`,
  ],
  [
    'claims of an issuer by the month they are due in, with extremes',
    `query ($issuer: Address!) { claimAggregates(filter: { issuer: $issuer }, groupBy: [dueMonth]) { ${EVERYTHING} } }`,
  ],
  ['executions by month', `{ executionAggregates(groupBy: [executedMonth]) { ${GROUP} totalCount } }`],
  [
    'executions of a wallet by kind',
    `query ($wallet: Address!) { executionAggregates(filter: { user: $wallet }, groupBy: [kind]) { nodes { count totalFace { min } } } }`,
  ],
  ['allocations by vault', `{ allocationAggregates(groupBy: [vault]) { ${GROUP} totalCount } }`],
  ['allocations by issuer and week', `{ allocationAggregates(groupBy: [issuer, fundedWeek]) { ${GROUP} } }`],
  [
    'allocations of a vault by issuer and type',
    `query ($vault: Address!) { allocationAggregates(filter: { vault: $vault }, groupBy: [issuer, claimType]) { nodes { count faceAmount { max } } } }`,
  ],
  ['settlements by month', `{ settlementAggregates(groupBy: [settledMonth]) { ${GROUP} } }`],
  [
    'settlements a wallet paid',
    `query ($wallet: Address!) { settlementAggregates(filter: { payer: $wallet }, groupBy: [settledMonth]) { ${EVERYTHING.replace('faceValue', 'faceAmount')} } }`,
  ],
  ['vaults by whether they are active', `{ vaultAggregates(groupBy: [active]) { ${GROUP} } }`],
]

const tooWide: [title: string, query: string, advice: string][] = [
  ['all claims by month', `{ claimAggregates(groupBy: [registeredMonth]) { ${GROUP} } }`, 'registeredAt'],
  [
    'claims by a column without an index',
    `{ claimAggregates(filter: { sliceCount: 3 }) { ${GROUP} } }`,
    'beneficiary',
  ],
  [
    'how many groups there would be',
    `{ claimAggregates(groupBy: [registeredDay]) { totalCount } }`,
    'registeredAt',
  ],
  ['executions by kind', `{ executionAggregates(groupBy: [kind]) { ${GROUP} } }`, 'executedAt'],
  ['allocations by claim type', `{ allocationAggregates(groupBy: [claimType]) { ${GROUP} } }`, 'fundedAt'],
  ['settlements by payer', `{ settlementAggregates(groupBy: [payer]) { ${GROUP} } }`, 'settledAt'],
]

const counted: [title: string, query: string, of: (data: Answer['data']) => unknown, expected: string][] = [
  ['all claims', '{ claims(first: 1) { totalCount } }', (data) => data.claims.totalCount, 'claim'],
  [
    'claims of a state and a type',
    '{ claims(first: 1, filter: { state: SETTLED, claimType: 3 }) { totalCount } }',
    (data) => data.claims.totalCount,
    `claim where state = 'SETTLED' and claim_type = 3`,
  ],
  [
    'claims of one of 50 issuers',
    '{ issuers(first: 50) { nodes { address claims(first: 1) { totalCount } } } }',
    (data) =>
      data.issuers.nodes.find((node: { address: string }) => node.address === issuer).claims.totalCount,
    'claim where issuer = $1',
  ],
  [
    'claims of a wallet',
    'query ($wallet: Address!) { account(address: $wallet) { claims(first: 1) { totalCount } } }',
    (data) => data.account.claims.totalCount,
    'claim where beneficiary = $2',
  ],
  [
    'activity of a wallet',
    'query ($wallet: Address!) { account(address: $wallet) { activity(first: 1) { totalCount } } }',
    (data) => data.account.activity.totalCount,
    'activity where wallet = $2',
  ],
]

const tooManyToCount: [title: string, query: string][] = [
  ['claims by a column without an index', '{ claims(first: 1, filter: { sliceCount: 3 }) { totalCount } }'],
  [
    'claims due before most',
    '{ claims(first: 1, filter: { dueDate_gte: "2020-10-01T00:00:00Z" }) { totalCount } }',
  ],
  [
    'claims of a long time, most of which a second condition drops',
    '{ claims(first: 1, filter: { registeredAt_lt: "2021-09-18T00:00:00Z", sliceCount: 3, financedFaceValue: "0" }) { totalCount } }',
  ],
  ['all legs', '{ executionLegs(first: 1) { totalCount } }'],
]

describe(`with ${CLAIMS} claims`, () => {
  for (const [title, query, of, expected] of counted) {
    it(`the count of ${title} is exact and reads no table from end to end`, async () => {
      const { data, scanned } = await examine(query, { wallet })
      expect(scanned).toEqual([])
      const parameters = `(select $1::text as one, $2::text as two) as given`
      const { rows } = await client.pool.query(
        `select count(*) from ${parameters} cross join projection.${expected}`,
        [issuer, wallet],
      )
      expect(of(data)).toBe(Number(rows[0].count))
    })
  }

  for (const [title, query] of tooManyToCount) {
    it(`the count of ${title} is refused`, async () => {
      const { data, errors } = await client.ask(query)
      expect(data).toBeNull()
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining('totalCount'),
        extensions: { code: 'AGGREGATE_TOO_WIDE' },
      })
    })
  }

  for (const [title, query] of shapes) {
    it(`${title} are found by an index`, async () => {
      const { rows } = await client.pool.query('select token from projection.claim limit 1')
      const { scanned, blocks } = await examine(query, { wallet, vault, issuer, token: rows[0].token })
      expect(scanned).toEqual([])
      expect(blocks).toBeLessThan(BLOCKS_MAX)
    })
  }

  for (const isInline of [true, false]) {
    it(`claims of 46 documents, the next due first, are found by an index, ${isInline ? 'in the text' : 'as variables'}`, async () => {
      const { rows } = await client.pool.query(
        `select document_hash as hash from projection.claim where registered_block % ${CLAIMS / 50} = 0 order by id limit 46`,
      )
      const documents: { documentHash: string }[] = rows.map(({ hash }) => ({ documentHash: hash }))
      const text = documents.map(({ documentHash }) => `{ documentHash: "${documentHash}" }`).join(' ')
      const page = (or: string) =>
        `claims(first: 50, orderBy: dueDate, orderDirection: asc, filter: { OR: ${or} }) ${CLAIM}`
      const { data, scanned, blocks } = isInline
        ? await examine(`{ ${page(`[${text}]`)} }`)
        : await examine(`query ($documents: [ClaimFilter!]) { ${page('$documents')} }`, { documents })
      expect(data.claims.nodes).toHaveLength(46)
      expect(scanned).toEqual([])
      expect(blocks).toBeLessThan(BLOCKS_MAX)
    })
  }

  for (const [title, query] of series) {
    it(`two years of ${title} read no table from end to end`, async () => {
      const { rows } = await client.pool.query('select token from projection.claim limit 1')
      const { data, scanned, blocks } = await examine(query, { vault, issuer, token: rows[0].token })
      expect(JSON.stringify(data).match(/"start"/g)).toHaveLength(24)
      expect(scanned).toEqual([])
      expect(blocks).toBeLessThan(BLOCKS_MAX)
    })
  }

  for (const [title, query] of aggregates) {
    it(`${title} read no table from end to end`, async () => {
      const { data, scanned } = await examine(query, { wallet, vault, issuer })
      expect(Object.values<{ nodes: unknown[] }>(data)[0]?.nodes.length).toBeGreaterThan(0)
      expect(scanned).toEqual([])
    })
  }

  for (const [title, query, advice] of tooWide) {
    it(`${title} are refused with the filter to add, before any row is read`, async () => {
      client.takeCalls()
      const { data, errors } = await client.ask(query)
      expect(data).toBeNull()
      expect(errors?.[0]).toMatchObject({
        message: expect.stringContaining(advice),
        extensions: { code: 'AGGREGATE_TOO_WIDE' },
      })
      const own = client
        .takeCalls()
        .filter(({ text }) => BIG_TABLES.some((table) => text.includes(`."${table}"`)))
      expect(own.filter(({ text }) => !text.startsWith('explain'))).toEqual([])
    })
  }

  it('rollups add up to what the rows do', async () => {
    const { data } = await client.ask(
      '{ claimAggregates(groupBy: [state]) { nodes { tokenInfo { address } state count faceValue { sum } } } }',
    )
    const { rows } = await client.pool.query(
      'select token, state, count(*), sum(face_value) from projection.claim group by 1, 2 order by 1, 2',
    )
    expect(data.claimAggregates.nodes).toEqual(
      rows.map(({ token, state, count, sum }) => ({
        tokenInfo: { address: token },
        state,
        count: Number(count),
        faceValue: { sum: String(sum) },
      })),
    )
  })

  it('an aggregate of one issuer reads its own totals, however many other issuers there are', async () => {
    const query =
      'query ($issuer: Address!) { claimAggregates(groupBy: [state], filter: { issuer: $issuer }) { nodes { state count } } }'
    const alone = await examine(query, { issuer })
    const others = `select token, state, '0x' || md5(i::text) || '00000000', claim_type, sum(claims), sum(face_value), sum(financed_face_value)
      from projection.claim_total cross join generate_series(1, 100) as i group by 1, 2, 3, 4`
    await client.pool.query(`insert into projection.claim_total ${others}; analyze projection.claim_total`)
    try {
      // Another text, because the answer to the first is kept.
      const { blocks } = await examine(`${query} # among others`, { issuer })
      expect(blocks).toBeLessThan(alone.blocks + 5)
    } finally {
      await client.pool.query("delete from projection.claim_total where issuer like '%00000000'")
    }
  })

  for (const [place, list] of lists) {
    for (const orderBy of ordersOf(list)) {
      it(`${place}.${list.name} by ${orderBy} is read by an index from either end, and far down at the cost of the first page`, async () => {
        const page = (given: Record<string, string>) =>
          within(place, `${asked(list, { orderBy, ...given })} ${PAGE}`, { wallet, vault, issuer })
        const rows = ({ data }: { data: object }): Rows => pageIn(data)
        for (const orderDirection of ['asc', 'desc']) {
          const first = await examine(page({ orderDirection, first: '20' }))
          const last = await examine(page({ orderDirection, last: '20' }))
          expect([...first.scanned, ...last.scanned]).toEqual([])
          expect(Math.max(first.blocks, last.blocks)).toBeLessThan(BLOCKS_MAX)
          const { startCursor, hasPreviousPage } = rows(last).pageInfo
          if (!hasPreviousPage) continue
          const far = await examine(page({ orderDirection, last: '20', before: `"${startCursor}"` }))
          const near = rows(first).pageInfo.endCursor
          const next = await examine(page({ orderDirection, first: '20', after: `"${near}"` }))
          expect(rows(next).nodes).toHaveLength(20)
          expect([...far.scanned, ...next.scanned]).toEqual([])
          expect(far.blocks).toBeLessThan(last.blocks + MORE_BLOCKS)
          expect(next.blocks).toBeLessThan(first.blocks + MORE_BLOCKS)
        }
      })
    }
  }

  for (const [place, list] of lists.filter(([, { name }]) => COST_OF_PAST.has(name))) {
    for (const orderBy of UNCHANGED_ORDERS.get(list.name) ?? ordersOf(list)) {
      it(`${place}.${list.name} by ${orderBy} costs as of a block at most twice its present cost, and the blocks by which pages differ`, async () => {
        // From the end at which the rows are that are later than the block.
        const order = { orderBy, orderDirection: 'desc', first: '20' }
        const page = (asOf: string) => {
          const given = { ...order, ...(asOf && place === 'Query' && { asOf }) }
          const inner = `${asked(list, given)} { nodes { __typename id ${COST_OF_PAST.get(list.name)} } }`
          const query = within(place, inner, { wallet, vault, issuer })
          return place === 'Query' || !asOf ? query : query.replace('")', `", asOf: ${asOf})`)
        }
        const now = await examine(page(''))
        const blocks = UNCHANGED_ORDERS.has(list.name) ? [MIDDLE_BLOCK, PAST_BLOCK] : [PAST_BLOCK]
        for (const block of blocks) {
          const past = await examineAsOf(page('{ block: 1 }'), block)
          expect(past.rows).toBe(20)
          expect(past.scanned).toEqual([])
          expect(past.blocks).toBeLessThanOrEqual(2 * now.blocks + MORE_BLOCKS)
        }
      })
    }
  }

  it('the claims of 20 issuers are counted as of a block by one search for each', async () => {
    const page = '{ issuers(first: 20, asOf: { block: 1 }) { nodes { __typename claimCount } } }'
    for (const block of [MIDDLE_BLOCK, PAST_BLOCK]) {
      const { rows, scanned, blocks } = await examineAsOf(page, block)
      expect(rows).toBe(20)
      expect(scanned).toEqual([])
      expect(blocks).toBeLessThan(20 * 5)
    }
  })

  for (const [name, example] of Object.entries(examples).filter(
    // The blocks of the chain are not those of these rows.
    ([name]) => !/^(Live|SignedIn|ThenAndNow)$/.test(name),
  )) {
    it(`the example ${name} is found by an index`, async () => {
      const { query, variables }: Example = example
      const { scanned, blocks } = await examine(query, { ...variables, wallet })
      expect(scanned).toEqual([])
      expect(blocks).toBeLessThan(BLOCKS_MAX)
    })
  }
  it('a query whose filters leave its rows to no index is refused before it is read', async () => {
    const lists = (count: number) =>
      Array.from(
        { length: count },
        (_, i) => `a${i}: claims(first: 1, filter: { sliceCount: ${50 + i} }) { nodes { claimId } }`,
      )
    client.takeCalls()
    const { errors } = await client.ask(`{ ${lists(12).join(' ')} }`)
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'READ_TOO_SLOW' })
    expect(
      client.takeStatements().filter((text) => text.includes('slice_count') && !text.startsWith('explain')),
    ).toEqual([])
    expect((await client.ask(`{ ${lists(1).join(' ')} }`)).errors).toBeUndefined()
  })

  it('a filter that each parent of a list reads its rows for counts as often', async () => {
    const query = (first: number) =>
      `{ vaults(first: ${first}) { nodes { allocations(first: 1, filter: { advanceAmount: "${CLAIMS}0000" }) { nodes { faceAmount } } } } }`
    expect((await client.ask(query(200))).errors?.[0]?.extensions).toMatchObject({ code: 'READ_TOO_SLOW' })
    expect((await client.ask(query(10))).errors).toBeUndefined()
  })

  it('a series beside a filter counts no periods, whose number the planner does not know', async () => {
    const query = '{ vaults(first: 50, filter: { active: true }) { nodes { series { start sharePrice } } } }'
    expect((await client.ask(query)).errors).toBeUndefined()
  })

  for (const orderBy of ['registeredAt', 'dueDate', 'faceValue']) {
    it(`a page far down the list costs what the first one costs, by ${orderBy}`, async () => {
      const query = `query ($after: String) { claims(first: 50, after: $after, orderBy: ${orderBy}, orderDirection: asc) ${CLAIM} }`
      const first = await examine(query)
      const fromEnd = await client.ask(
        `{ claims(last: ${ROWS_LEFT}, orderBy: ${orderBy}, orderDirection: asc) ${CLAIM} }`,
      )
      const far = await examine(query, { after: fromEnd.data.claims.pageInfo.startCursor })
      expect(far.data.claims.nodes).toHaveLength(50)
      expect(far.scanned).toEqual([])
      // The planner may also read all rows that are left, and sort them. To skip those before them takes thousands of
      // blocks.
      expect(far.blocks).toBeLessThan(first.blocks + ROWS_LEFT)
    })
  }

  // The last one, because it leaves dead rows at the end of the index of registrations.
  it('cohorts are refused beyond 20,000 claims', async () => {
    const id = `0x${'e'.repeat(40)}`
    const { rows } = await client.pool.query('select max(registered_at) as at from projection.claim')
    const copies = (table: string, count: number, values: string) =>
      client.pool.query(`insert into projection.${table} select (json_populate_record(own, json_build_object(${values}))).*
        from projection.${table} as own limit ${count}`)
    try {
      await copies('payment_record', 1, `'issuer', '${id}'`)
      const [token] = (
        await client.pool.query(`select token from projection.payment_record where issuer = '${id}'`)
      ).rows
      const values = `'id', 'new' || id, 'issuer', '${id}', 'token', '${token.token}', 'registered_at', ${rows[0].at}`
      await copies('claim', 20_001, values)
      const ask = (comment: string) =>
        client.ask(
          `{ paymentRecords(filter: { issuer: "${id}" }) { nodes { cohorts(months: 1) { face } } } } # ${comment}`,
        )
      expect((await ask('more')).errors?.[0]?.extensions).toMatchObject({ code: 'AGGREGATE_TOO_WIDE' })
      await client.pool.query(
        `delete from projection.claim where id = (select min(id) from projection.claim where issuer = '${id}')`,
      )
      expect((await ask('as many')).errors).toBeUndefined()
    } finally {
      for (const table of ['claim', 'payment_record'])
        await client.pool.query(`delete from projection.${table} where issuer = '${id}'`)
    }
  })
})

it.each([
  ['account', () => wallet],
  ['vault', () => vault],
  ['issuer', () => issuer],
])('the statement of one %s reads only the rows of that one', async (field, address) => {
  const query = `{ ${field}(address: "${address()}") { statement(from: "2020-09-13T00:00:00Z", to: "2030-01-01T00:00:00Z") {
    balances { closing hash } totals { amount } entries(first: 50) { balanceAfter }
  } } }`
  const { data, scanned } = await examine(query)
  expect(data[field].statement).not.toBeNull()
  expect(scanned).toEqual([])
})

it('a statement of thousands of entries is read in pages, each entry once', async () => {
  const open = await openSnapshot(createProjectionDb(client.pool))
  const subject = 'vault' as const
  const of = { subject, address: addressInput.parse(vault), from: 0n, to: 4_000_000_000n }
  const pages: (readonly StatementEntry[])[] = []
  const balances = await readBalances(open.snapshot, of)
  for await (const page of readEntries(open.snapshot, of, 'chain')) pages.push(page)
  await open.close()
  expect(pages.length).toBeGreaterThan(1)
  const entries = pages.flat()
  expect(entries).toEqual(entries.toSorted((a, b) => Number(a.id - b.id || a.part - b.part)))
  const positions = entries.map(({ id, part, kind }) => `${id}:${part} ${kind}`)
  expect(new Set(positions).size).toBe(positions.length)
  expect(positions.length).toBe(balances.reduce((sum, { entryCount }) => sum + entryCount, 0))
})
