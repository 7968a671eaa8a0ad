/** Prepares the database for a start of the indexer. Only the holder of the writer lock may do it. */
import type pg from 'pg'
import type { Hash } from 'viem'
import type { KnownBlock } from '../../nodes/identity.ts'
import { connected } from './connection.ts'
import type { Version } from './version.ts'
import { tableOf } from './views.ts'

/** The hash of the chain's block at a height; undefined when it has none. */
export type BlockHashAt = (height: bigint) => Promise<Hash | undefined>

/**
 * Releases Ponder's own lock, which a killed process does not release and the next process would wait for. With
 * `hashAt`, it also drops Ponder's cache of another chain.
 */
export function prepareDatabase(
  databaseUrl: string,
  { schema, chainId }: Version,
  hashAt: BlockHashAt | undefined,
): Promise<void> {
  return connected(databaseUrl, async (client) => {
    await releaseLock(client, schema)
    if (hashAt) await dropForeignCache(client, chainId, hashAt)
  })
}

async function releaseLock(client: pg.Client, schema: string): Promise<void> {
  const meta = tableOf(schema, '_ponder_meta')
  if (!(await hasTable(client, meta))) return
  await client.query(`UPDATE ${meta} SET value = jsonb_set(value, '{is_locked}', '0') WHERE key = 'app'`)
}

/**
 * Ponder keeps what it has fetched by chain id alone. A development chain that began anew has the id of the one before,
 * and would be given its blocks; so the cache goes unless the chain has the highest block in it.
 */
async function dropForeignCache(client: pg.Client, chainId: number, hashAt: BlockHashAt): Promise<void> {
  if (!(await hasTable(client, CACHED_BLOCKS))) return
  const highest = await highestCached(client, chainId)
  const isOfThisChain = highest && (await hashAt(highest.number)) === highest.hash
  if (!isOfThisChain) await client.query('DROP SCHEMA ponder_sync CASCADE')
}

/** A block that was indexed: the highest in Ponder's cache. Undefined before the first one. */
export function findIndexedBlock(databaseUrl: string, chainId: number): Promise<KnownBlock | undefined> {
  return connected(databaseUrl, async (client) =>
    (await hasTable(client, CACHED_BLOCKS)) ? highestCached(client, chainId) : undefined,
  )
}

const CACHED_BLOCKS = 'ponder_sync.blocks'

async function highestCached(client: pg.Client, chainId: number): Promise<KnownBlock | undefined> {
  const { rows } = await client.query(
    `SELECT number, hash FROM ${CACHED_BLOCKS} WHERE chain_id = $1 ORDER BY number DESC LIMIT 1`,
    [chainId],
  )
  const [highest] = rows
  return highest && { number: BigInt(highest.number), hash: highest.hash }
}

/** Drops a version that lacks logs, and Ponder's cache, so that the next run requests all logs again. */
export function discardIndex(databaseUrl: string, schema: string): Promise<void> {
  return connected(databaseUrl, async (client) => {
    await client.query(`DROP SCHEMA IF EXISTS ${client.escapeIdentifier(schema)} CASCADE`)
    await client.query('DROP SCHEMA IF EXISTS ponder_sync CASCADE')
  })
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS exists', [name])
  return rows[0]?.exists === true
}
