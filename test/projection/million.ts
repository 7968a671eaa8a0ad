/**
 * A projection with a million claims, made by SQL in the tables and indexes of `ponder.schema.ts`, for what only shows at that
 * size: plans. Its rows fit their types and refer to each other; they are no market.
 */
import type pg from 'pg'
import * as schema from '../../ponder.schema.ts'

type Sql = { sql: string[] }

/** What Ponder itself makes its tables by. It exports no way there, so it comes by its path, and untyped. */
const KIT = '../../node_modules/ponder/dist/esm/drizzle/kit/index.js'

export const CLAIMS = 1_000_000
const WALLETS = 2000
const ISSUERS = 50
const VAULTS = 200

const hash = (number: string) => `'0x' || md5((${number})::text) || md5((${number})::text || 'x')`
const address = (number: string) =>
  `'0x' || substr(md5((${number})::text) || md5((${number})::text || 'y'), 1, 40)`
const wallet = (number: string) => address(`${number} % ${WALLETS}`)
const issuer = (number: string) => address(`100000 + ${number} % ${ISSUERS}`)
const vault = (number: string) => address(`200000 + ${number} % ${VAULTS}`)
const token = (number: string) => address(`300000 + ${number} % 3`)
const at = (number: string) => `1600000000 + (${number}) * 60`
const state = `(array['ELIGIBLE','PARTIALLY_FUNDED','FULLY_FUNDED','SETTLED','SETTLED','SETTLED'])[(1 + i % 6)::int]`

const rows: [table: string, count: number, values: string][] = [
  [
    'claim',
    CLAIMS,
    `${hash('i')}, ${issuer('i')}, ${wallet('i')}, ${token('i')}, (i * 7919) % 1000003 * 1000000, 0, ${at('i * 7 % 1000000')}, i % 5, i % 8, ${state}, ${hash('i')}, i, ${at('i')}, ${hash('i')}, i, ${at('i')}`,
  ],
  [
    'allocation',
    100_000,
    `${hash('i')}, 0, ${vault('i')}, ${hash('i / 2')}, ${token('i')}, ${issuer('i')}, i % 5, i, i, i, ${at('i')}, null`,
  ],
  [
    'execution',
    100_000,
    `${hash('i')}, ${wallet('i')}, ${token('i')}, 'ROUTE', ${wallet('i')}, 2, i, i, i, ${at('i')}, ${hash('i')}`,
  ],
  ['execution_leg', 100_000, `${hash('i / 2')}, i % 2, ${hash('i')}, ${vault('i')}, 0, i, i`],
  [
    'settlement',
    100_000,
    `${hash('i')}, ${wallet('i')}, ${wallet('i + 1')}, ${token('i')}, ${issuer('i')}, i % 5, i, i, 0, i, ${at('i')}, ${hash('i')}`,
  ],
  [
    'activity',
    100_000,
    `lpad(i::text, 75, '0') || '-EXECUTION', ${wallet('i')}, 'EXECUTION', ${token('i')}, i, null, ${hash('i')}, null, i, ${at('i')}, ${hash('i')}`,
  ],
  ['issuer', ISSUERS, `${issuer('i')}, true, 1, 1, 1, 1`],
  [
    'vault',
    VAULTS,
    `${vault('i')}, ${token('i')}, ${wallet('i')}, 'Vault', 'V', true, 7, 90, 1, 1000, 100, 1, array[1], 1, 1, 1, 1, 0, i, ${at('i')}, i, ${at('i')}`,
  ],
  [
    'capital_change',
    100_000,
    `lpad(i::text, 75, '0'), ${vault('i')}, 'FUNDING', i, i, i, i, i, ${at('i')}, ${hash('i')}`,
  ],
]

export const BIG_TABLES = rows.filter(([, count]) => count > 1000).map(([table]) => table)

/** The wallet and the vault that a number stands for, as in the rows. */
export const SAMPLES = { wallet: `select ${wallet('7')} as id`, vault: `select ${vault('7')} as id` }

export async function makeMillion(pool: pg.Pool): Promise<void> {
  const kit: { getSql: (tables: object) => { tables: Sql; indexes: Sql } } = await import(KIT)
  const { tables, indexes } = kit.getSql(schema)
  const isOwn = (statement: string) => !statement.includes('_reorg__')
  const client = await pool.connect()
  try {
    await client.query(
      "create schema projection; set search_path to projection; set maintenance_work_mem = '256MB'",
    )
    for (const statement of tables.sql.filter(isOwn)) {
      await client.query(statement.replace('CREATE TABLE', 'CREATE UNLOGGED TABLE'))
    }
    for (const [table, count, values] of rows) {
      await client.query(
        `insert into ${table} select ${values} from generate_series(1::bigint, ${count}) as i`,
      )
    }
    for (const statement of indexes.sql) await client.query(statement)
    await client.query(`
      create table _ponder_meta (key text primary key, value jsonb);
      insert into _ponder_meta values ('app', '{"is_ready": 1}');
      create table _ponder_checkpoint (latest_checkpoint text);
      insert into _ponder_checkpoint values ('1700000000' || lpad('31337', 16, '0') || lpad('1000000', 16, '0') || repeat('9', 33))`)
    await client.query('analyze')
    await client.query('reset search_path')
  } finally {
    client.release()
  }
}
