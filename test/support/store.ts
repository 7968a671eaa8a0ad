import { createPool } from '../../api/projection/session/database.ts'
import { createStore } from '../../api/store/database.ts'
import { migrateStore } from '../../api/store/migrations/migrate.ts'
import { createDatabase } from './postgres.ts'

/** The gateway's own schema in a database of its own, as the gateway's role made it. */
export async function createTestStore() {
  const database = await createDatabase()
  const url = database.urls.gateway
  const pool = createPool(url, 10)
  pool.on('error', () => {})
  await migrateStore(pool)
  const stop = async () => {
    await pool.end()
    await database.drop()
  }
  return { store: createStore(pool), pool, url, stop }
}
