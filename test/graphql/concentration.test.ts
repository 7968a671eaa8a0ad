/** Concentration of vaults: cases at the edges, and random allocations against the reference implementation. */
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { createProjectionDb } from '../../api/projection/session/database.ts'
import { loadLabels } from '../../deployments/labels.ts'
import { makeProjection } from '../projection/large.ts'
import { createDatabase } from '../support/postgres.ts'
import { sharedWorld } from '../support/world.ts'
import { createClient } from './client.ts'
import { createOracle } from './oracle/oracle.ts'

const DAY = 86_400n
/** The time of the block of `makeProjection`. */
const NOW = 1_658_200_000n

const ISSUERS = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`)
const [A = '', B = '', C = ''] = ISSUERS

type Slice = {
  readonly issuer: string
  /** Seconds from the block. */
  readonly dueIn: bigint
  readonly face: bigint
  readonly advance: bigint
  readonly paid: bigint
  readonly repaid: bigint
}

const slice = (issuer: string, face: bigint, own: Partial<Slice> = {}): Slice => ({
  issuer,
  dueIn: 0n,
  face,
  advance: face,
  paid: 0n,
  repaid: 0n,
  ...own,
})

const NONE = { byIssuer: [], herfindahlBps: null, weightedDaysToDue: null, weightedDiscountBps: null }
const share = (address: string, outstandingFace: bigint, shareBps: number) => ({
  issuer: { address },
  outstandingFace: String(outstandingFace),
  shareBps,
})
const MUCH = 10n ** 36n
const LATEST = 2n ** 64n - 1n

type Case = readonly [fact: string, slices: readonly Slice[], expected: object]

const CASES: readonly Case[] = [
  ['there is nothing without allocations', [], NONE],
  [
    'there is nothing once all face is repaid',
    [slice(A, 5n, { paid: 5n, repaid: 5n }), slice(B, 7n, { paid: 7n, repaid: 7n })],
    NONE,
  ],
  [
    'one issuer has all',
    [slice(A, 5n), slice(A, 7n)],
    { byIssuer: [share(A, 12n, 10_000)], herfindahlBps: 10_000 },
  ],
  [
    'an issuer with more face is before one with more slices',
    [slice(A, 1n), slice(A, 1n), slice(B, 6n)],
    { byIssuer: [share(B, 6n, 7500), share(A, 2n, 2500)], herfindahlBps: 6250 },
  ],
  [
    'equal issuers are ordered by address, and shares are rounded down',
    [slice(C, 9n), slice(A, 4n), slice(B, 9n), slice(A, 5n)],
    { byIssuer: [share(A, 9n, 3333), share(B, 9n, 3333), share(C, 9n, 3333)], herfindahlBps: 3333 },
  ],
  [
    'an issuer with a small part has a share of 0',
    [slice(A, 1n), slice(B, 10_000n)],
    { byIssuer: [share(B, 10_000n, 9999), share(A, 1n, 0)], herfindahlBps: 9998 },
  ],
  [
    'only the face that is not repaid counts, held by the router or not paid',
    [slice(A, 10n, { paid: 7n, repaid: 4n }), slice(B, 10n, { paid: 10n, repaid: 8n })],
    { byIssuer: [share(A, 6n, 7500), share(B, 2n, 2500)] },
  ],
  ['face that is due in this second has no time left', [slice(A, 3n)], { weightedDaysToDue: 0 }],
  ['a hundredth of a day counts from its end', [slice(A, 3n, { dueIn: 864n })], { weightedDaysToDue: 0.01 }],
  ['less than a hundredth of a day is none', [slice(A, 3n, { dueIn: 863n })], { weightedDaysToDue: 0 }],
  ['a second past due is a hundredth', [slice(A, 3n, { dueIn: -1n })], { weightedDaysToDue: -0.01 }],
  ['a hundredth past due is one', [slice(A, 3n, { dueIn: -864n })], { weightedDaysToDue: -0.01 }],
  ['a second more past due is two', [slice(A, 3n, { dueIn: -865n })], { weightedDaysToDue: -0.02 }],
  [
    'face that is past due outweighs less face that is not',
    [slice(A, 30n, { dueIn: -10n * DAY }), slice(B, 10n, { dueIn: 20n * DAY })],
    { weightedDaysToDue: -2.5 },
  ],
  [
    'amounts and times of any size are exact',
    [slice(A, MUCH, { dueIn: LATEST - NOW }), slice(B, MUCH - 1n, { dueIn: LATEST - NOW })],
    {
      byIssuer: [share(A, MUCH, 5000), share(B, MUCH - 1n, 4999)],
      herfindahlBps: 5000,
      weightedDaysToDue: 213_503_982_315_409.16,
    },
  ],
  ['there is no discount at face', [slice(A, 3n)], { weightedDiscountBps: 0 }],
  [
    'a discount is that of all face, rounded up',
    [slice(A, 3n, { advance: 2n }), slice(B, 1n)],
    { weightedDiscountBps: 2500 },
  ],
  ['a third is rounded up', [slice(A, 3n, { advance: 2n })], { weightedDiscountBps: 3334 }],
]

const slices = fc
  .record({
    issuer: fc.constantFrom(...ISSUERS),
    dueIn: fc.oneof(
      fc.bigInt({ min: -2n, max: 2n }),
      fc.bigInt({ min: -200n * DAY, max: 200n * DAY }),
      fc.bigInt({ min: -20n, max: 20n }).map((hundredths) => hundredths * 864n),
    ),
    face: fc.oneof(fc.bigInt({ min: 1n, max: 4n }), fc.bigInt({ min: 1n, max: MUCH })),
    discount: fc.bigInt({ min: 0n, max: 10_000n }),
    paid: fc.constantFrom(0n, 0n, 1n, 2n, 3n),
    repaid: fc.bigInt({ min: 0n, max: 3n }),
  })
  .map(({ discount, paid, repaid, ...own }) => ({
    ...own,
    advance: own.face - (own.face * discount) / 10_000n,
    paid: (own.face * paid) / 3n,
    repaid: (((own.face * paid) / 3n) * repaid) / 3n,
  }))

const RANDOM = fc.sample(fc.array(slices, { maxLength: 12 }), { numRuns: 150, seed: 43 })

const vaultAt = (i: number) => `0x${String(i).padStart(40, '0')}`
const vaults = [...CASES.map(([, own]) => own), ...RANDOM].map((own, i) => ({ address: vaultAt(i), own }))

type Json = Record<string, unknown>

/** Vaults, issuers and allocations: rows of the shared world with other values in some columns. */
async function createWorld() {
  const database = await createDatabase()
  const source = new pg.Pool({ connectionString: sharedWorld().databaseUrl, max: 1 })
  const target = new pg.Pool({ connectionString: database.url, max: 1 })
  const rowOf = async (table: string): Promise<Json> =>
    (await source.query(`select to_json(own) as row from projection.${table} as own limit 1`)).rows[0].row
  const [vault, issuer, allocation] = [await rowOf('vault'), await rowOf('issuer'), await rowOf('allocation')]
  const rows: Record<string, Json[]> = {
    vault: vaults.map(({ address }) => ({ ...vault, address })),
    issuer: ISSUERS.map((address) => ({ ...issuer, address })),
    allocation: vaults.flatMap(({ address, own }) =>
      own.map(({ issuer, dueIn, face, advance, paid, repaid }, i) => ({
        ...allocation,
        claim_id: `${address}${String(i).padStart(24, '0')}`,
        vault: address,
        issuer,
        due_at: String(NOW + dueIn),
        settled: paid === face,
        face_amount: String(face),
        advance_amount: String(advance),
        paid_face: String(paid),
        repaid_face: String(repaid),
      })),
    ),
  }
  await makeProjection(target, async (query) => {
    for (const [table, own] of Object.entries(rows)) {
      const json = pg.escapeLiteral(JSON.stringify(own))
      await query(`insert into ${table} select * from json_populate_recordset(null::${table}, ${json})`)
    }
  })
  await Promise.all([source.end(), target.end()])
  return database
}

const database = await createWorld()
const client = createClient(database.url)
const answersOf = await createOracle(createProjectionDb(client.pool), {
  labels: loadLabels(31_337),
  router: sharedWorld().manifest.contracts.financingRouter,
})
afterAll(async () => {
  await client.stop()
  await database.drop()
})

const FIGURES =
  'byIssuer { issuer { address } outstandingFace shareBps } herfindahlBps weightedDaysToDue weightedDiscountBps'

it.each(CASES.map(([fact, , expected], i) => [fact, vaultAt(i), expected] as const))(
  '%s',
  async (_, address, expected) => {
    const query = `{ _meta { finalizedThrough { timestamp } } vault(address: "${address}") { concentration { ${FIGURES} } } }`
    const { data, errors } = await client.ask(query)
    expect(errors).toBeUndefined()
    expect(BigInt(Date.parse(data._meta.finalizedThrough.timestamp) / 1000)).toBe(NOW)
    expect(data.vault.concentration).toMatchObject(expected)
  },
)

it('of random allocations is that of the reference implementation', async () => {
  expect(RANDOM.some((own) => own.length > 6)).toBe(true)
  for (const { address } of vaults) {
    const query = `{ vault(address: "${address}") { concentration { two: byIssuer(first: 2) { shareBps } ${FIGURES} } } }`
    const { data } = await client.ask(query)
    expect([JSON.stringify(data)]).toEqual(answersOf(query))
  }
})
