/** Conditions of claims at the moment of the block: those due a second before it, in its second, and a second after. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeClaims } from '../projection/large.ts'
import { createDatabase } from '../support/postgres.ts'
import { createClient } from './client.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let client: ReturnType<typeof createClient>
let now: number
beforeAll(async () => {
  database = await createDatabase()
  client = createClient(database.url)
  await makeClaims(client.pool, 3)
  const { data } = await client.ask('{ _meta { finalizedThrough { timestamp } } }')
  now = Date.parse(data._meta.finalizedThrough.timestamp) / 1000
  await client.pool.query(
    `update projection.claim set due_at = $1 - 2 + place from (
       select id, row_number() over () as place from projection.claim
     ) as placed where placed.id = claim.id`,
    [now],
  )
})
afterAll(async () => {
  await client?.stop()
  await database?.drop()
})

it.each([
  [true, [-1, 0]],
  [false, [1]],
])('matured: %s selects the claims whose field has that value', async (matured, seconds) => {
  const query = `{ claims(filter: { matured: ${matured} }, orderBy: dueDate, orderDirection: asc) { totalCount nodes { dueDateUnix matured } } }`
  const { data, errors } = await client.ask(query)
  expect(errors).toBeUndefined()
  const nodes = seconds.map((second) => ({ dueDateUnix: now + second, matured }))
  expect(data.claims).toEqual({ totalCount: nodes.length, nodes })
})

// Each query has a text of its own: the answer to an equal one is kept while the block stays.
it.each([
  ['PARTIALLY_FUNDED', 7, true],
  ['PARTIALLY_FUNDED', 8, false],
  ['FULLY_FUNDED', 7, false],
])(
  'a claim that is %s in %i slices, and is not due: financeable is %s',
  async (state, slices, financeable) => {
    await client.pool.query('update projection.claim set state = $1, slice_count = $2', [state, slices])
    const listOf = (value: boolean) => `claims(filter: { financeable: ${value} }) { nodes { dueDateUnix } }`
    const { data, errors } = await client.ask(
      `{ yes: ${listOf(true)} no: ${listOf(false)} } # ${state} ${slices}`,
    )
    expect(errors).toBeUndefined()
    const [open, due] = [[now + 1], [now - 1, now]].map((dates) =>
      dates.map((dueDateUnix) => ({ dueDateUnix })),
    )
    expect(data.yes.nodes).toEqual(financeable ? open : [])
    expect(data.no.nodes).toHaveLength(financeable ? 2 : 3)
    expect(data.no.nodes).toEqual(
      expect.arrayContaining([...(due ?? []), ...(financeable ? [] : (open ?? []))]),
    )
  },
)

it('a claim of an inactive issuer is not financeable', async () => {
  await client.pool.query("update projection.claim set state = 'ELIGIBLE', slice_count = 0")
  await client.pool.query('update projection.issuer set active = false')
  const listOf = (value: boolean) =>
    `claims(filter: { financeable: ${value} }) { nodes { issuer { active } } }`
  const { data, errors } = await client.ask(`{ yes: ${listOf(true)} no: ${listOf(false)} }`)
  expect(errors).toBeUndefined()
  expect(data.yes.nodes).toEqual([])
  expect(data.no.nodes).toEqual(Array(3).fill({ issuer: { active: false } }))
})

it.each([
  ['ELIGIBLE', false],
  ['PARTIALLY_FUNDED', true],
  ['FULLY_FUNDED', true],
  ['CLOSED', true],
  ['SETTLED', false],
  ['REVOKED', false],
])('a claim that is %s is overdue after its due second: %s', async (state, isLate) => {
  await client.pool.query('update projection.claim set state = $1', [state])
  const query = `{ claims(orderBy: dueDate, orderDirection: asc) { nodes { dueDate overdueSince } } } # ${state}`
  const { data, errors } = await client.ask(query)
  expect(errors).toBeUndefined()
  const [first, ...others] = data.claims.nodes
  expect(first.overdueSince).toBe(isLate ? first.dueDate : null)
  expect(others).toMatchObject([{ overdueSince: null }, { overdueSince: null }])
})
