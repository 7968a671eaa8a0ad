/**
 * What an indexer finds in its database when it starts, put right. All of it is only for whoever knows that no other
 * indexer writes there.
 */
import pg from 'pg'
import type { Hash } from 'viem'

/** The hash of the chain's block at a height; undefined when it has none. */
export type BlockHashAt = (height: bigint) => Promise<Hash | undefined>

/** Breaks the lock of a killed indexer, and forgets what Ponder has cached of another chain. */
export async function prepareDatabase(
  databaseUrl: string,
  schema: string,
  chainId: number,
  hashAt: BlockHashAt,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A server that stops meanwhile makes the statement fail; without a listener it would end this process too.
  client.on('error', () => {})
  await client.connect()
  try {
    await releaseLock(client, schema)
    await dropForeignCache(client, chainId, hashAt)
  } finally {
    await client.end()
  }
}

async function releaseLock(client: pg.Client, schema: string): Promise<void> {
  const meta = `${client.escapeIdentifier(schema)}._ponder_meta`
  if (!(await hasTable(client, meta))) return
  await client.query(`UPDATE ${meta} SET value = jsonb_set(value, '{is_locked}', '0') WHERE key = 'app'`)
}

/**
 * Ponder keeps what it has fetched by chain id alone. A development chain that began anew has the id of the one before,
 * and would be given its blocks; so the cache goes unless the chain has the highest block in it.
 */
async function dropForeignCache(client: pg.Client, chainId: number, hashAt: BlockHashAt): Promise<void> {
  if (!(await hasTable(client, 'ponder_sync.blocks'))) return
  const { rows } = await client.query(
    'SELECT number, hash FROM ponder_sync.blocks WHERE chain_id = $1 ORDER BY number DESC LIMIT 1',
    [chainId],
  )
  const highest = rows[0]
  const isOfThisChain = highest && (await hashAt(BigInt(highest.number))) === highest.hash
  if (!isOfThisChain) await client.query('DROP SCHEMA ponder_sync CASCADE')
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS exists', [name])
  return rows[0]?.exists === true
}
