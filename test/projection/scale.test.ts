import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../graphql/client.ts'
import { createDatabase } from '../support/postgres.ts'
import { BIG_TABLES, CLAIMS, makeMillion, SAMPLES } from './million.ts'

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

beforeAll(async () => {
  database = await createDatabase()
  client = createClient(database.url)
  await makeMillion(client.pool)
  wallet = (await client.pool.query(SAMPLES.wallet)).rows[0].id
  vault = (await client.pool.query(SAMPLES.vault)).rows[0].id
}, 180_000)
afterAll(async () => {
  await client.stop()
  await database.drop()
})

/** What an operation's statements read: the tables they scan from end to end, and how many blocks they touch. */
async function examine(query: string, variables: Record<string, unknown> = {}) {
  client.takeCalls()
  const { data, errors } = await client.ask(query, variables)
  expect(errors).toBeUndefined()
  const calls = client.takeCalls().filter(({ text }) => text.includes('"projection"'))
  const scanned: string[] = []
  let blocks = 0
  for (const { text, values } of calls) {
    const { rows } = await client.pool.query(`explain (analyze, buffers, format json) ${text}`, [...values])
    const root: Plan = rows[0]['QUERY PLAN'][0].Plan
    blocks += root['Shared Hit Blocks'] + root['Shared Read Blocks']
    scanned.push(...seqScans(root).filter((table) => BIG_TABLES.includes(table)))
  }
  expect(calls.length).toBeGreaterThan(1)
  return { data, scanned, blocks }
}

function seqScans(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []
  return [...own, ...(plan.Plans ?? []).flatMap(seqScans)]
}

/** Blocks that a page of 50 rows may touch: a few for each row, never a part of the table. */
const BLOCKS_MAX = 1500

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
  ['claims of every issuer', `{ issuers(first: 50) { nodes { claims(first: 5) { nodes { claimId } } } } }`],
  [
    'claims with all that belongs to them',
    `{ claims(first: 10) { nodes { allocations { vault { name } execution { legs { claim { state } } } } settlement { settledAt } issuer { active } } } }`,
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
  ['activity of all', `{ activity(first: 50) { nodes { kind } } }`],
  ['settlements by time', `{ settlements(first: 50) { nodes { faceValue } } }`],
  [
    'settlements a wallet paid',
    `query ($wallet: Address!) { account(address: $wallet) { settlementsPaid(first: 50) { nodes { faceValue } } } }`,
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

describe(`with ${CLAIMS} claims`, () => {
  for (const [title, query] of shapes) {
    it(`${title} are found by an index`, async () => {
      const { rows } = await client.pool.query('select token from projection.claim limit 1')
      const { scanned, blocks } = await examine(query, { wallet, vault, token: rows[0].token })
      expect(scanned).toEqual([])
      expect(blocks).toBeLessThan(BLOCKS_MAX)
    })
  }

  for (const orderBy of ['registeredAt', 'dueDate', 'faceValue']) {
    it(`a page far down the list costs what the first one costs, by ${orderBy}`, async () => {
      const query = `query ($after: String) { claims(first: 50, after: $after, orderBy: ${orderBy}, orderDirection: asc) ${CLAIM} }`
      const first = await examine(query)
      const fromEnd = await client.ask(
        `{ claims(last: 200, orderBy: ${orderBy}, orderDirection: asc) ${CLAIM} }`,
      )
      const far = await examine(query, { after: fromEnd.data.claims.pageInfo.startCursor })
      expect(far.data.claims.nodes).toHaveLength(50)
      expect(far.scanned).toEqual([])
      expect(far.blocks).toBeLessThan(first.blocks + 50)
    })
  }
})
