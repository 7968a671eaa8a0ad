/** An index of blocks that the chain has forgotten. */
import pg from 'pg'
import { PROJECTION_SCHEMA } from '../api/projection/database.ts'

/**
 * Drops the projection and Ponder's cache, which is keyed by chain id alone and would never notice that the chain's last
 * blocks are others now. The gateway's own schema stays.
 */
export async function dropIndex(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A server that stops meanwhile makes the statement fail; without a listener it would end this process too.
  client.on('error', () => {})
  await client.connect()
  try {
    const found = await client.query<{ name: string }>(
      `SELECT nspname AS name FROM pg_namespace WHERE nspname IN ($1, 'ponder_sync') OR nspname LIKE 'indexer\\_%'`,
      [PROJECTION_SCHEMA],
    )
    for (const { name } of found.rows) {
      await client.query(`DROP SCHEMA ${client.escapeIdentifier(name)} CASCADE`)
    }
  } finally {
    await client.end()
  }
}
