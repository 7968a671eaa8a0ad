import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { type DatabaseUrls, grantRoles } from '../../devnet/database-roles.ts'

export type TestDatabase = {
  /** URL of its owner, who may do anything. */
  url: string
  /** URLs of the roles of the system. */
  urls: DatabaseUrls
  drop: () => Promise<void>
}

/** Makes a database in the run's Postgres, empty but for the rights of the roles. */
export async function createDatabase(): Promise<TestDatabase> {
  const database = await createBareDatabase()
  return { ...database, urls: await grantRoles(database.url) }
}

/** Makes an empty database that belongs to the superuser alone. */
export async function createBareDatabase(): Promise<Omit<TestDatabase, 'urls'>> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(server, `CREATE DATABASE ${name}`)
  return {
    url: `${server}/${name}`,
    drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** Makes tables of a test's own in an empty database, with a connection to them. @param tables statements of SQL */
export async function createTables(tables: string) {
  const database = await createBareDatabase()
  const pool = createPool(database.url, 1)
  await pool.query(tables)
  const drop = async () => {
    await pool.end()
    await database.drop()
  }
  return { pool, db: createProjectionDb(pool), drop }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
