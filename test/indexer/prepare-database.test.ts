/** The state of a database that a start of the indexer finds, in tables as Ponder leaves them. */
import pg from 'pg'
import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { discardIndex, findIndexedBlock, prepareDatabase } from '../../indexer/service/prepare-database.ts'
import { createDatabase, type TestDatabase } from '../support/postgres.ts'

const CHAIN = 1
const hashAt = (block: number): Hex => `0x${`${block}`.padStart(64, '0')}`
const version = { schema: 'own', chainId: CHAIN, genesis: hashAt(0) }

let database: TestDatabase
let url: string
let client: pg.Client
beforeEach(async () => {
  database = await createDatabase()
  url = database.urls.indexer
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

async function cache(blocks: readonly (readonly [chainId: number, number: number])[]): Promise<void> {
  await client.query(`create schema ponder_sync;
    create table ponder_sync.blocks (chain_id bigint, number bigint, hash text, primary key (chain_id, number))`)
  for (const [chainId, number] of blocks)
    await client.query('insert into ponder_sync.blocks values ($1, $2, $3)', [
      chainId,
      number,
      hashAt(number),
    ])
}

async function schemas(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname in ('own', 'other', 'ponder_sync') order by 1`,
  )
  return rows.map(({ name }) => name)
}

describe('the block that was indexed', () => {
  it('is the highest of the chain, whatever other chains are in the cache', async () => {
    expect(await findIndexedBlock(url, CHAIN)).toBeUndefined()
    await cache([
      [CHAIN, 8],
      [CHAIN, 10],
      [CHAIN, 9],
      [2, 700],
    ])
    expect(await findIndexedBlock(url, CHAIN)).toEqual({ number: 10n, hash: hashAt(10) })
    expect(await findIndexedBlock(url, 3)).toBeUndefined()
  })
})

describe('the cache of Ponder', () => {
  const asked: bigint[] = []
  beforeEach(async () => {
    asked.length = 0
    await cache([
      [CHAIN, 8],
      [CHAIN, 10],
    ])
  })
  const prepareWith = (hash: Hex | undefined) =>
    prepareDatabase(url, version, async (height) => {
      asked.push(height)
      return hash
    })

  it('stays where the chain has its highest block, and where nothing else uses the database but nobody knows', async () => {
    await prepareWith(hashAt(10))
    expect([asked, await schemas()]).toEqual([[10n], ['ponder_sync']])
    await prepareDatabase(url, version, undefined)
    expect(await schemas()).toEqual(['ponder_sync'])
  })

  it.each([
    ['has another block there', hashAt(8)],
    ['has no block there', undefined],
  ])('goes where the chain %s', async (_, hash) => {
    await prepareWith(hash)
    expect(await schemas()).toEqual([])
  })
})

describe('the lock of Ponder', () => {
  it('is released in the schema of the version alone, with all else that is stored there', async () => {
    const meta = { is_locked: 1, build_id: 'abc' }
    for (const schema of ['own', 'other']) {
      await client.query(`create schema ${schema}`)
      await client.query(`create table ${schema}._ponder_meta as select 'app' as key, $1::jsonb as value`, [
        JSON.stringify(meta),
      ])
    }
    await prepareDatabase(url, version, undefined)
    const metaOf = async (schema: string) =>
      (await client.query(`select value from ${schema}._ponder_meta`)).rows[0]?.value
    expect([await metaOf('own'), await metaOf('other')]).toEqual([{ ...meta, is_locked: 0 }, meta])
  })
})

it('an index that lacks logs is dropped with the cache that lacks them, and no other index', async () => {
  await cache([[CHAIN, 10]])
  await client.query('create schema own; create table own.claim (id text); create schema other')
  await discardIndex(url, 'own')
  expect(await schemas()).toEqual(['other'])
  await discardIndex(url, 'own')
})
