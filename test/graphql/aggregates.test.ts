/** Aggregates against the same added up in bigint from the raw rows, without any of the gateway's own arithmetic. */

import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeProjection } from '../projection/large.ts'
import { createDatabase } from '../support/postgres.ts'
import { assertProperty } from '../support/property.ts'
import { sum } from '../support/sum.ts'
import { sharedWorld } from '../support/world.ts'
import {
  amountsOf,
  ascending,
  flatten,
  groupsOf,
  measuresOf,
  nouns,
  periods,
  type Raw,
  selectionOf,
} from './aggregate-oracle.ts'
import { iso, startOf } from './calendar.ts'
import { createClient } from './client.ts'

const { ask, pool, takeStatements, stop } = createClient(sharedWorld().databaseUrl)
afterAll(stop)

describe('aggregates', () => {
  for (const { field, table, columns, keys, amounts } of nouns) {
    it(`of ${table}s are what the rows add up to, whatever they are grouped by`, async () => {
      const { rows } = await pool.query<Raw>(`select * from projection.${table}`)
      expect(rows.length).toBeGreaterThan(5)
      await assertProperty(
        fc.asyncProperty(fc.subarray(keys, { maxLength: Math.min(keys.length, 4) }), async (groupBy) => {
          const query = `{ ${field}(groupBy: [${groupBy}], first: 200) { totalCount nodes {
            ${selectionOf(groupBy)} count ${amounts.map((amount) => `${amount} { sum average min max }`).join(' ')} } } }`
          const { data, errors } = await ask(query)
          expect(errors).toBeUndefined()
          const expected = groupsOf(rows, groupBy, columns).map((group) => ({
            ...group.key,
            count: group.rows.length,
            ...Object.fromEntries(
              amounts.map((amount) => [amount, measuresOf(group.rows, Reflect.get(columns, amount))]),
            ),
          }))
          expect(new Set(data[field].nodes.map(flatten))).toEqual(new Set(expected))
          expect(data[field].totalCount).toBe(expected.length)
        }),
        { numRuns: 15 },
      )
    })
  }

  it('say the average rate as all of the cost over all of the face, rounded up', async () => {
    const { rows } = await pool.query<Raw>('select * from projection.allocation')
    const { data } = await ask(
      '{ allocationAggregates(groupBy: [vault]) { nodes { token: tokenInfo { address } vault { address } effectiveDiscountBps discountAmount } } }',
    )
    const expected = groupsOf(rows, ['vault'], {}).map(({ key, rows: own }) => {
      const [face, advance] = [sum(amountsOf(own, 'face_amount')), sum(amountsOf(own, 'advance_amount'))]
      const cost = (face - advance) * 10_000n
      return {
        ...key,
        effectiveDiscountBps: Number(cost / face + (cost % face === 0n ? 0n : 1n)),
        discountAmount: String(face - advance),
      }
    })
    expect(new Set(data.allocationAggregates.nodes.map(flatten))).toEqual(new Set(expected))
  })

  it('of what each vault is owed by due month add up to its outstanding face', async () => {
    const { data } = await ask(`{
      vaults(first: 200) { nodes { address capital { outstandingFace } } }
      allocationAggregates(groupBy: [vault, dueMonth], first: 200) {
        totalCount
        nodes { vault { address } dueMonth outstandingFace }
      }
    }`)
    const groups: { vault: { address: string }; outstandingFace: string }[] = data.allocationAggregates.nodes
    expect(groups).toHaveLength(data.allocationAggregates.totalCount)
    expect(groups.length).toBeGreaterThan(data.vaults.nodes.length)
    for (const { address, capital } of data.vaults.nodes) {
      const own = groups.filter(({ vault }) => vault.address === address)
      expect(String(sum(own.map((group) => BigInt(group.outstandingFace))))).toBe(capital.outstandingFace)
    }
  })

  it('take the same filters as the list, and come out the same from rollup and rows', async () => {
    const filter = `{ settledAt_gte: "2000-01-01T00:00:00Z", issuer_not: "0x${'00'.repeat(20)}" }`
    const { data } = await ask(`{
      list: settlements(first: 200, filter: ${filter}) { nodes { faceAmount } }
      rollup: settlementAggregates(filter: ${filter}, groupBy: [issuer]) { nodes { count faceAmount { sum } } }
      rows: settlementAggregates(filter: ${filter}, groupBy: [issuer, payer]) { nodes { count faceAmount { sum } } }
      none: settlementAggregates(filter: { settledAt_lt: "2000-01-01T00:00:00Z" }) { totalCount nodes { count } }
    }`)
    const listed = sum(data.list.nodes.map(({ faceAmount }: { faceAmount: string }) => BigInt(faceAmount)))
    for (const groups of [data.rollup, data.rows]) {
      const sums = groups.nodes.map(({ faceAmount }: { faceAmount: { sum: string } }) =>
        BigInt(faceAmount.sum),
      )
      expect(sum(sums)).toBe(listed)
    }
    expect(data.none).toEqual({ totalCount: 0, nodes: [] })
  })

  for (const orderBy of ['key', 'count', 'faceValue']) {
    it(`are paged in both directions in one total order, by ${orderBy}`, async () => {
      const query = `query ($first: Int, $after: String, $last: Int, $before: String, $direction: OrderDirection!) {
        claimAggregates(groupBy: [state, claimType], orderBy: ${orderBy}, orderDirection: $direction,
          first: $first, after: $after, last: $last, before: $before) {
          edges { cursor node { token: tokenInfo { address } state claimType count faceValue { sum } } } pageInfo { hasNextPage hasPreviousPage } } }`
      for (const direction of ['asc', 'desc']) {
        const all = (await ask(query, { first: 200, direction })).data.claimAggregates.edges
        const pages: unknown[] = []
        for (let after: string | undefined; ; ) {
          const { edges, pageInfo } = (await ask(query, { first: 3, after, direction })).data.claimAggregates
          pages.push(...edges)
          after = edges.at(-1)?.cursor
          if (!pageInfo.hasNextPage) break
        }
        expect(pages).toEqual(all)
        const end = (await ask(query, { last: 3, direction })).data.claimAggregates
        expect(end.edges).toEqual(all.slice(-3))
        const measured = all.map(({ node }: { node: { count: number; faceValue: { sum: string } } }) =>
          orderBy === 'count' ? BigInt(node.count) : BigInt(node.faceValue.sum),
        )
        if (orderBy === 'key') continue
        const sorted = [...measured].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        expect(measured).toEqual(direction === 'asc' ? sorted : sorted.reverse())
      }
    })
  }

  it('are one statement, and an estimate before it where no parent bounds what is read', async () => {
    const reads = async (query: string) => {
      takeStatements()
      expect((await ask(query)).errors).toBeUndefined()
      return takeStatements().filter((text) => /"projection"\."(claim|claim_total)"/.test(text))
    }
    const sums = 'nodes { issuer { active } faceValue { sum } }'
    const ofIssuer = `filter: { issuer: "0x${'11'.repeat(20)}" }, groupBy: [issuer]`
    expect(await reads(`{ claimAggregates(${ofIssuer}) { ${sums} } }`)).toHaveLength(1)
    const [ofTotals, ...readTotals] = await reads(`{ claimAggregates(groupBy: [issuer]) { ${sums} } }`)
    expect(ofTotals).toMatch(/^explain/)
    expect(readTotals).toHaveLength(1)
    const extremes = 'nodes { issuer { active } faceValue { sum min max } financedFaceValue { min } }'
    const [estimate, read, ...others] = await reads(
      `{ claimAggregates(groupBy: [issuer, dueMonth], first: 200) { ${extremes} } }`,
    )
    expect(estimate).toMatch(/^explain/)
    expect(read).not.toMatch(/^explain/)
    expect(others).toEqual([])
  })
})

