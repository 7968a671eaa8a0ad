import pg from 'pg'

/** Milliseconds to wait for a connection. */
export const CONNECT_MS = 10_000

/** Runs `work` on a connection of its own, and ends it. */
export async function connected<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MS })
  // A server that stops meanwhile makes the statement fail; without a listener it would end this process too.
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
