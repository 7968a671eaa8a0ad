/** Reads in one statement over projections that no chain makes: extreme values, missing rows, versions that replace each other. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/yoga.ts'
import { createPool, createProjectionDb } from '../../api/projection/database.ts'
import { replaceViews } from '../../indexer/service/views.ts'
import { createBothWays } from '../graphql/both-ways.ts'
import { makeClaims, makeProjection } from '../projection/large.ts'
import { createGateway } from '../support/gateway.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { createTestStore } from '../support/store.ts'

let database: TestDatabase
let pool: pg.Pool
let answerBothWays: ReturnType<typeof createBothWays>

/** A database with one connection for the reads. */
async function open(): Promise<void> {
  database = await createDatabase()
  pool = createPool(database.url, 1)
  pool.on('error', () => {})
  answerBothWays = createBothWays(createProjectionDb(pool))
}

async function close(): Promise<void> {
  await pool.end()
  await database.drop()
}

const LARGEST = '9'.repeat(78)
const id = (digit: string) => `0x${digit.repeat(64)}`
const address = (digit: string) => `0x${digit.repeat(40)}`
/** What JSON escapes, what only JavaScript escapes, and what has several bytes. */
const NAMES = [`"quo'ted" \\ / </script>`, '\u0001\b\f\n\r\t\u007f\u2028', 'é漢𝒳', '']

describe('extreme values', () => {
  beforeAll(async () => {
    await open()
    await makeProjection(pool, async (query) => {
      await query(`insert into claim values
        ('${id('a')}', '${address('1')}', '${address('2')}', '${address('3')}', ${LARGEST}, 0, ${LARGEST}, 255, 8, 'ELIGIBLE', '${id('b')}', ${LARGEST}, ${LARGEST}, '${id('c')}', 0, 0),
        ('${id('d')}', '${address('1')}', '${address('2')}', '${address('3')}', 0, 0, 0, 0, 0, 'FULLY_FUNDED', '${id('b')}', 0, 0, '${id('c')}', 9007199254740992, 253402300800)`)
      const capital = (shares: number, since: number, until: number) =>
        `10, 7, 4, 1, 0, ${shares}, 1000003, ${since}, ${until}, 0, 1, 2, 3, 4`
      for (const [index, books] of [
        capital(0, 1, 2),
        capital(5, 1_699_999_000, 1_700_002_999),
        capital(5, 1, 2),
      ].entries())
        await query(
          `insert into vault values ('${address(String(index))}', '${address('3')}', '${address('2')}', 'v', 'v', true, 1, 2, 3, 4, 5, 6, array[7, 8], ${books})`,
        )
      await query(`insert into issuer values ('${address('1')}', true, 2147483647, 0, 0, 0)`)
      for (const [index, name] of NAMES.entries())
        await query(
          `insert into token values ('${address(String(index))}', ${pg.escapeLiteral(name)}, ${pg.escapeLiteral(name)}, 36, false, 1, 2, 3, 4)`,
        )
      await query(
        `insert into allocation values ('${id('a')}', 0, '${address('9')}', '${id('e')}', '${address('3')}', '${address('1')}', 1, 2, true, 0, 0, 0, 1, 2, null, null, null, null)`,
      )
    })
  })
  afterAll(close)

  it.each([
    [
      'amounts and times',
      '{ claims { nodes { faceValue financedFaceValue remainingFace dueDate dueDateUnix daysToDue matured overdueSince registeredAt registeredBlock changedAt } pageInfo { startCursor endCursor } edges { cursor } } issuers { nodes { claimCount } } }',
    ],
    [
      'gains that unlock',
      '{ vaults { nodes { capital { totalAssets lockedProfit utilizationBps } pricing { premiumBps } } } }',
    ],
    ['texts', '{ tokens { nodes { name symbol decimals } edges { cursor } } }'],
    [
      'rates of nothing, and times that are null',
      '{ claims { nodes { allocations { effectiveDiscountBps impairedAt repaidAt } } } }',
    ],
  ])('have the same answer both ways: %s', async (_, query) => {
    const answers = await answerBothWays(query)
    expect(answers?.inSql).toBe(answers?.resolved)
    expect(answers?.resolved).not.toContain('"errors"')
  })

  it('are exact', async () => {
    const { data } = JSON.parse(
      (
        await answerBothWays(
          '{ claims(orderDirection: desc) { nodes { faceValue dueDate dueDateUnix } } tokens { nodes { name } } }',
        )
      )?.inSql ?? '',
    )
    expect(data.claims.nodes[0]).toEqual({
      faceValue: LARGEST,
      dueDate: '9999-12-31T23:59:59Z',
      dueDateUnix: Number.MAX_SAFE_INTEGER,
    })
    expect(data.tokens.nodes.map(({ name }: { name: string }) => name)).toEqual(NAMES)
  })

  it('of a row that is missing are the error of the field, at its path', async () => {
    const answers = await answerBothWays('{ claims { nodes { allocations { vault { name } } } } }')
    expect(answers?.inSql).toBeUndefined()
    expect(JSON.parse(answers?.resolved ?? '').errors[0].path).toEqual([
      'claims',
      'nodes',
      0,
      'allocations',
      0,
      'vault',
    ])
  })
})

