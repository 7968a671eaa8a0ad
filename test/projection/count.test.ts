/** Counts of lists: whatever they are read from, they are the number of rows. */
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { allocations } from '../../api/projection/allocation.ts'
import { claims } from '../../api/projection/claim.ts'
import { countRows, countRowsOf } from '../../api/projection/count.ts'
import { createPool, createProjectionDb } from '../../api/projection/database.ts'
import { executions } from '../../api/projection/execution.ts'
import type { Filter } from '../../api/projection/filter.ts'
import { readPage } from '../../api/projection/page.ts'
import { settlements } from '../../api/projection/settlement.ts'
import { readSnapshot } from '../../api/projection/snapshot.ts'
import type { Source, Table } from '../../api/projection/source.ts'
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

/** The rows themselves, counted here. */
async function countAll<T extends Table>(source: Source<T>, filter: Filter): Promise<number> {
  return readSnapshot(db, async (snapshot) => {
    const [orderBy = ''] = Object.keys(source.orders)
    const request = { filter, orderBy, direction: 'asc', limit: 10_000 } as const
    return (await readPage(snapshot, source, request)).items.length
  })
}

/** That counts and rows agree, under random filters. */
async function expectAgreement<T extends Table>(
  source: Source<T>,
  time: string,
  columns: Record<string, string>,
  numRuns: number,
) {
  const values = await valuesOf(source.table, columns)
  await assertProperty(
    fc.asyncProperty(filters(values, time), async (filter) => {
      const counted = await readSnapshot(db, (snapshot) => countRows(snapshot, source, filter))
      expect(counted).toBe(await countAll(source, filter))
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
    await readSnapshot(db, async (snapshot) => {
      const parents = [...sharedWorld().vaults, `0x${'00'.repeat(20)}`]
      for (const filter of [undefined, { column: 'claimType', is: 'in', values: [0, 1] }] as const) {
        const together = await countRowsOf(snapshot, allocations, 'vault', parents, filter)
        const alone = parents.map((vault) => ({
          and: [{ column: 'vault', is: 'eq', value: vault } as const, ...(filter ? [filter] : [])],
        }))
        expect(together).toEqual(await Promise.all(alone.map((own) => countAll(allocations, own))))
        expect(Math.max(...together)).toBeGreaterThan(0)
      }
    })
  })
})
