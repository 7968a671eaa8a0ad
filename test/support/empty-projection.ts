/** A projection that is ready at one block and has no rows, with a connection of its administrator. */
import pg from 'pg'
import { createDatabase } from './postgres.ts'

/** Unix seconds of its block. */
export const EMPTY_AT = 1_700_000_123n

export async function createEmptyProjection() {
  const database = await createDatabase()
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  await admin.query(`
    create table projection.router ();
    create table projection._ponder_meta as select '{"is_ready": 1}'::jsonb as value;
    create table projection._ponder_checkpoint as
      select '${EMPTY_AT}' || repeat('0', 32) || repeat('9', 33) as latest_checkpoint;
    grant select on all tables in schema projection to public`)
  const drop = async () => {
    await admin.end()
    await database.drop()
  }
  return { urls: database.urls, admin, drop }
}
