/** What `api/projection` says of its tables, against the tables: keys are unique, orders are total, and each has an index. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { activities } from '../../api/projection/activity.ts'
import { allocations } from '../../api/projection/allocation.ts'
import { capitalChanges } from '../../api/projection/capital.ts'
import { claims } from '../../api/projection/claim.ts'
import { issuerDays, tokenDays, vaultDays } from '../../api/projection/day.ts'
import { executionLegs, executions } from '../../api/projection/execution.ts'
import { issuers } from '../../api/projection/issuer.ts'
import { positions } from '../../api/projection/position.ts'
import { routeCancellations } from '../../api/projection/route-cancellation.ts'
import { routers } from '../../api/projection/router.ts'
import { settlements } from '../../api/projection/settlement.ts'
import type { Source, Table } from '../../api/projection/source.ts'
import { terms } from '../../api/projection/terms.ts'
import { tokens } from '../../api/projection/token.ts'
import { vaults } from '../../api/projection/vault.ts'
import { sharedWorld } from '../support/world.ts'

/** Every table that is read row by row; `claimTotal` is only ever added up. */
const sources = {
  router: routers,
  issuer: issuers,
  token: tokens,
  claim: claims,
  allocation: allocations,
  vault: vaults,
  vaultTerms: terms,
  vaultPosition: positions,
  capitalChange: capitalChanges,
  execution: executions,
  executionLeg: executionLegs,
  routeCancellation: routeCancellations,
  settlement: settlements,
  activity: activities,
  tokenDay: tokenDays,
  issuerDay: issuerDays,
  vaultDay: vaultDays,
} satisfies { [T in Exclude<Table, 'claimTotal' | 'credit' | 'dueDay' | 'profitLock'>]: Source<T> }

/** A vault is a contract that somebody deployed: there are hundreds, so those of one curator may be sorted. */
const FEW: readonly string[] = ['vault']

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
  key: readonly string[]
  orders: Readonly<Record<string, readonly string[]>>
  parents: readonly string[]
}

describe.each(Object.values(sources).map((source): [string, SourceShape] => [source.table, source]))(
  'the table %s',
  (table, { key, orders, parents }) => {
    it('is identified by its key', () => {
      const unique = (indexes.get(snake(table)) ?? []).filter((index) => index.unique)
      expect(unique.map(({ columns }) => columns)).toEqual([listed(key)])
    })

    it('has total orders, more than one of them, each with an index', () => {
      for (const columns of Object.values(orders)) {
        expect(columns).toEqual(expect.arrayContaining([...key]))
        if (table !== 'vaultTerms') expect(columnsOf(table)).toContain(listed(columns))
      }
      if (table !== 'router') expect(Object.keys(orders).length).toBeGreaterThan(1)
    })

    it('has an index for every order of the lists of its parents', () => {
      for (const parent of parents) {
        for (const columns of Object.values(orders)) {
          const wanted = listed([parent, ...columns.filter((column) => column !== parent)])
          const found = columnsOf(table).some((own) =>
            FEW.includes(table) ? own.startsWith(snake(parent)) : own === wanted,
          )
          expect(found, `${table}: ${wanted}`).toBe(true)
        }
      }
    })
  },
)
