/**
 * A projection with many claims, made by SQL in the tables and indexes of `ponder.schema.ts`, for what only shows at
 * that size: plans. Its rows fit their types and refer to each other; they are no market.
 */
import type pg from 'pg'
import { firstOrdinalOf } from '../../api/domain/ordinal.ts'
import * as schema from '../../ponder.schema.ts'

type Sql = { sql: string[] }
type Query = (statement: string) => Promise<unknown>

/** The module with which Ponder makes its tables. Ponder does not export it, so it is imported by path, untyped. */
const KIT = '../../node_modules/ponder/dist/esm/drizzle/kit/index.js'

export const CLAIMS = 250_000
const WALLETS = 2000
/**
 * More than a page of issuers. Where the planner's statistics list all values of a column, their frequencies add up to
 * 1 and at times, by rounding, to more; then the planner expects two thirds of the rows.
 */
const ISSUERS = 51
const VAULTS = 200
const TOKENS = 3
const POSITIONS = 100_000
/** Holders of each vault. */
const HOLDERS = POSITIONS / VAULTS

const hash = (number: string) => `'0x' || md5((${number})::text) || md5((${number})::text || 'x')`
const address = (number: string) =>
  `'0x' || substr(md5((${number})::text) || md5((${number})::text || 'y'), 1, 40)`
const wallet = (number: string) => address(`${number} % ${WALLETS}`)
const issuer = (number: string) => address(`100000 + ${number} % ${ISSUERS}`)
const vault = (number: string) => address(`200000 + ${number} % ${VAULTS}`)
/** That of the vault with this number. */
const vaultToken = (number: string) => token(`(${number} % ${VAULTS})`)
const token = (number: string) => address(`300000 + ${number} % ${TOKENS}`)
/** That of the first event of a block. */
const ordinal = (block: string) => `(${block}) * ${firstOrdinalOf(1n)}`
/** Claims are spread over two years. */
const at = (number: string) => `1600000000 + (${number}) * 240`
/** The time of the block: two fifths of the open claims are past due. */
const BLOCK_TIME = 1600000000 + CLAIMS * 0.97 * 240
/** Claims are due in this order. */
const turn = `i * 7 % ${CLAIMS}`
/** A claim has its second slice once every claim has its first. */
const allocated = (claims: number) => ({ claim: `1 + (i - 1) % ${claims}`, slice: `(i - 1) / ${claims}` })
/** Those due last, one in twenty, are open; as in a market, all before them are settled. */
const isSettled = `${turn} < ${CLAIMS * 0.95}`
const state = `case when ${isSettled} then 'SETTLED' else (array['ELIGIBLE','PARTIALLY_FUNDED','FULLY_FUNDED'])[(1 + i / 3 % 3)::int] end`

type Rows = [table: string, count: number, values: string]

const allocations = (claims: number, count: number): Rows => {
  const { claim, slice } = allocated(claims)
  return [
    'allocation',
    count,
    `${hash(claim)}, ${slice}, ${vault('i')}, ${hash('i / 2')}, ${vaultToken('i')}, ${issuer(claim)}, i % 5, ${at(turn)}, ${isSettled}, i, i - i / 50, case when ${isSettled} then i else 0 end, case when ${isSettled} then i else 0 end, i, ${at('i')}, ${ordinal('i')}, case when ${isSettled} then i end, case when ${isSettled} then ${at('i')} end`,
  ]
}

/** The block of one of some events that are spread over the blocks of all claims. */
const spread = (number: string, events: number) => `(${number}) * ${CLAIMS} / ${events}`
const CAPITAL_CHANGES = 100_000
/** More rows than a count may read, by whichever plan. */
const LEGS = 250_000
/** Long histories: changes of all positions of one wallet, and of all positions in one vault. */
const POSITION_CHANGES = 40_000
const ofSample = `case when i % 2 = 0 then ${vault('i / 2')} else ${vault('7')} end, case when i % 2 = 0 then ${wallet('7')} else ${wallet(`(i / 2 % ${HOLDERS})`)} end`

