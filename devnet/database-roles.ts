/**
 * The roles of `deployments/database-roles.sql`, on servers for development and tests: each has its own name as its
 * password.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

export const DATABASE_ROLES = ['indexer', 'gateway', 'auditor', 'analyst'] as const

/** One database as each role connects to it. */
export type DatabaseUrls = Record<(typeof DATABASE_ROLES)[number], string>

const SCRIPT = join(import.meta.dirname, '../deployments/database-roles.sql')

/**
 * Creates the roles of a server where they are missing, and sets their passwords. @param server URL of its superuser,
 * without a database
 */
export async function createRoles(server: string): Promise<void> {
  await asOwner(`${server}/postgres`, async (client) => {
    const { rows } = await client.query<{ rolname: string }>('SELECT rolname FROM pg_roles')
    for (const role of DATABASE_ROLES) {
      const verb = rows.some(({ rolname }) => rolname === role) ? 'ALTER' : 'CREATE'
      await client.query(`${verb} ROLE ${role} LOGIN PASSWORD '${role}'`)
    }
  })
}

/**
 * Gives each role its rights in a database, also in one where a single role owned everything. @param databaseUrl of the
 * superuser
 */
export async function grantRoles(databaseUrl: string): Promise<DatabaseUrls> {
  await asOwner(databaseUrl, (client) => client.query(readFileSync(SCRIPT, 'utf8')))
  const urlOf = (role: (typeof DATABASE_ROLES)[number]) => {
    const url = new URL(databaseUrl)
    url.username = role
    url.password = role
    return url.href
  }
  return {
    indexer: urlOf('indexer'),
    gateway: urlOf('gateway'),
    auditor: urlOf('auditor'),
    analyst: urlOf('analyst'),
  }
}

async function asOwner(databaseUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A server that stops meanwhile makes the statement fail; without a listener it would end this process too.
  client.on('error', () => {})
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
