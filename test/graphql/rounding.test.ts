/** Values of vaults, positions and allocations at numbers that divide evenly, and at numbers that do not. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { VALUE_SCALE } from '../../api/domain/value.ts'
import { makeClaims } from '../projection/large.ts'
import { createDatabase } from '../support/postgres.ts'
import { createClient } from './client.ts'

const DAY = 86_400
const SLICES = 'claim_id, slice_index, vault, execution_id, token, issuer, claim_type, due_at, settled'
const AMOUNTS = 'face_amount, advance_amount, paid_face, repaid_face, funded_block, funded_at, ordinal'

let database: Awaited<ReturnType<typeof createDatabase>>
let client: ReturnType<typeof createClient>
let now: number
let vault: string
beforeAll(async () => {
  database = await createDatabase()
  client = createClient(database.url)
  await makeClaims(client.pool, 1)
  const { data } = await client.ask('{ _meta { finalizedThrough { timestamp } } }')
  now = Date.parse(data._meta.finalizedThrough.timestamp) / 1000
  const { rows } = await client.pool.query(
    `update projection.vault set idle_assets = 100, outstanding_advance = 50, total_shares = 150e6,
       gain_per_second = 0, gain_offset = 0, loss_per_second = 0, loss_offset = 0
     where address = (select min(address) from projection.vault) returning address`,
  )
  vault = rows[0].address
})
afterAll(async () => {
  await client?.stop()
  await database?.drop()
})

let asked = 0
/** The answer to a query with a text of its own: the answer to an equal one is kept while the block stays. */
async function ask(query: string) {
  asked += 1
  const { data, errors } = await client.ask(`${query} # ${asked}`)
  expect(errors).toBeUndefined()
  return data
}

const setLines = (gains: bigint, losses: bigint) =>
  client.pool.query('update projection.vault set gain_offset = $2, loss_offset = $3 where address = $1', [
    vault,
    gains,
    losses,
  ])

type Figures = [
  totalAssets: number,
  entryAssets: number,
  writtenDown: number,
  sharePrice: number,
  entryPrice: number,
]

// 100 idle and 50 advanced assets, 150 shares: totalAssets and sharePrice are rounded down, the other figures up.
const BOOKS: [gains: bigint, losses: bigint, figures: Figures][] = [
  [0n, 0n, [150, 150, 0, 1_000_000, 1_000_000]],
  [1n, 0n, [150, 151, 0, 1_000_000, 1_006_623]],
  [VALUE_SCALE, 0n, [151, 151, 0, 1_006_622, 1_006_623]],
  [VALUE_SCALE + 1n, 0n, [151, 152, 0, 1_006_622, 1_013_246]],
  [0n, 1n, [149, 150, 1, 993_377, 1_000_000]],
  [0n, VALUE_SCALE, [149, 150, 1, 993_377, 1_000_000]],
  [0n, VALUE_SCALE + 1n, [148, 150, 2, 986_754, 1_000_000]],
]

it.each(BOOKS)('a vault with gains of %i and losses of %i has assets and prices of %j', async (...books) => {
  const [gains, losses, figures] = books
  await setLines(gains, losses)
  const names = 'totalAssets entryAssets writtenDown sharePrice entryPrice'
  const data = await ask(`{ vault(address: "${vault}") { capital { ${names} } } }`)
  expect(Object.values(data.vault.capital)).toEqual(figures.map(String))
})

it.each(BOOKS)(
  'a position can withdraw the idle assets at most, with gains of %i and losses of %i',
  async (...books) => {
    const [gains, losses, [totalAssets]] = books
    await setLines(gains, losses)
    await client.pool.query('delete from projection.vault_position')
    await client.pool.query(
      `insert into projection.vault_position
     select $1, '0x' || lpad(shares::text, 40, '0'), shares, 0, 0, 0, 0, 0, 1 from unnest($2::numeric[]) as shares`,
      [vault, ['150000000', '101000000', '100000000', '40000000']],
    )
    const data = await ask(
      '{ vaultPositions(orderBy: shares, orderDirection: desc) { nodes { shares assets withdrawableNow } } }',
    )
    const worthOf = (shares: number) => Math.floor((shares * (totalAssets + 1)) / 151_000_000)
    expect(data.vaultPositions.nodes).toEqual(
      [150_000_000, 101_000_000, 100_000_000, 40_000_000].map((shares) => ({
        shares: String(shares),
        assets: String(worthOf(shares)),
        withdrawableNow: String(Math.min(100, worthOf(shares))),
      })),
    )
  },
)

