/** An index of blocks that the chain has lost. */
import pg from 'pg'

/**
 * Drops every index and Ponder's cache, which is keyed by chain id alone and would not detect that the chain's last
 * blocks are others now. The views of the projection go with their tables; its schema stays, because readers have
 * rights on it.
 */
export async function dropIndex(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A server that stops meanwhile makes the statement fail; without a listener it would end this process too.
  client.on('error', () => {})
  await client.connect()
  try {
    const found = await client.query<{ name: string }>(
      `SELECT nspname AS name FROM pg_namespace WHERE nspname = 'ponder_sync' OR nspname LIKE 'indexer\\_%'`,
    )
    for (const { name } of found.rows) {
      await client.query(`DROP SCHEMA ${client.escapeIdentifier(name)} CASCADE`)
    }
  } finally {
    await client.end()
  }
}
