/** One real Postgres for the whole test run; every test file makes databases of its own in it (`createDatabase`). */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createRoles } from '../../devnet/database-roles.ts'
import { freePort } from '../../devnet/ports.ts'
import { startPostgres } from '../../devnet/postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

/** Test data is thrown away: durability would only cost time. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300']

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'claim-financing-postgres-'))
  // Started by root, Postgres runs as a user of its own, who has to reach the folder.
  await chmod(folder, 0o755)
  const data = join(folder, 'data')
  const postgres = await startPostgres({ data, port: await freePort(), settings: SETTINGS })
  await createRoles(postgres.url)
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
