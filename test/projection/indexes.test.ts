/**
 * Declarations of tables in `api/projection`, against the tables: keys are unique, orders are total, and each has an
 * index. So has each column of a filter, unless its table is small or it is declared to have none.
 */
import { isInputObjectType } from 'graphql'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { schema } from '../../api/graphql/schema.ts'
import type { Source, Table } from '../../api/projection/sql/source.ts'
import { activities } from '../../api/projection/tables/activity.ts'
import { allocations } from '../../api/projection/tables/allocation.ts'
import { capitalChanges } from '../../api/projection/tables/capital.ts'
import { claims } from '../../api/projection/tables/claim.ts'
import { issuerDays, tokenDays, vaultDays } from '../../api/projection/tables/day.ts'
import { executionLegs, executions } from '../../api/projection/tables/execution.ts'
import { issuers } from '../../api/projection/tables/issuer.ts'
import { paymentRecords } from '../../api/projection/tables/payment-record.ts'
import { positions } from '../../api/projection/tables/position.ts'
import { positionChanges } from '../../api/projection/tables/position-change.ts'
import { routers } from '../../api/projection/tables/router.ts'
import { settlements } from '../../api/projection/tables/settlement.ts'
import { terms } from '../../api/projection/tables/terms.ts'
import { tokens } from '../../api/projection/tables/token.ts'
import { vaults } from '../../api/projection/tables/vault.ts'
import { sharedWorld } from '../support/world.ts'

/** Every table that is read row by row; the others are added up, or read by their keys. */
const sources = {
  router: routers,
  issuer: issuers,
  token: tokens,
  claim: claims,
  allocation: allocations,
  vault: vaults,
  vaultTerms: terms,
  vaultPosition: positions,
  positionChange: positionChanges,
  capitalChange: capitalChanges,
  execution: executions,
  executionLeg: executionLegs,
  settlement: settlements,
  activity: activities,
  paymentRecord: paymentRecords,
  tokenDay: tokenDays,
  issuerDay: issuerDays,
  vaultDay: vaultDays,
} satisfies {
  [T in Exclude<
    Table,
    | 'claimTotal'
    | 'credit'
    | 'dueDay'
    | 'pendingTerms'
    | 'positionDay'
    | 'routeCancellation'
    | 'statusVersion'
    | 'valueDay'
    | 'vaultVersion'
  >]: Source<T>
}

const pool = new pg.Pool({ connectionString: sharedWorld().databaseUrl, max: 1 })
afterAll(() => pool.end())

const indexes = new Map<string, { columns: string; unique: boolean }[]>()
beforeAll(async () => {
  const { rows } = await pool.query(`
    select c.relname as table, i.indisunique as unique,
      (select string_agg(a.attname, ', ' order by k.place) from unnest(i.indkey::int2[]) with ordinality as k (number, place)
       join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname like 'indexer\\_%'`)
  for (const { table, columns, unique } of rows) {
    indexes.set(table, [...(indexes.get(table) ?? []), { columns, unique }])
  }
})

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const listed = (columns: readonly string[]) => columns.map(snake).join(', ')

function columnsOf(table: string): string[] {
  return (indexes.get(snake(table)) ?? []).map(({ columns }) => columns)
}

type SourceShape = {
  table: string
  columns: object
  key: readonly string[]
  orders: Readonly<Record<string, readonly string[]>>
  parents: readonly string[]
  pairs?: readonly (readonly string[])[]
  splits?: Readonly<Record<string, readonly string[]>>
  unindexed?: readonly string[]
  isSmall?: true
}
const shapes = Object.values(sources).map((source): [string, SourceShape] => [source.table, source])

describe.each(shapes)(
  'the table %s',
  (table, { key, columns, orders, parents, pairs = [], splits = {}, isSmall = false }) => {
    it('is identified by its key', () => {
      const unique = (indexes.get(snake(table)) ?? []).filter((index) => index.unique)
      expect(unique.map(({ columns }) => columns)).toEqual([listed(key)])
    })

    it('has total orders, more than one of them, each with an index', () => {
      for (const columns of Object.values(orders)) {
        if (columns.at(-1) !== 'ordinal') expect(columns).toEqual(expect.arrayContaining([...key]))
        if (table !== 'vaultTerms') expect(columnsOf(table)).toContain(listed(columns))
      }
      if (table !== 'router') expect(Object.keys(orders).length).toBeGreaterThan(1)
    })

    it('has no two rows of one ordinal', async () => {
      if (!('ordinal' in columns)) return
      const { rows } = await pool.query(`
        select count(*) - count(distinct ordinal) as equal from projection.${snake(table)}`)
      expect(rows).toEqual([{ equal: '0' }])
    })

    it('has an index for every order of the lists of its parents', () => {
      for (const parent of parents) {
        for (const columns of Object.values(orders)) {
          const wanted = listed([parent, ...columns.filter((column) => column !== parent)])
          const found = columnsOf(table).some((own) =>
            isSmall ? own.startsWith(snake(parent)) : own === wanted,
          )
          expect(found, `${table}: ${wanted}`).toBe(true)
        }
      }
    })

    it('has an index for every order of the lists of its pairs of parents', () => {
      for (const pair of pairs) {
        for (const columns of Object.values(orders)) {
          const others = columns.filter((column) => !pair.includes(column))
          expect(columnsOf(table)).toContain(listed([...pair, ...others]))
        }
      }
    })

    it('has an index for every order of the rows of one value that lists are merged from', () => {
      for (const [column, names] of Object.entries(splits)) {
        for (const name of names)
          expect(columnsOf(table)).toContain(listed([column, ...(orders[name] ?? [])]))
      }
    })
  },
)

const filters = Object.values(schema.getTypeMap()).filter(
  (type) => isInputObjectType(type) && type.name.endsWith('Filter'),
)
const filterShape = z.object({ table: z.string(), columns: z.array(z.string()).min(1) })

describe.each(filters.map(({ name, extensions }) => ({ name, ...filterShape.parse(extensions) })))(
  '$name',
  ({ table, columns }) => {
    const source = shapes.find(([name]) => name === table)?.[1]
    const hasIndex = (column: string) => columnsOf(table).some((own) => own.split(', ')[0] === snake(column))

    it('has an index for each of its columns, or declares that it has none', () => {
      const without = columns.filter((column) => !hasIndex(column))
      const declared = source?.isSmall ? without : (source?.unindexed ?? [])
      expect(without.toSorted()).toEqual(declared.toSorted())
    })
  },
)

it('a filter is defined with its table', () => {
  expect(filters.length).toBeGreaterThan(10)
})