describe('statements that are prepared', () => {
  beforeAll(async () => {
    await open()
    await makeClaims(pool, 10)
  })
  afterAll(close)

  const prepared = async (): Promise<{ texts: number; characters: number }> =>
    (
      await pool.query(
        `select count(*)::int as texts, coalesce(sum(length(statement)), 0)::int as characters from pg_prepared_statements`,
      )
    ).rows[0]

  it('are shared by requests that differ in a key', async () => {
    for (const digit of ['a', 'b', 'c'])
      await answerBothWays('query ($id: Hash!) { claim(claimId: $id) { state } }', { id: id(digit) })
    expect((await prepared()).texts).toBe(1)
  })

  it('are not those with a filter, whose plan depends on its values', async () => {
    const before = await prepared()
    const answers = await answerBothWays('{ claims(filter: { state: SETTLED }) { nodes { state } } }')
    expect(answers?.inSql).toBe(answers?.resolved)
    expect(await prepared()).toEqual(before)
  })

  it('are bounded on each connection, however many shapes a client requests', async () => {
    for (let shape = 0; shape < 150; shape += 1) {
      const answers = await answerBothWays(`{ claims { nodes { a${shape}: claimId b${shape}: faceValue } } }`)
      expect(answers?.inSql).toBe(answers?.resolved)
      expect((await prepared()).characters).toBeLessThan(80_000)
    }
    expect((await prepared()).texts).toBeLessThan(150)
  })
})

describe('the rows of one parent', () => {
  const WITHIN = 20_000
  const PARENT = address('7')
  const GROUPS = 2
  const QUERIES = [
    `{ claims(filter: { beneficiary: "${PARENT}" }) { totalCount } }`,
    `{ claims(filter: { issuer: "${PARENT}", faceValue_gte: "1" }) { totalCount } }`,
    `{ claimAggregates(filter: { issuer: "${PARENT}", faceValue_gte: "1" }, groupBy: state) { totalCount nodes { count faceValue { sum } } } }`,
    `{ claimAggregates(filter: { beneficiary: "${PARENT}" }, groupBy: state) { totalCount nodes { count faceValue { sum } } } }`,
  ]

  beforeAll(async () => {
    await open()
    await makeClaims(pool, 100)
    await addClaims(WITHIN)
  })
  afterAll(close)

  const addClaims = async (count: number) => {
    await pool.query(
      `insert into projection.claim select '0x' || md5(random()::text) || md5(random()::text), $1, $1, token, i, 0, i, i % ${GROUPS}, 0, 'ELIGIBLE', document_hash, 1, i, registered_tx, 1, i
      from (select * from projection.claim limit 1) as one, generate_series(1, $2::int) as i`,
      [PARENT, count],
    )
    await pool.query('vacuum analyze projection.claim')
  }

  it('are in the statement up to 20,000, and beyond that left to resolvers, which bound them by their plan', async () => {
    for (const query of QUERIES) {
      const answers = await answerBothWays(query)
      expect(answers?.inSql).toBe(answers?.resolved)
      expect(answers?.resolved).toContain(`${WITHIN}`)
    }
    const page = `{ claimAggregates(filter: { beneficiary: "${PARENT}" }, groupBy: claimType, first: 1) { totalCount nodes { count } } }`
    const first = await answerBothWays(page)
    expect(first?.inSql).toBe(first?.resolved)
    expect(JSON.parse(first?.inSql ?? '').data.claimAggregates).toEqual({
      totalCount: GROUPS,
      nodes: [{ count: WITHIN / GROUPS }],
    })
    await addClaims(1)
    expect((await answerBothWays(page))?.inSql).toBeUndefined()
    // A claim that is the last in every index, and alone in its group.
    await pool.query(
      `insert into projection.claim select '0x' || repeat('f', 64), issuer, beneficiary, token, 1e9, 0, 1e9, 9, 0, state, document_hash, 1, 1e9, registered_tx, 1, 1e9
      from projection.claim where beneficiary = $1 limit 1`,
      [PARENT],
    )
    const rest = `query ($after: String) { claimAggregates(filter: { beneficiary: "${PARENT}" }, groupBy: claimType, first: ${GROUPS}, after: $after) {
      nodes { claimType count } pageInfo { endCursor } } }`
    const { pageInfo } = JSON.parse((await answerBothWays(rest))?.resolved ?? '').data.claimAggregates
    const last = await answerBothWays(rest, { after: pageInfo.endCursor })
    expect(last?.inSql).toBeUndefined()
    expect(JSON.parse(last?.resolved ?? '').data.claimAggregates.nodes).toEqual([{ claimType: 9, count: 1 }])
    await pool.query(`delete from projection.claim where claim_type = 9`)
    for (const query of QUERIES) {
      const answers = await answerBothWays(query)
      expect(answers?.inSql).toBeUndefined()
      expect(answers?.resolved).toContain(`${WITHIN + 1}`)
    }
  })
})