it.each([
  [0, 0n, null],
  [0, VALUE_SCALE, null],
  [1, 0n, 0],
  // (152 / 151 - 1) x 365 days, basis points, rounded down.
  [1, VALUE_SCALE, 2_088_476_821],
])('the return %i seconds after the first deposit, with gains of %i, is %j', async (seconds, gains, bps) => {
  await setLines(gains, 0n)
  await client.pool.query('delete from projection.capital_change')
  await client.pool.query(
    `insert into projection.capital_change
     values (1, $1, 'DEPOSIT', 150, null, null, null, 150, 0, 0, 150e6, 0, 0, 0, 0, 0, 1, $2, '0x00')`,
    [vault, now - seconds],
  )
  const data = await ask(`{ vault(address: "${vault}") { returns { toDateBps } } }`)
  expect(data.vault.returns).toEqual({ toDateBps: bps })
})

it.each([
  [10, 9, 0, 'none', 9],
  [10, 9, 3, 'none', 7],
  [10, 9, 9, 'none', 1],
  [3, 2, 1, 'none', 2],
  [10, 0, 5, 'none', 0],
  [10, 5, 0, 'half', 7],
  [10, 5, 3, 'half', 5],
  [10, 5, 9, 'half', 1],
] as const)(
  'a face of %i with an advance of %i, of which %i is repaid, is worth, with %s of its time over, %i',
  async (face, advance, repaid, elapsed, value) => {
    const overdueFrom = (Math.floor(now / DAY) + 10) * DAY
    const fundedAt = elapsed === 'half' ? now - (overdueFrom - now) : now
    await client.pool.query('delete from projection.allocation')
    await client.pool.query(
      `insert into projection.allocation (${SLICES}, ${AMOUNTS})
       select id, 0, $1, id, token, issuer, claim_type, $2, false, $3, $4, $5, $5, 1, $6, 1 from projection.claim`,
      [vault, overdueFrom - 1, face, advance, repaid, fundedAt],
    )
    const data = await ask('{ claims { nodes { allocations { carryingValue } } } }')
    expect(data.claims.nodes).toEqual([{ allocations: [{ carryingValue: String(value) }] }])
  },
)

it('a filter by average delay has the hundredths that its number is written with', async () => {
  // The product of the number and 100 is a little less or more than the hundredths, but for the first.
  const hundredths = [50, 7, 14, 28, 29, 55, 56, 57, 58, 110, 113, 114, 115, 220]
  await client.pool.query('delete from projection.payment_record')
  await client.pool.query(
    `insert into projection.payment_record
     select '0x' || lpad(delay::text, 40, '0'), '0x' || repeat('7', 40), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, delay
     from unnest($1::numeric[]) as delay`,
    [hundredths],
  )
  const inDays = hundredths.map((delay) => Number(`${delay}e-2`))
  const count = async (filter: string) =>
    (await ask(`{ paymentRecords(filter: ${filter}) { totalCount } }`)).paymentRecords.totalCount
  expect(await count(`{ averageDaysLate_in: [${inDays}] }`)).toBe(hundredths.length)
  expect(await count(`{ averageDaysLate_not_in: [${inDays}] }`)).toBe(0)
  for (const days of inDays) {
    const [below, above] = [inDays.filter((one) => one < days), inDays.filter((one) => one > days)]
    const of = { '': 1, _not: inDays.length - 1, _lt: below.length, _gt: above.length }
    for (const [operator, expected] of Object.entries(of))
      expect([days, operator, await count(`{ averageDaysLate${operator}: ${days} }`)]).toEqual([
        days,
        operator,
        expected,
      ])
  }
  expect(await count('{ averageDaysLate_gt: 1e-7, averageDaysLate_lt: 1e21 }')).toBe(hundredths.length)
})
