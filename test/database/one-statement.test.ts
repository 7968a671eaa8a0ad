/** Reads over projections that no chain makes: extreme values, missing rows, versions that replace each other. */
import { type DocumentNode, parse } from 'graphql'
import pg from 'pg'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCodedError } from '../../api/errors.ts'
import type { Outside } from '../../api/graphql/kit/outside.ts'
import { answerOperation, prepareOperation, type Reader } from '../../api/graphql/operation/run.ts'
import { schema } from '../../api/graphql/schema.ts'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { refuseWide } from '../../api/projection/session/aggregate-bound.ts'
import { createPool, createProjectionDb, type PooledDb } from '../../api/projection/session/database.ts'
import { createStatementReader } from '../../api/projection/session/statement.ts'
import { loadLabels } from '../../deployments/labels.ts'
import { replaceViews } from '../../indexer/service/views.ts'
import { createOracle } from '../graphql/oracle/oracle.ts'
import { makeClaims, makeProjection } from '../projection/large.ts'
import { createGateway } from '../support/gateway.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'
import { createTestStore } from '../support/store.ts'

let database: TestDatabase
let pool: pg.Pool
/** The data of an operation as JSON. @throws as the operation fails */
let answer: (query: string, variables?: Record<string, unknown>) => Promise<string>
let answersOf: Awaited<ReturnType<typeof createOracle>>

/** A database with one connection for the reads. */
async function open(): Promise<void> {
  database = await createDatabase()
  pool = createPool(database.url, 1)
  pool.on('error', () => {})
  answer = createAnswerer(createProjectionDb(pool))
}

/** Points that operations have spent and got back, and the milliseconds of the database. */
const taken = { points: [] as number[], ms: 0 }

const GATEWAY = { labels: loadLabels(31_337), router: zeroAddress }

const nowhere = (): never => {
  throw new Error('nothing is read outside of the projection')
}

/** Answers operations over connections of their own, as the gateway does. */
function createAnswerer(db: PooledDb, outside: Partial<Outside> = {}) {
  const readStatement = createStatementReader()
  /** As the gateway keeps them: plans are kept with their documents. */
  const documents = new Map<string, DocumentNode>()
  const limits = {
    deadlineMs: 600_000,
    abort: { signal: new AbortController().signal, cancel: async () => {} },
    requestId: 'test',
  }
  const reader: Reader = {
    gateway: GATEWAY,
    spend: (points) => void taken.points.push(points),
    settle: (points) => void taken.points.push(points),
    read: async (reading) => {
      const readout = await readStatement(db, reading, limits)
      taken.ms += readout.tookMs
      return readout
    },
    check: (estimate) => refuseWide({ db }, estimate),
    outside: {
      wallet: nowhere,
      followTransaction: nowhere,
      findUnprojected: nowhere,
      blockAsOf: nowhere,
      tokenBalances: nowhere,
      unfinalized: () => undefined,
      audit: nowhere,
      ...outside,
    },
  }
  return async (query: string, variableValues: Record<string, unknown> = {}): Promise<string> => {
    const document = documents.get(query) ?? parse(query)
    documents.set(query, document)
    const { shape, cost } = prepareOperation({ schema, document, variableValues })
    return (await answerOperation(shape, cost, reader)).data
  }
}

async function close(): Promise<void> {
  await pool.end()
  await database.drop()
}

const LARGEST = '9'.repeat(78)
const id = (digit: string) => `0x${digit.repeat(64)}`
const address = (digit: string) => `0x${digit.repeat(40)}`
/** Characters that JSON escapes, that only JavaScript escapes, and that have several bytes. */
const NAMES = [`"quo'ted" \\ / </script>`, '\u0001\b\f\n\r\t\u007f\u2028', 'é漢𝒳', '']

