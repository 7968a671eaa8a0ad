import pg from 'pg'

/**
 * Breaks the lock that a killed indexer left on its schema; nothing happens where there is none. Only for whoever knows
 * that no other indexer writes there: two of them at once would spoil the projection.
 */
export async function releaseLock(databaseUrl: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const meta = `${client.escapeIdentifier(schema)}._ponder_meta`
    const found = await client.query('SELECT to_regclass($1) IS NOT NULL AS exists', [meta])
    if (!found.rows[0]?.exists) return
    await client.query(`UPDATE ${meta} SET value = jsonb_set(value, '{is_locked}', '0') WHERE key = 'app'`)
  } finally {
    await client.end()
  }
}