const rows: Rows[] = [
  [
    'claim',
    CLAIMS,
    `${hash('i')}, ${issuer('i')}, ${wallet('i')}, ${token('i')}, (i * 7919) % 1000003 * 1000000, 0, case when ${isSettled} then (i * 7919) % 1000003 * 1000000 else 0 end, ${at(turn)}, i % 5, i % 8, ${state}, ${hash('i')}, i, ${at('i')}, ${hash('i')}, ${ordinal('i')}, (i - 1) / ${ISSUERS} + 1, i, ${at('i')}`,
  ],
  allocations(CLAIMS, 100_000),
  [
    'execution',
    100_000,
    `${hash('i')}, ${wallet('i')}, ${token('i')}, 'ROUTE', ${wallet('i')}, 2, i, i, i, ${at('i')}, ${hash('i')}, ${ordinal('i')}`,
  ],
  [
    'execution_leg',
    LEGS,
    `${hash('i / 3')}, i % 3, ${hash('i')}, ${vault('i')}, 0, i * 7919 % 250007, i, ${at('i * 2 / 5')}, ${ordinal('i * 2 / 5')} + 2 * (i % 3)`,
  ],
  [
    'settlement',
    100_000,
    `${ordinal('i')}, ${hash('i')}, ${wallet('i')}, ${wallet('i + 1')}, ${token('i')}, ${issuer('i')}, i % 5, i, array[i], i, 0, i, ${at('i')}, ${hash('i')}`,
  ],
  [
    'activity',
    100_000,
    `${ordinal('i')}, ${wallet('i')}, 'EXECUTION', ${token('i')}, i, null, ${hash('i')}, ${vault('i')}, i, ${at('i')}, ${hash('i')}`,
  ],
  ['token', TOKENS, `${token('i')}, 'T', 'Token', 6, true, 1, 1, 1, 1`],
  ['issuer', ISSUERS, `${issuer('i')}, i % 25 > 0, 1, 1, 1, 1`],
  [
    'vault',
    VAULTS,
    `${vault('i')}, ${vaultToken('i')}, ${wallet('i')}, 'Vault', 'V', true, 7, 0, 90, 1, 1000, 8000, 1000000, 100, 1, array[1], 86400, 1, 1, 1, 1, 0, 0, 0, 0, ${at('i')} - mod(${at('i')}, 86400), 0, i, ${at('i')}, i, ${at('i')}`,
  ],
  [
    'vault_terms',
    VAULTS * 5,
    `${vault('i')}, (i - 1) / ${VAULTS}, ${vaultToken('i')}, true, 0, 90, 1, 1000, 8000, 1000000, 1, i % 300, i % 300 + 30, i % 300 + 90`,
  ],
  [
    'pending_terms',
    VAULTS / 10,
    `${vault('i * 10')}, 7, 0, 90, 1, 1000, 8000, 1000000, 100, 1, array[1], ${BLOCK_TIME + 86_400}, i, ${BLOCK_TIME}`,
  ],
  [
    'vault_version',
    VAULTS * 2,
    `${vault('i')}, (i - 1) / ${VAULTS} + 1, ${at('i')}, ${wallet('i')}, true, 31, 0, 90, 1, 1000, 8000, 1000000, 100, 1, array[1]`,
  ],
  ['vault_position', POSITIONS, `${vault('i')}, ${wallet(`i / ${VAULTS}`)}, i, i, i, 0, 0, 0, ${at('i')}`],
  [
    'position_change',
    100_000,
    `${ordinal('i')}, ${vault('i')}, ${wallet(`i / ${VAULTS}`)}, 'DEPOSIT', i, i, null, i, i, i, 0, 0, 0, ${at('i')}, 0, i, ${at('i')}, ${hash('i')}`,
  ],
  [
    'position_change',
    POSITION_CHANGES,
    `${ordinal(spread('i', POSITION_CHANGES))} + 2, ${ofSample}, 'DEPOSIT', i, i, null, i, i, i, 0, 0, 0, ${at('1')}, 0, ${spread('i', POSITION_CHANGES)}, ${at(spread('i', POSITION_CHANGES))}, ${hash('i')}`,
  ],
  [
    'position_day',
    100_000,
    `${vault('i')}, ${wallet(`i / ${VAULTS}`)}, ${at('i')} - mod(${at('i')}, 86400), i, 0, 0, 0, i, i`,
  ],
  [
    'capital_change',
    CAPITAL_CHANGES,
    `${ordinal(spread('i', CAPITAL_CHANGES))}, ${vault('i / 2')}, 'FUNDING', i * 7919 % 100003, ${hash('i')}, 0, i / 50, i, i, i, 0, 1, 0, 0, 0, i, ${spread('i', CAPITAL_CHANGES)}, ${at(spread('i', CAPITAL_CHANGES))}, ${hash('i')}`,
  ],
  ['route_cancellation', WALLETS / 2, `${wallet('i')}, i, i, ${at('i')}, ${hash('i')}`],
  ['credit', WALLETS / 2, `${wallet('i')}, ${token('i')}, i`],
  ['status_version', ISSUERS, `${issuer('i')}, i, ${at('i')}, true`],
  ['status_version', TOKENS, `${token('i')}, 1, ${at('1')}, true`],
  ['router', 1, `${address('400000')}, false, 1, 1`],
]

