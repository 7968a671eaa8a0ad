/** A copy of the shared projection in a later block, with states that the shared world does not have. */
import pg from 'pg'
import { sqlName } from '../../../api/projection/sql/source.ts'
import { makeProjection } from '../../projection/large.ts'
import { createDatabase, type TestDatabase } from '../../support/postgres.ts'
import { keys } from './rows.ts'

const DAY = 86_400n
const TABLES = [...Object.keys(keys), 'DueDay'].map((type) => sqlName(type).slice(1))

/**
 * Financed claims are due in the second before the block, in its second, in the next one, later on its day, and in the
 * first second of the third day after it; the second is paid in part, and the fourth is revoked, so nothing was paid
 * for them before. Others have no slice left, or have credits, of which some are withdrawn. A vault has no shares, and
 * pending terms have all types.
 */
const statesAt = (now: bigint) => `
  create temp table chosen as select id, row_number() over (order by due_at desc, id) - 2 as place from claim
    where paid_face_value = 0 and id in (select claim_id from allocation where not settled)
    order by due_at desc, id limit 5;
  create temp table moved as select vault, issuer, token, day, face_due as due, face_settled as settled from due_day;
  insert into moved ${duesOf(-1)};
  update claim set due_at = ${now} + case place when 2 then 3600 when 3 then ${3n * DAY - (now % DAY)} else place end from chosen where claim.id = chosen.id;
  update allocation set due_at = claim.due_at from claim where claim.id = claim_id;
  update claim set state = 'REVOKED' from chosen where claim.id = chosen.id and place = 2;
  update allocation set settled = true, paid_face = face_amount from chosen where claim_id = chosen.id and place = 2;
  update allocation set paid_face = face_amount / 2 from chosen where claim_id = chosen.id and place = 0;
  insert into activity select ${2n ** 62n}, beneficiary, 'CLAIM_REVOKED', token, face_value, id, null, null,
    changed_block, ${now} - 1, registered_tx from claim join chosen using (id) where place = 2;
  update claim set slice_count = 8 where id in (select id from claim where state = 'PARTIALLY_FUNDED' order by due_at desc limit 5);
  update payment_record as record set face = (
    select coalesce(sum(face_value), 0) from claim where claim.issuer = record.issuer and claim.token = record.token and state <> 'REVOKED');
  update pending_terms set supported_types_bitmap = ${2n ** 256n - 1n};
  update vault set total_shares = 0 where address = (select min(address) from vault);
  insert into credit select distinct on (beneficiary, token) beneficiary, token, case claim_type when 1 then 0 else face_value end
    from claim order by beneficiary, token, id;
  insert into claim_total select token, state, issuer, claim_type, count(*), sum(face_value), sum(financed_face_value)
    from claim group by 1, 2, 3, 4;
  insert into moved ${duesOf(1)};
  delete from due_day;
  insert into due_day select vault, issuer, token, day, sum(due), sum(settled) from moved group by 1, 2, 3, 4`

/** Face of the slices of the chosen claims by the days on which it is due, and on which it is paid. */
function duesOf(sign: 1 | -1): string {
  return `
    select vault, issuer, token, at - at % 86400, ${sign} * due, ${sign} * settled from (
      select vault, issuer, token, due_at as at, face_amount as due, 0 as settled from allocation
        where claim_id in (select id from chosen)
      union all select vault, allocation.issuer, allocation.token, greatest(due_at, settlement.at), 0, paid_face
        from allocation left join settlement using (claim_id)
        where paid_face > 0 and claim_id in (select id from chosen)
    ) as own`
}

/** @param pool of the shared database @param now time of the block, after all events */
export async function createRareWorld(pool: pg.Pool, now: bigint): Promise<TestDatabase> {
  const database = await createDatabase()
  const target = new pg.Pool({ connectionString: database.url, max: 1 })
  await makeProjection(target, async (query) => {
    for (const table of TABLES) {
      const { rows } = await pool.query(`select json_agg(own)::text as json from projection.${table} as own`)
      const json = pg.escapeLiteral(rows[0].json ?? '[]')
      await query(`insert into ${table} select * from json_populate_recordset(null::${table}, ${json})`)
    }
    await query(statesAt(now))
    await query(
      'select 1 / (count(*) = 5 and exists (select from pending_terms) and exists (select from credit where amount = 0))::int from chosen',
    )
  })
  const checkpoint = 'update projection._ponder_checkpoint set latest_checkpoint'
  await target.query(`${checkpoint} = overlay(latest_checkpoint placing '${now}' from 1)`)
  await target.end()
  return database
}