describe('extreme values', () => {
  it('costs an operation what it has taken: 20 for each field, its bytes, and the time of the database', async () => {
    Object.assign(taken, { points: [], ms: 0 })
    const data = await answer('{ claims(first: 200) { nodes { claimId } } }')
    expect(taken.points[0]).toBeGreaterThan(200)
    expect(taken.ms).toBeGreaterThan(0)
    const bytes = Math.ceil(data.length / 32)
    const spent = taken.points.reduce((sum, points) => sum + points, 0)
    expect(spent).toBe(3 * 20 + bytes + Math.ceil(300 * taken.ms))
  })

  beforeAll(async () => {
    await open()
    await makeProjection(pool, async (query) => {
      await query(`insert into claim values
        ('${id('a')}', '${address('1')}', '${address('2')}', '${address('3')}', ${LARGEST}, 0, 0, ${LARGEST}, 255, 8, 'ELIGIBLE', '${id('b')}', ${LARGEST}, ${LARGEST}, '${id('c')}', ${2n ** 63n - 1n}, 1, 0, 0),
        ('${id('d')}', '${address('1')}', '${address('2')}', '${address('3')}', 0, 0, 0, 0, 0, 0, 'FULLY_FUNDED', '${id('b')}', 0, 0, '${id('c')}', 0, 2, 9007199254740992, 253402300800)`)
      const capital = (shares: number, gainPerSecond: bigint, lossPerSecond: bigint) =>
        `10, 7, 4, ${shares}, ${gainPerSecond}, ${-gainPerSecond * 1_600_000_000n}, ${lossPerSecond}, 1, 86400, 0, 1, 2, 3, 4`
      for (const [index, books] of [
        capital(0, 0n, 0n),
        capital(5, 10n ** 10n, 10n ** 7n),
        capital(5, 1n, 10n ** 30n),
      ].entries())
        await query(
          `insert into vault values ('${address(String(index))}', '${address('3')}', '${address('2')}', 'v', 'v', true, 1, 2, 3, 4, 5, 6, 6, 7, 8, array[9, 10], 11, ${books})`,
        )
      await query(`insert into issuer values ('${address('1')}', true, 2147483647, 0, 0, 0)`)
      for (const [index, name] of NAMES.entries())
        await query(
          `insert into token values ('${address(String(index))}', ${pg.escapeLiteral(name)}, ${pg.escapeLiteral(name)}, 36, false, 1, 2, 3, 4)`,
        )
      await query(
        `insert into allocation values ('${id('a')}', 0, '${address('9')}', '${id('e')}', '${address('3')}', '${address('1')}', 1, 2, true, 0, 0, 0, 0, 1, 2, 1, null, null)`,
      )
    })
    answersOf = await createOracle(createProjectionDb(pool), GATEWAY)
  })
  afterAll(close)

  it.each([
    [
      'amounts and times',
      '{ claims { nodes { faceValue financedFaceValue remainingFace dueDate dueDateUnix daysToDue matured overdueSince registeredAt registeredBlock changedAt } pageInfo { startCursor endCursor } edges { cursor } } issuers { nodes { claimCount } } }',
    ],
    [
      'values that grow',
      '{ vaults { nodes { capital { totalAssets entryAssets writtenDown utilizationBps } pricing { premiumBps } } } }',
    ],
    ['texts', '{ tokens { nodes { name symbol decimals } edges { cursor } } }'],
    [
      'rates of nothing, and times that are null',
      '{ claims { nodes { allocations { effectiveDiscountBps carryingValue repaidAt } } } }',
    ],
  ])('are those that JavaScript computes: %s', async (_, query) => {
    expect([await answer(query)]).toEqual(answersOf(query))
  })

  it('are exact', async () => {
    const data = JSON.parse(
      await answer(
        '{ claims(orderDirection: desc) { nodes { faceValue dueDate dueDateUnix } } tokens { nodes { name } } }',
      ),
    )
    expect(data.claims.nodes[0]).toEqual({
      faceValue: LARGEST,
      dueDate: '9999-12-31T23:59:59Z',
      dueDateUnix: Number.MAX_SAFE_INTEGER,
    })
    expect(data.tokens.nodes.map(({ name }: { name: string }) => name)).toEqual(NAMES)
  })

  it('of a row that is missing are the error of the field, at its path', async () => {
    const failed = answer('{ claims { nodes { allocations { vault { name } } } } }')
    await expect(failed).rejects.toMatchObject({ path: ['claims', 'nodes', 'allocations', 'vault'] })
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
      await answer('query ($id: Hash!) { claim(claimId: $id) { state } }', { id: id(digit) })
    expect((await prepared()).texts).toBe(1)
  })

  it('are not those with a filter, whose plan depends on its values', async () => {
    const before = await prepared()
    await answer('{ claims(filter: { state: SETTLED }) { nodes { state } } }')
    expect(await prepared()).toEqual(before)
  })

  it('are bounded on each connection, however many shapes a client requests', async () => {
    for (let shape = 0; shape < 150; shape += 1) {
      await answer(`{ claims { nodes { a${shape}: claimId b${shape}: faceValue } } }`)
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
      `insert into projection.claim select '0x' || md5(random()::text) || md5(random()::text), $1, $1, token, i, 0, 0, i, i % ${GROUPS}, 0, 'ELIGIBLE', document_hash, 1, i, registered_tx, i, 1, 1, i
      from (select * from projection.claim limit 1) as one, generate_series(1, $2::int) as i`,
      [PARENT, count],
    )
    await pool.query('vacuum analyze projection.claim')
  }

  it('are exact up to 20,000 and beyond, within the bound of aggregates', async () => {
    for (const query of QUERIES) {
      expect(await answer(query)).toContain(`${WITHIN}`)
    }
    const page = `{ claimAggregates(filter: { beneficiary: "${PARENT}" }, groupBy: claimType, first: 1) { totalCount nodes { count } } }`
    expect(JSON.parse(await answer(page)).claimAggregates).toEqual({
      totalCount: GROUPS,
      nodes: [{ count: WITHIN / GROUPS }],
    })
    await addClaims(2)
    // A claim that is the last in every index, and alone in its group.
    await pool.query(
      `insert into projection.claim select '0x' || repeat('f', 64), issuer, beneficiary, token, 1e9, 0, 0, 1e9, 9, 0, state, document_hash, 1, 1e9, registered_tx, 1e9, 1, 1, 1e9
      from projection.claim where beneficiary = $1 limit 1`,
      [PARENT],
    )
    const rest = `query ($after: String) { claimAggregates(filter: { beneficiary: "${PARENT}" }, groupBy: claimType, first: ${GROUPS}, after: $after) {
      nodes { claimType count } pageInfo { endCursor } } }`
    const { pageInfo } = JSON.parse(await answer(rest)).claimAggregates
    const last = JSON.parse(await answer(rest, { after: pageInfo.endCursor }))
    expect(last.claimAggregates.nodes).toEqual([{ claimType: 9, count: 1 }])
    await pool.query(`delete from projection.claim where claim_type = 9`)
    for (const query of QUERIES) expect(await answer(query)).toContain(`${WITHIN + 2}`)
  })

  it('stand beside what was found outside of the projection before they were estimated', async () => {
    const asked: string[] = []
    const answerWith = createAnswerer(createProjectionDb(pool), {
      followTransaction: async (hash) => {
        asked.push(hash)
        const unknown = { onChain: undefined, touchesProtocol: null, expectedFinalAt: undefined }
        return { hash, executionIds: [], claimIds: [], ...unknown }
      },
      findUnprojected: async (executionId) => {
        asked.push(executionId)
        const parts = { routeId: null, nonce: null, claimId: null, sliceIndex: null, legs: null }
        const times = { preparedAt: new Date(0), deadline: new Date(0) }
        return { status: 'PREPARED', executionId, userAddress: zeroAddress, ...parts, ...times }
      },
    })
    const [hash, executionId] = [id('4'), id('5')]
    const count = `claims(filter: { beneficiary: "${PARENT}" }) { totalCount }`
    const found = `transaction(hash: "${hash}") { hash status } execution(executionId: "${executionId}") { executionId status }`
    expect(JSON.parse(await answerWith(`{ ${count} ${found} }`))).toEqual({
      claims: { totalCount: WITHIN + 2 },
      transaction: { hash, status: 'NOT_FOUND' },
      execution: { executionId, status: 'PREPARED' },
    })
    expect(asked).toEqual([hash, executionId])
  })
})

describe('the rows of a parent that no rollup counts', () => {
  const PARENT = address('7')
  const count = 'claims(filter: { faceValue_gte: "1" }) { totalCount }'
  const ofEach = `{ issuers(first: 1, filter: { address: "${PARENT}" }) { nodes { ${count} } } }`
  const ofOne = `{ account(address: "${PARENT}") { ${count} } }`

  beforeAll(async () => {
    await open()
    await makeClaims(pool, 100)
    await pool.query('insert into projection.issuer values ($1, true, 0, 0, 0, 0)', [PARENT])
  })
  afterAll(close)

  const addClaims = (count: number) =>
    pool.query(
      `insert into projection.claim select '0x' || md5(random()::text) || md5(random()::text), $1, $1, token, i, 0, 0, i, 0, 0, 'ELIGIBLE', document_hash, 1, i, registered_tx, i, 1, 1, i
      from (select * from projection.claim limit 1) as one, generate_series(1, $2::int) as i`,
      [PARENT, count],
    )
  const TOO_WIDE = { originalError: { code: 'AGGREGATE_TOO_WIDE' } }

  it('are counted up to 10,000 of each parent of a list', async () => {
    await addClaims(10_000)
    expect(JSON.parse(await answer(ofEach)).issuers.nodes).toEqual([{ claims: { totalCount: 10_000 } }])
    await addClaims(1)
    await expect(answer(ofEach)).rejects.toMatchObject(TOO_WIDE)
    expect(JSON.parse(await answer(ofOne)).account.claims.totalCount).toBe(10_001)
  })

  // To make these claims takes most of a minute: `npm run test:faults`.
  it.runIf(process.env.FAULTS === 'all')('are counted up to 200,000 of a parent', async () => {
    await addClaims(200_000 - 10_001)
    expect(JSON.parse(await answer(ofOne)).account.claims.totalCount).toBe(200_000)
    await addClaims(1)
    await expect(answer(ofOne)).rejects.toMatchObject(TOO_WIDE)
  })
})

describe('the activity of a claim that is paid in many parts', () => {
  beforeAll(async () => {
    await open()
    await makeClaims(pool, 2)
    await pool.query(
      `insert into projection.activity
      select row_number() over (order by i, id), beneficiary, 'SETTLEMENT_PAID', token, i, id, null, null, i, i, registered_tx
      from projection.claim, generate_series(1, 150) as i`,
    )
  })
  afterAll(close)

  it('has the first 100 entries, of each claim of a list', async () => {
    const { claims } = JSON.parse(await answer('{ claims { nodes { activity { amount } } } }'))
    const first = Array.from({ length: 100 }, (_, i) => ({ amount: String(i + 1) }))
    expect(claims.nodes).toEqual([{ activity: first }, { activity: first }])
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

describe('a statement whose time is up', () => {
  beforeAll(open)
  afterAll(close)

  const SLOW = { text: 'select pg_sleep(600)', values: [] }
  const limits = {
    deadlineMs: 600_000,
    abort: { signal: new AbortController().signal, cancel: async () => {} },
    requestId: 'test',
  }
  const read = async (change: object) => {
    // The timeout of a pool limits the connection as well, and a busy machine connects more slowly than this.
    const limited = createPool(database.url, 1, undefined, async (client) => {
      await client.query('set statement_timeout = 50')
    })
    try {
      await createStatementReader()(createProjectionDb(limited), { ...SLOW, ...change }, limits)
    } finally {
      await limited.end()
    }
  }

  it('is refused as too slow if it has filters', async () => {
    await expect(read({ isFiltered: true })).rejects.toMatchObject({ code: 'READ_TOO_SLOW' })
  })

  it('is an outage without filters, since it finds its rows by a key', async () => {
    const error = await read({}).catch((thrown: unknown) => thrown)
    expect(toCodedError(error).code).toBe('DATABASE_UNAVAILABLE')
  })
})