/** The rollups, summed up from the tables. */
const day = (at: string) => `${at} - ${at} % 86400`
const CLAIM_TOTALS = `insert into claim_total select token, state, issuer, claim_type, count(*), sum(face_value), sum(financed_face_value)
   from claim group by 1, 2, 3, 4`
const rollups = [
  CLAIM_TOTALS,
  // Each claim has at most one settlement.
  `insert into payment_record select issuer, token, sum(face), sum(paid), sum(case days when 0 then paid else 0 end), sum(case days when 1 then paid else 0 end),
     sum(case when days between 2 and 7 then paid else 0 end), sum(case when days between 8 and 30 then paid else 0 end),
     sum(case when days between 31 and 90 then paid else 0 end), sum(case when days > 90 then paid else 0 end),
     sum(case when at >= ${day('due_at')} + 91 * 86400 then paid else 0 end), sum(paid * days), coalesce(div(sum(100 * paid * days), nullif(sum(paid), 0)), 0)
   from (
     select claim.issuer, claim.token, due_at, at, face_value as face, coalesce(face_amount, 0) as paid,
       coalesce(div(greatest(at - due_at, 0), 86400), 0) as days
     from claim left join settlement on claim_id = claim.id
   ) as payment group by 1, 2`,
  `insert into vault_day select vault, ${day('at')}, token, count(*), 0, 0, sum(amount + discount), sum(amount), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
   from capital_change join vault on address = capital_change.vault group by 1, 2, 3`,
  `insert into issuer_day select issuer, token, day, sum(n), sum(face), sum(parts), sum(financed), sum(advanced), sum(paid), sum(settled), sum(repaid), sum(repaid), 0 from (
     select issuer, token, ${day('registered_at')} as day, 1 as n, face_value as face, 0 as parts, 0 as financed, 0 as advanced, 0 as paid, 0 as settled, 0 as repaid from claim
     union all select issuer, token, ${day('funded_at')}, 0, 0, 1, face_amount, advance_amount, 0, 0, 0 from allocation
     union all select issuer, token, ${day('at')}, 0, 0, 0, 0, 0, 1, face_amount, vaults_amount from settlement
   ) as added group by 1, 2, 3`,
  `insert into token_day select token, day, sum(n), sum(face), sum(executed), sum(financed), sum(advanced), sum(paid), sum(settled), 0, 0, sum(repaid), 0 from (
     select token, day, claims_registered as n, face_registered as face, 0 as executed, 0 as financed, 0 as advanced, settlements as paid, face_settled as settled, face_repaid as repaid from issuer_day
     union all select token, ${day('at')}, 0, 0, 1, total_face, total_advance, 0, 0, 0 from execution
   ) as added group by 1, 2`,
  `insert into due_day select vault, issuer, token, ${day('due_at')}, sum(face_amount), sum(case when settled then face_amount else 0 end)
   from allocation group by 1, 2, 3, 4`,
  // Each allocation gains a unit a second until the day after its due date.
  `insert into value_day select vault, day, sum(gain), sum(gain_offset), sum(loss), sum(loss_offset), coalesce(sum(gain) filter (where is_later), 0),
     coalesce(sum(gain_offset) filter (where is_later), 0), coalesce(sum(loss) filter (where is_later), 0), coalesce(sum(loss_offset) filter (where is_later), 0) from (
     select vault, ${day('funded_at')} as day, 1 as gain, -funded_at as gain_offset, 0 as loss, 0 as loss_offset, false as is_later from allocation
     union all select vault, ${day('due_at')} + 86400, -1, due_at, 0, 1, true from allocation
   ) as line group by 1, 2`,
  // As if each vault had a deposit two days before the block.
  `update vault set (gain_per_second, gain_offset, loss_per_second, loss_offset, through_day) = (
     select sum(gain_per_second), sum(gain_offset), sum(loss_per_second), sum(loss_offset), ${day(`${BLOCK_TIME}`)} - 172800
     from value_day where value_day.vault = address and value_day.day <= ${day(`${BLOCK_TIME}`)} - 172800)`,
]

