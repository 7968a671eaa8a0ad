import pg from 'pg'

/** Milliseconds to wait for a connection. */
export const CONNECT_MS = 10_000

/** Runs `work` on a new connection, and closes it. */
export async function connected<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MS })
  // If the server stops, the running statement fails; without this listener the event would also end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function transaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // On a lost connection there is nothing to roll back.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
