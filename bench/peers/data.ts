/** The rows that every server reads, and what the requests name of them. */
import pg from 'pg'
import { createPool } from '../../api/projection/session/database.ts'
import { replaceViews, tableOf } from '../../indexer/service/views.ts'
import { makeFinancedClaims } from '../../test/projection/large.ts'
import type { Sample } from './read.ts'

/** As the indexer names the schema of a version. */
export const SCHEMA = 'indexer_peers'

/**
 * Claims, allocations, totals, issuers and vaults in tables of the indexer, published as views. @param url of the
 * indexer's role
 */
export async function makeData(url: string, claims: number): Promise<void> {
  const fill = async (pool: pg.Pool) => {
    await makeFinancedClaims(pool, claims, SCHEMA)
    await pool.query(NAME_TABLES)
    // Index-only scans need the visibility of the rows.
    await pool.query('vacuum (freeze, analyze)')
  }
  await withPool(url, fill)
  await publish(url)
}

async function withPool<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = createPool(url, 1)
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** Publication begins with the first table of the schema, `router`. */
const NAME_TABLES = `
  update ${tableOf(SCHEMA, '_ponder_meta')} set value = value || jsonb_build_object('table_names', (
    select jsonb_agg(tablename order by tablename <> 'router', tablename)
    from pg_tables where schemaname = '${SCHEMA}' and tablename not like '\\_ponder%'))`

async function publish(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await replaceViews(client, SCHEMA)
  await client.end()
}

/**
 * Samples of all issuers and of wallets and claims that are spread over the table.
 *
 * @param depth rows of the list of all claims before the page that a sample continues at
 */
export async function readSamples(url: string, depth: number): Promise<Sample[]> {
  const { rows } = await withPool(url, (pool) => pool.query(SAMPLES, [depth]))
  return rows.map(({ issuer, wallet, id, at }) => ({ issuer, wallet, claimId: id, registeredAt: String(at) }))
}

const CLAIM = tableOf(SCHEMA, 'claim')
const SAMPLES = `
  with issuers as (select address, row_number() over (order by address) - 1 as i, count(*) over () as n from ${tableOf(SCHEMA, 'issuer')}),
    spread as (
      select id, beneficiary, row_number() over (order by id) - 1 as i from ${CLAIM}
      where registered_block % (select greatest(1, count(*) / 500) from ${CLAIM}) = 0 limit 500),
    pages as (
      select registered_at, row_number() over () - 1 as i from (
        select registered_at from ${CLAIM} order by registered_at desc offset $1 - 1 limit 500) as deep)
  select issuers.address as issuer, beneficiary as wallet, spread.id, pages.registered_at as at
  from spread join pages using (i) join issuers on issuers.i = spread.i % n`