describe('a publication', () => {
  /** Each version has as many claims as its block has digits that differ. */
  const VERSIONS = { a: 3, b: 7 } as const
  const PUBLICATIONS = 30

  beforeAll(async () => {
    await open()
    for (const [version, claims] of Object.entries(VERSIONS)) {
      await makeClaims(pool, claims)
      await pool.query(`
        update projection._ponder_meta set value = value || jsonb_build_object('table_names', (
          select jsonb_agg(relname order by oid) from pg_class
          where relnamespace = 'projection'::regnamespace and relkind = 'r' and relname not like '\\_ponder%'));
        update projection._ponder_checkpoint set latest_checkpoint =
          '1700000000' || lpad('31337', 16, '0') || lpad('${claims}', 16, '0') || repeat('9', 33);
        alter schema projection rename to ${version}; create schema projection`)
    }
  })
  afterAll(close)

  it('is seen whole or not at all by reads under way, which neither fail nor delay it', async () => {
    const store = await createTestStore()
    const reads = createPool(database.url, 5)
    reads.on('error', () => {})
    const app = createGateway(store, {
      db: createProjectionDb(reads),
      projectionUrl: database.url,
      env: { DATABASE_POOL_SIZE: '5', READS_PER_CLIENT: '4' },
    })
    const publisher = new pg.Client({ connectionString: database.url })
    await publisher.connect()
    const publish = async (version: string) => {
      await publisher.query('begin')
      await replaceViews(publisher, version)
      await publisher.query('commit')
    }
    await publish('a')
    let isOver = false
    const seen = new Set<number>()
    const read = async (query: string) => {
      const response = await app.request(GRAPHQL_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      const { data, errors, extensions } = await response.json()
      expect(errors).toBeUndefined()
      expect(data.claims.nodes).toHaveLength(extensions.finalizedThrough.blockNumber)
      seen.add(data.claims.nodes.length)
    }
    const readUntilOver = async (query: string) => {
      while (!isOver) await read(query)
    }
    const readers = [
      readUntilOver('{ claims { nodes { claimId } } vaults { nodes { address } } }'),
      readUntilOver(
        '{ vaults { nodes { address } } claims(filter: { sliceCount_gte: 0 }) { nodes { claimId } } }',
      ),
      readUntilOver('{ _meta { __typename } claims { nodes { claimId } } }'),
    ]
    for (let i = 0; i < PUBLICATIONS; i += 1) {
      await publish(i % 2 ? 'a' : 'b')
      await read('{ claims { nodes { claimId } } }')
    }
    isOver = true
    await Promise.all(readers)
    expect([...seen].sort()).toEqual(Object.values(VERSIONS))
    await publisher.end()
    await reads.end()
    await store.stop()
  })
})
