/**
 * The tables of the projection as they were after a block. A row that never changes is in the past of each later block.
 * Any other is computed from rows that never change: events and versions.
 */
import { sql } from 'kysely'
import type { Sql } from '../sql/json.ts'
import { type Table, view } from '../sql/source.ts'
import { type At, isEventUntil, isUntil, joinOne, versionOf } from './at.ts'
import { pastAllocations, pastClaims } from './claims.ts'
import { pastDueDays, pastIssuerDays, pastPositionDays, pastTokenDays, pastVaultDays } from './days.ts'
import { pastRecords } from './records.ts'
import { pastPositions, pastTerms, pastValueDays, pastVaults } from './vaults.ts'

/** Selects the rows of each table that has a past. */
export const pastTables: { readonly [T in Table]?: (at: At) => Sql } = {
  router: (at) => sql`
    select own.id, version.status as paused, version.block as changed_block, version.at as changed_at
    from ${view('router')} as own cross join lateral ${versionOf('statusVersion', sql`subject = own.id`, at)} as version`,
  issuer: (at) => sql`
    select own.address, version.status as active, ${claimCount(at)} as claim_count, own.added_block, own.added_at,
      version.at as changed_at
    from ${view('issuer')} as own ${joinStatus(at)} where own.added_block <= ${at.block}`,
  token: (at) => sql`
    select own.address, own.symbol, own.name, own.decimals, version.status as listed, own.added_block, own.added_at,
      version.block as changed_block, version.at as changed_at
    from ${view('token')} as own ${joinStatus(at)} where own.added_block <= ${at.block}`,
  claim: pastClaims,
  allocation: pastAllocations,
  vault: pastVaults,
  vaultTerms: pastTerms,
  vaultPosition: pastPositions,
  valueDay: pastValueDays,
  tokenDay: pastTokenDays,
  issuerDay: pastIssuerDays,
  vaultDay: pastVaultDays,
  positionDay: pastPositionDays,
  dueDay: pastDueDays,
  paymentRecord: pastRecords,
  credit: ({ nextId }) => sql`
    select own.account, own.token, held.amount from ${view('credit')} as own cross join lateral (
      select sum(case when kind = 'CREDITED' then amount else -amount end) as amount from ${view('activity')}
      where wallet = own.account and token = own.token and kind in ('CREDITED', 'CREDIT_WITHDRAWN') and id < ${nextId}
    ) as held where held.amount is not null`,
  positionChange: (at) => sql`select * from ${view('positionChange')} where ${isEventUntil(at)}`,
  capitalChange: (at) => sql`select * from ${view('capitalChange')} where ${isEventUntil(at)}`,
  activity: (at) => sql`select * from ${view('activity')} where ${isEventUntil(at)}`,
  execution: (at) => sql`select * from ${view('execution')} where ${isUntil(at, 'block', 'at')}`,
  // A leg has a time and no block. A leg in the second of the block can be one of a later block.
  executionLeg: ({ block, time }) => sql`
    select * from ${view('executionLeg')} as own where at <= ${time} and (
      at < ${time} or exists (select from ${view('execution')} as of where of.id = own.execution_id and of.block <= ${block})
    )`,
  routeCancellation: (at) =>
    sql`select * from ${view('routeCancellation')} where ${isUntil(at, 'block', 'at')}`,
  settlement: (at) => sql`select * from ${view('settlement')} where ${isUntil(at, 'block', 'at')}`,
}

/** The status since the addition of an issuer or a token. */
function joinStatus(at: At): Sql {
  const last = versionOf('statusVersion', sql`subject = own.address`, at)
  return joinOne('version', last, ['block', 'at'], ['status'])
}

/** Counts the claims of an issuer: the number of the last one. */
function claimCount(at: At): Sql {
  return sql`coalesce((
    select issuer_claim_number from ${view('claim')}
    where issuer = own.address and ${isUntil(at, 'registered_block', 'registered_at')}
    order by registered_at desc, ordinal desc limit 1
  ), 0)`
}