describe('what aggregates refuse', () => {
  const cases: [title: string, query: string, path: string][] = [
    [
      'five groupings',
      '{ claimAggregates(groupBy: [state, issuer, claimType, dueDay, dueWeek]) { totalCount } }',
      'groupBy',
    ],
    ['a page of 201 groups', '{ claimAggregates(first: 201) { totalCount } }', 'first'],
    ['a foreign cursor', '{ claimAggregates(after: "bm9wZQ") { totalCount } }', 'after'],
  ]
  for (const [title, query, path] of cases) {
    it(`names the field at fault: ${title}`, async () => {
      const { errors } = await ask(query)
      expect(errors?.[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] })
    })
  }

  it('is a cursor of another grouping', async () => {
    const { data } = await ask('{ claimAggregates(groupBy: [state], first: 1) { pageInfo { endCursor } } }')
    const { errors } = await ask(
      'query ($after: String) { claimAggregates(groupBy: [claimType], after: $after) { totalCount } }',
      {
        after: data.claimAggregates.pageInfo.endCursor,
      },
    )
    expect(errors?.[0].extensions.code).toBe('VALIDATION_FAILED')
  })

  it('is a cursor of another grouping by the same kind of value', async () => {
    const { data } = await ask('{ claimAggregates(groupBy: [dueDay], first: 1) { pageInfo { endCursor } } }')
    const query = (groupBy: string) =>
      `query ($after: String) { claimAggregates(groupBy: [${groupBy}], after: $after) { totalCount } }`
    const after = data.claimAggregates.pageInfo.endCursor
    expect((await ask(query('dueDay'), { after })).errors).toBeUndefined()
    const { errors } = await ask(query('dueWeek'), { after })
    expect(errors?.[0].extensions.code).toBe('VALIDATION_FAILED')
  })

  it('is more of them in one operation than its cost allows', async () => {
    const eleven = Array.from({ length: 11 }, (_, i) => `a${i}: claimAggregates { nodes { count } }`)
    expect((await ask(`{ ${eleven.join(' ')} }`)).errors?.[0].extensions.code).toBe('QUERY_TOO_COMPLEX')
  })
})

