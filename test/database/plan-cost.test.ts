/** The cost of a statement: that of each page, as often as the plan expects to read it. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { planCostOf } from '../../api/projection/session/plan-cost.ts'
import { createTables } from '../support/postgres.ts'

const PARENTS = 1000

let database: Awaited<ReturnType<typeof createTables>>
let client: pg.PoolClient
beforeAll(async () => {
  database = await createTables(`
    create table parent as select i as id from generate_series(1, ${PARENTS}) as i;
    create table child as select i % ${PARENTS} as parent, i as id from generate_series(1, 20000) as i;
    create index on child (parent, id);
    analyze parent;
    analyze child`)
  client = await database.pool.connect()
})
afterAll(async () => {
  client?.release()
  await database?.drop()
})

const PAGE_OF = (parent: string) => `select * from child where parent = ${parent} order by id limit 5`
const costOf = (text: string) => planCostOf(client, { text, values: [] })

it('counts a page of each parent as often as there are parents', async () => {
  const one = await costOf(PAGE_OF('7'))
  const joined = await costOf(`select * from parent cross join lateral (${PAGE_OF('parent.id')}) as page`)
  const selected = await costOf(`select (select sum(id) from (${PAGE_OF('parent.id')}) as page) from parent`)
  expect(one).toBeGreaterThan(0)
  for (const cost of [joined, selected]) {
    expect(cost).toBeGreaterThan(0.5 * PARENTS * one)
    expect(cost).toBeLessThan(2 * PARENTS * one)
  }
})

it('counts a page on either side of a hash join once', async () => {
  const page = 'select * from child order by parent, id limit 500'
  const alone = await costOf(page)
  await client.query('set enable_nestloop to off; set enable_mergejoin to off')
  const joined = await costOf(`select * from parent join (${page}) as page on page.parent = parent.id`)
  await client.query('reset enable_nestloop; reset enable_mergejoin')
  expect(joined).toBeLessThan(2 * alone)
})
