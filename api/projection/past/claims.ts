/** Claims and their allocations as of a block. A row that has not changed since is read as it is. */
import { sql } from 'kysely'
import type { Sql } from '../sql/json.ts'
import { view } from '../sql/source.ts'
import { type At, isUntil } from './at.ts'

export function pastClaims(at: At): Sql {
  const isSince = sql`own.changed_block > ${at.block}`
  const parts = sql`
    left join lateral (
      select coalesce(sum(face_amount), 0) as face, count(*)::int4 as slices, max(funded_block) as block, max(funded_at) as at
      from ${view('allocation')} where ${isSince} and claim_id = own.id and funded_block <= ${at.block}
    ) as financed on true
    left join lateral (
      select coalesce(sum(face_amount), 0) as face, max(block) as block, max(at) as at
      from ${view('settlement')} where ${isSince} and claim_id = own.id and block <= ${at.block}
    ) as paid on true
    left join lateral (
      select block, at from ${view('activity')}
      where ${isSince} and claim_id = own.id and kind = 'CLAIM_REVOKED' and id < ${at.nextId} limit 1
    ) as revoked on true`
  // A claim that was paid in full by then has not changed since.
  const state = sql`case
    when revoked.block is not null then case when financed.slices = 0 then 'REVOKED' else 'CLOSED' end
    when financed.slices = 0 then 'ELIGIBLE'
    when financed.face < own.face_value then 'PARTIALLY_FUNDED'
    else 'FULLY_FUNDED' end`
  const ifSince = (past: Sql, present: Sql) => sql`case when ${isSince} then ${past} else ${present} end`
  const last = (column: 'block' | 'at', registered: Sql) =>
    sql`greatest(${registered}, financed.${sql.raw(column)}, paid.${sql.raw(column)}, revoked.${sql.raw(column)})`
  return sql`
    select own.id, own.issuer, own.beneficiary, own.token, own.face_value,
      ${ifSince(sql`financed.face`, sql`own.financed_face_value`)} as financed_face_value,
      ${ifSince(sql`paid.face`, sql`own.paid_face_value`)} as paid_face_value, own.due_at, own.claim_type,
      ${ifSince(sql`financed.slices`, sql`own.slice_count`)} as slice_count, ${ifSince(state, sql`own.state`)} as state,
      own.document_hash, own.registered_block, own.registered_at, own.registered_tx,
      own.ordinal, own.issuer_claim_number,
      ${ifSince(last('block', sql`own.registered_block`), sql`own.changed_block`)} as changed_block,
      ${ifSince(last('at', sql`own.registered_at`), sql`own.changed_at`)} as changed_at
    from ${view('claim')} as own ${parts} where ${isUntil(at, 'own.registered_block', 'own.registered_at')}`
}

export function pastAllocations(at: At): Sql {
  // The amounts of an allocation change with payments only, and no more after the whole face is repaid.
  const isSince = sql`own.paid_face > 0 and (own.repaid_block is null or own.repaid_block > ${at.block})`
  const paid = sql`case when ${isSince} then coalesce(paid.face, 0) else own.paid_face end`
  const ifUntil = (column: string) =>
    sql`case when own.repaid_block <= ${at.block} then own.${sql.raw(column)} end as ${sql.raw(column)}`
  return sql`
    select own.claim_id, own.slice_index, own.vault, own.execution_id, own.token, own.issuer, own.claim_type, own.due_at,
      ${paid} = own.face_amount as settled, own.face_amount, own.advance_amount, ${paid} as paid_face,
      case when ${isSince} then coalesce(repaid.face, 0) else own.repaid_face end as repaid_face,
      own.funded_block, own.funded_at, own.ordinal, ${ifUntil('repaid_block')}, ${ifUntil('repaid_at')}
    from ${view('allocation')} as own
    left join lateral (
      select sum(slice_amounts[own.slice_index + 1]) as face from ${view('settlement')}
      where ${isSince} and claim_id = own.claim_id and block <= ${at.block}
    ) as paid on true
    left join lateral (
      select sum(amount) as face from ${view('capitalChange')}
      where ${isSince} and claim_id = own.claim_id and slice_index = own.slice_index and kind = 'REPAYMENT' and block <= ${at.block}
    ) as repaid on true
    where ${isUntil(at, 'own.funded_block', 'own.funded_at')}`
}
