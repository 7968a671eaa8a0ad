/**
 * The projection as the gateway reads it: the stable views that the indexer publishes in one schema. Table types come
 * from `ponder.schema.ts` itself (types only: nothing of the indexer runs here).
 */
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type * as schema from '../../ponder.schema.ts'

/** Schema of the indexer's stable views. */
export const PROJECTION_SCHEMA = 'projection'

type Row<Table extends { $inferSelect: unknown }> = Table['$inferSelect']

export type ProjectionTables = {
  router: Row<typeof schema.router>
  issuer: Row<typeof schema.issuer>
  token: Row<typeof schema.token>
  claim: Row<typeof schema.claim>
  allocation: Row<typeof schema.allocation>
  vault: Row<typeof schema.vault>
  vaultTerms: Row<typeof schema.vaultTerms>
  vaultPosition: Row<typeof schema.vaultPosition>
  capitalChange: Row<typeof schema.capitalChange>
  credit: Row<typeof schema.credit>
  execution: Row<typeof schema.execution>
  executionLeg: Row<typeof schema.executionLeg>
  routeCancellation: Row<typeof schema.routeCancellation>
  settlement: Row<typeof schema.settlement>
  activity: Row<typeof schema.activity>
  claimTotal: Row<typeof schema.claimTotal>
  tokenDay: Row<typeof schema.tokenDay>
  issuerDay: Row<typeof schema.issuerDay>
  vaultDay: Row<typeof schema.vaultDay>
  dueDay: Row<typeof schema.dueDay>
}

const NUMERIC_OID = 1700
const INT8_OID = 20

/** Amounts leave Postgres as exact integers: `numeric` and `int8` become bigint, and a fraction throws. */
const exactTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === NUMERIC_OID || oid === INT8_OID) return (text: string) => BigInt(text)
    return pg.types.getTypeParser(oid, format)
  },
}

/**
 * @param timeoutMs timeout of the wait for a connection, and of one statement; no limit by default
 * @param onConnect what is done with every new connection before it is used
 */
export function createPool(
  databaseUrl: string,
  max: number,
  timeoutMs?: number,
  onConnect?: (client: pg.ClientBase) => Promise<void>,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    types: exactTypes,
    ...(timeoutMs !== undefined && { connectionTimeoutMillis: timeoutMs, statement_timeout: timeoutMs }),
    ...(onConnect && { onConnect }),
  })
  // A connection lost while it is in use fails the pending query or the next one, so the caller gets the error. The event repeats
  // it; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export type ProjectionDb = Kysely<ProjectionTables>

/** With its pool, for statements that are prepared by name, which Kysely does not do. */
export type PooledDb = ProjectionDb & { readonly pool: pg.Pool }

export function createProjectionDb(pool: pg.Pool): PooledDb {
  const db = new Kysely<ProjectionTables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  }).withSchema(PROJECTION_SCHEMA)
  return Object.assign(db, { pool })
}

/** The name of a column in the database, as the plugin writes it. */
export function sqlName(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