const isBig = (count: number) => count > 1000

export const BIG_TABLES = rows.filter(([, count]) => isBig(count)).map(([table]) => table)

/** The wallet, the vault and the issuer that a number stands for, as in the rows. */
export const SAMPLES = {
  wallet: `select ${wallet('7')} as id`,
  vault: `select ${vault('7')} as id`,
  issuer: `select ${issuer('7')} as id`,
}

/**
 * The tables and indexes of `ponder.schema.ts` in a schema, filled by `fill`, as if indexed and ready. By default, the
 * tables do not outlive a crash of Postgres, and are made faster.
 */
export async function makeProjection(
  pool: pg.Pool,
  fill: (query: Query) => Promise<void>,
  { name, isLogged }: { name: string; isLogged: boolean } = { name: 'projection', isLogged: false },
): Promise<void> {
  const kit: { getSql: (tables: object) => { tables: Sql; indexes: Sql } } = await import(KIT)
  const { tables, indexes } = kit.getSql(schema)
  const isOwn = (statement: string) => !statement.includes('_reorg__')
  const client = await pool.connect()
  try {
    await client.query(
      `create schema if not exists ${name}; set search_path to ${name}; set maintenance_work_mem = '256MB'`,
    )
    for (const statement of tables.sql.filter(isOwn)) {
      await client.query(isLogged ? statement : statement.replace('CREATE TABLE', 'CREATE UNLOGGED TABLE'))
    }
    await fill((statement) => client.query(statement))
    for (const statement of indexes.sql) await client.query(statement)
    await client.query(`
      create table _ponder_meta (key text primary key, value jsonb);
      insert into _ponder_meta values ('app', '{"is_ready": 1}');
      create table _ponder_checkpoint (latest_checkpoint text);
      insert into _ponder_checkpoint values ('${BLOCK_TIME}' || lpad('31337', 16, '0') || lpad('1000000', 16, '0') || repeat('9', 33))`)
    await client.query('analyze')
    await client.query('reset search_path')
  } finally {
    client.release()
  }
}

/** Every table. @param claims of which the other large tables have two for five */
export function makeLarge(pool: pg.Pool, claims = CLAIMS): Promise<void> {
  const scaled = (count: number) => (isBig(count) ? Math.ceil((count * claims) / CLAIMS) : count)
  return makeProjection(pool, async (query) => {
    for (const [table, count, values] of rows) await query(insertion(table, scaled(count), values))
    for (const statement of rollups) await query(statement)
  })
}

/** As many of those claims, with the issuers and vaults, and nothing else. */
export function makeClaims(pool: pg.Pool, claims: number): Promise<void> {
  return makeProjection(pool, (query) => insertClaims(query, claims))
}

/**
 * Makes the claims in tables of a schema as the indexer makes them, with their totals and one and a half times as many
 * allocations.
 */
export function makeFinancedClaims(pool: pg.Pool, claims: number, schema: string): Promise<void> {
  const fill = async (query: Query) => {
    await insertClaims(query, claims)
    await query(insertion(...allocations(claims, claims * 1.5)))
    await query(CLAIM_TOTALS)
  }
  return makeProjection(pool, fill, { name: schema, isLogged: true })
}

async function insertClaims(query: Query, claims: number): Promise<void> {
  for (const [table, count, values] of rows.filter(([table]) => /^(claim|issuer|token|vault)$/.test(table))) {
    await query(insertion(table, table === 'claim' ? claims : count, values))
  }
}

function insertion(table: string, count: number, values: string): string {
  return `insert into ${table} select ${values} from generate_series(1::bigint, ${count}) as i`
}
