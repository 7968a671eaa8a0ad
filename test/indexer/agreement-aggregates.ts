/** Every aggregate over a history, against the rows that the logs of the contracts make. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { flatten, groupsOf, measuresOf, nouns, type Raw, selectionOf } from '../graphql/aggregate-oracle.ts'
import { iso } from '../graphql/calendar.ts'
import { assertProperty } from '../support/property.ts'
import { ask, DAY, edgesOf, type Indexed } from './indexed.ts'
import type { Truth } from './truth/tables.ts'

/** The field that filters a noun by time, and its column. */
const TIMES: Readonly<Record<string, readonly [field: string, column: string]>> = {
  claim: ['registeredAt', 'registered_at'],
  execution: ['executedAt', 'at'],
  allocation: ['fundedAt', 'funded_at'],
  settlement: ['settledAt', 'at'],
  vault: ['registeredAt', 'registered_at'],
}
const COMPARISONS = {
  gt: (a: bigint, b: bigint) => a > b,
  gte: (a: bigint, b: bigint) => a >= b,
  lt: (a: bigint, b: bigint) => a < b,
  lte: (a: bigint, b: bigint) => a <= b,
}

/** @param indexed what is there once the tests run */
export function describeAggregates(seed: number, indexed: () => Indexed): void {
  for (const { field, table, columns, keys, amounts } of nouns) {
    it(`of ${table}s is what their logs add up to, by any grouping, from and until any time`, async () => {
      const all: readonly Raw[] = rawOf(indexed().truth, table)
      const [timeField = '', timeColumn = ''] = TIMES[table] ?? []
      const most = Math.min(keys.length, 4)
      const edges = edgesOf(all.map((row) => BigInt(String(row[timeColumn]))))
      const bound = fc.record({
        is: fc.constantFrom('gt', 'gte', 'lt', 'lte'),
        // Midnights are where a rollup can answer, and where it must not.
        at: fc.oneof(fc.constantFrom(...edges), fc.constantFrom(...edges.filter((at) => at % DAY === 0n))),
      })
      const asked = fc.record({
        groupBy: fc.oneof(fc.subarray(keys, { maxLength: 1 }), fc.subarray(keys, { maxLength: most })),
        bounds: fc.uniqueArray(bound, { maxLength: 2, selector: ({ is }) => is }),
      })
      await assertProperty(
        fc.asyncProperty(asked, async ({ groupBy, bounds }) => {
          const conditions = bounds.map(({ is, at }) => `${timeField}_${is}: "${iso(at)}"`)
          const rows = all.filter((row) =>
            bounds.every(({ is, at }) => COMPARISONS[is](BigInt(String(row[timeColumn])), at)),
          )
          const given = `first: 200, groupBy: [${groupBy}], filter: { ${conditions} }`
          const groupsWith = (measures: readonly string[]) => `${field}(${given}) {
            totalCount nodes { ${selectionOf(groupBy)} count
            ${amounts.map((amount) => `${amount} { ${measures.join(' ')} }`).join(' ')} } }`
          const groups = groupsOf(rows, groupBy, columns)
          // Sums can come from a rollup, which has no least and no greatest amounts.
          for (const measures of [['sum'], ['sum', 'average', 'min', 'max']]) {
            const data = await ask(indexed(), `{ ${groupsWith(measures)} }`)
            const expected = groups.map((group) => ({
              ...group.key,
              count: group.rows.length,
              ...Object.fromEntries(
                amounts.map((amount) => {
                  const all = Object.entries(measuresOf(group.rows, Reflect.get(columns, amount)))
                  return [amount, Object.fromEntries(all.filter(([name]) => measures.includes(name)))]
                }),
              ),
            }))
            expect(new Set(data[field].nodes.map(flatten))).toEqual(new Set(expected))
            expect(data[field].totalCount).toBe(expected.length)
          }
        }),
        { numRuns: 40, seed },
      )
    })
  }
}

/** Rows of a noun with the values that aggregates read. */
function rawOf(truth: Truth, table: string): Raw[] {
  const rows: Readonly<Record<string, readonly object[]>> = truth
  return (rows[table] ?? []).map((row) => {
    const values = Object.entries(row).filter(([, value]) => value !== null && !Array.isArray(value))
    return Object.fromEntries(values)
  })
}