describe('in a projection of extremes', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let extreme: ReturnType<typeof createClient>

  const HUGE = 2n ** 256n - 1n
  const UINT64 = 2n ** 64n - 1n
  const BENEFICIARY = `0x${'02'.repeat(20)}`
  /**
   * Around the ends of days, weeks, months, leap days and years, in Unix seconds; and what no calendar of ours reaches.
   */
  const ENDS = ['2023-12-31', '2024-02-29', '2024-03-31', '2026-06-01', '2100-02-28', '9999-12-31'].flatMap(
    (date) => {
      const midnight = BigInt(Date.parse(`${date}T00:00:00Z`) / 1000)
      return [-1n, 0n, 1n, 86_399n, 86_400n].map((offset) => midnight + offset)
    },
  )

  const dueAts = [...ENDS, UINT64]
  const claimRow = (dueAt: bigint, i: number) =>
    `('0x${i.toString(16).padStart(64, '0')}', '0x01', '${BENEFICIARY}', '0x${'0a'.repeat(20)}', ${HUGE - BigInt(i)}, ${HUGE / 3n}, 0, ${dueAt}, 0, 0, 'ELIGIBLE', '0x00', 1, 1, '0x00', ${i}, ${i}, 1, 1)`

  beforeAll(async () => {
    database = await createDatabase()
    // Periods are of UTC, whatever the zone of a session.
    const administrator = new pg.Client({ connectionString: database.url })
    await administrator.connect()
    await administrator.query(
      `alter database ${administrator.escapeIdentifier(administrator.database ?? '')} set timezone to 'America/New_York'`,
    )
    await administrator.end()
    extreme = createClient(database.url)
    await makeProjection(extreme.pool, async (query) => {
      await query(`insert into claim values ${dueAts.map(claimRow).join(',')}`)
    })
  })
  afterAll(async () => {
    await extreme.stop()
    await database.drop()
  })

  it('sums stay exact where amounts are as large as a contract can hold', async () => {
    const { data } = await extreme.ask(
      '{ claimAggregates(filter: { claimType: 0, sliceCount: 0 }, orderBy: faceValue) { edges { cursor } nodes { count remainingFace faceValue { sum average min max } } } }',
    )
    const amounts = dueAts.map((_, i) => HUGE - BigInt(i))
    const total = sum(amounts)
    expect(data.claimAggregates.nodes).toEqual([
      {
        count: amounts.length,
        remainingFace: String(total - BigInt(amounts.length) * (HUGE / 3n)),
        faceValue: {
          sum: String(total),
          average: String(total / BigInt(amounts.length)),
          min: String(ascending(amounts).at(0)),
          max: String(HUGE),
        },
      },
    ])
    const { errors } = await extreme.ask(
      'query ($after: String) { claimAggregates(filter: { claimType: 0, sliceCount: 0 }, orderBy: faceValue, after: $after) { nodes { count } } }',
      { after: data.claimAggregates.edges[0].cursor },
    )
    expect(errors).toBeUndefined()
  })

  it('lists whose filters differ in the last digit of an amount alone are counted apart', async () => {
    const from = (amount: bigint) =>
      `claims(first: 1, filter: { faceValue_gte: "${amount}" }) { totalCount nodes { faceValue } }`
    const { data } = await extreme.ask(
      `{ account(address: "${BENEFICIARY}") { all: ${from(HUGE - 2n)} one: ${from(HUGE)} } }`,
    )
    expect(data.account.all.totalCount).toBe(3)
    expect(data.account.one).toEqual({ totalCount: 1, nodes: [{ faceValue: String(HUGE) }] })
  })

  for (const [period, unit] of periods) {
    it(`a ${unit} begins where the calendar says, to the second`, async () => {
      const { data } = await extreme.ask(
        `{ claimAggregates(groupBy: [due${period}], first: 200) { nodes { due${period} count } } }`,
      )
      const LAST = BigInt(Date.parse('9999-12-31T23:59:59Z') / 1000)
      const expected = new Map<string, number>()
      for (const dueAt of dueAts) {
        const start = iso(startOf(unit, dueAt < LAST ? dueAt : LAST))
        expected.set(start, (expected.get(start) ?? 0) + 1)
      }
      const found = data.claimAggregates.nodes.map((node: Record<string, string | number>) => [
        node[`due${period}`],
        node.count,
      ])
      expect(found).toEqual([...expected].sort(([a], [b]) => (a < b ? -1 : 1)))
    })
  }
})
