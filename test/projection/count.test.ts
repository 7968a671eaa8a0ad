/** Counts of lists: whatever they are read from, they are the number of rows. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { readInSnapshot, readSnapshot } from '../../api/projection/session/snapshot.ts'
import { countOfEach, countOfTable } from '../../api/projection/sql/count.ts'
import { type Filter, toSql } from '../../api/projection/sql/filter.ts'
import { failureText, type Sql, toLiteral } from '../../api/projection/sql/json.ts'
import type { ListedSource } from '../../api/projection/sql/page.ts'
import type { RowBounds } from '../../api/projection/sql/row-bounds.ts'
import { type Table, view } from '../../api/projection/sql/source.ts'
import { toReading } from '../../api/projection/sql/statement.ts'
import { allocations } from '../../api/projection/tables/allocation.ts'
import { claims } from '../../api/projection/tables/claim.ts'
import { executions } from '../../api/projection/tables/execution.ts'
import { settlements } from '../../api/projection/tables/settlement.ts'
import { assertProperty } from '../support/property.ts'
import { sharedWorld } from '../support/world.ts'

const pool = createPool(sharedWorld().databaseUrl, 2)
const db = createProjectionDb(pool)
afterAll(() => pool.end())

type Values = [column: string, value: fc.Arbitrary<bigint | string | number>]

/** The values of some columns, each by its name here and in the database. */
async function valuesOf(table: Table, columns: Record<string, string>): Promise<Values[]> {
  const read = Object.entries(columns).map(async ([column, name]): Promise<Values> => {
    const { rows } = await pool.query(`select distinct ${name} as value from projection.${table}`)
    return [column, fc.constantFrom(...rows.map(({ value }) => value))]
  })
  return Promise.all(read)
}

function filters(columns: Values[], time: string): fc.Arbitrary<Filter> {
  const conditions = columns.flatMap(([column, value]) => [
    fc.record({ column: fc.constant(column), is: fc.constantFrom('eq', 'not'), value }),
    fc.record({
      column: fc.constant(column),
      is: fc.constantFrom('in', 'notIn'),
      values: fc.array(value, { maxLength: 4 }),
    }),
  ])
  const day = fc.record({
    column: fc.constant(time),
    is: fc.constantFrom('gte', 'lt', 'gt', 'lte'),
    value: fc
      .integer({ min: 0, max: 400 })
      .map((days) => BigInt(Math.floor(sharedWorld().endsAt / 86_400) - days) * 86_400n),
  })
  const one: fc.Arbitrary<Filter> = fc.oneof(...conditions, day)
  return fc.oneof(
    one,
    fc.array(one, { maxLength: 3 }).map((and) => ({ and })),
    fc.array(one, { maxLength: 3 }).map((or) => ({ or })),
  )
}

const boundsOf = (isEstimated: boolean): RowBounds => ({
  exceeded: () => failureText('exceeded'),
  failure: () => failureText('0'),
  bound: () => {},
  hasTotals: true,
  isEstimated,
  isInList: () => false,
})

async function read(count: Sql): Promise<number> {
  const reading = toReading(toLiteral(count), false)
  return readSnapshot(db, async (snapshot) => Number((await readInSnapshot(snapshot, reading)).text))
}

/** The rows themselves, counted here. */
async function countAll({ table }: ListedSource, filter: Filter): Promise<number> {
  const rows = sql<object>`select from ${view(table)} where ${toSql(filter)}`
  return (await rows.execute(db)).rows.length
}

/** That counts and rows agree, under random filters. */
async function expectAgreement(
  source: ListedSource,
  time: string,
  columns: Record<string, string>,
  numRuns: number,
) {
  const values = await valuesOf(source.table, columns)
  await assertProperty(
    fc.asyncProperty(filters(values, time), async (filter) => {
      const rows = await countAll(source, filter)
      for (const isEstimated of [false, true])
        expect(await read(countOfTable(source, filter, boundsOf(isEstimated)))).toBe(rows)
    }),
    { numRuns },
  )
}

describe('the count of a list', () => {
  it('of claims is the number of rows under any filter', async () => {
    const columns = { state: 'state', issuer: 'issuer', claimType: 'claim_type', sliceCount: 'slice_count' }
    await expectAgreement(claims, 'registeredAt', columns, 150)
  })

  it('of executions, allocations and settlements is too, by whole days and parts of them', async () => {
    await expectAgreement(executions, 'at', { user: '"user"', token: 'token' }, 60)
    await expectAgreement(allocations, 'fundedAt', { vault: 'vault', issuer: 'issuer', token: 'token' }, 60)
    await expectAgreement(settlements, 'at', { issuer: 'issuer', payer: 'payer' }, 60)
  })

  it('of each parent is that of the parent alone, with and without a filter that its rollup knows', async () => {
    const parents = [...sharedWorld().vaults, `0x${'00'.repeat(20)}`]
    const filters = [
      undefined,
      { column: 'claimType', is: 'in', values: [0, 1] },
      { column: 'faceAmount', is: 'gt', value: 10n ** 9n },
    ] as const
    for (const filter of filters) {
      const counts = parents.map((vault) =>
        read(countOfEach(allocations, { vault: sql`${vault}::text` }, filter, boundsOf(false))),
      )
      const alone = parents.map((vault) => ({
        and: [{ column: 'vault', is: 'eq', value: vault } as const, ...(filter ? [filter] : [])],
      }))
      const together = await Promise.all(counts)
      expect(together).toEqual(await Promise.all(alone.map((own) => countAll(allocations, own))))
      expect(Math.max(...together)).toBeGreaterThan(0)
    }
  })
})
