/** Vaults as of a block: from their versions, and from the movements of their capital. */
import { sql } from 'kysely'
import { SECONDS_PER_DAY } from '../../domain/limits.ts'
import { LOSS_PER_SECOND, VALUE_SCALE, WRITE_DOWN_SECONDS } from '../../domain/value.ts'
import type { Sql } from '../sql/json.ts'
import { view } from '../sql/source.ts'
import { type At, versionOf } from './at.ts'

export function pastVaults(at: At): Sql {
  const last = sql`
    left join lateral (
      select idle_assets, outstanding_face, outstanding_advance, total_shares, block, at from ${view('capitalChange')}
      where vault = own.address and id < ${at.nextId} order by id desc limit 1
    ) as capital on true
    left join lateral (
      select day, gain_per_second, gain_offset, loss_per_second, loss_offset from ${view('vaultDay')}
      where vault = own.address and day < ${at.day} order by day desc limit 1
    ) as before on true`
  const discountEarned = sql`(
    (select coalesce(sum(discount_earned), 0) from ${view('vaultDay')} where vault = own.address and day < ${at.day})
    + (select coalesce(sum(discount), 0) from ${view('capitalChange')}
      where vault = own.address and kind = 'REPAYMENT' and at >= ${at.day} and at <= ${at.time} and id < ${at.nextId})
  )`
  const figure = (name: string) => sql`coalesce(capital.${sql.raw(name)}, 0) as ${sql.raw(name)}`
  // Through the last day with a change of capital that is over: `pastValueDays` has the days after it.
  const line = (name: string) => sql`coalesce(before.${sql.raw(name)}, 0) as ${sql.raw(name)}`
  return sql`
    select own.address, own.token, version.curator, own.name, own.symbol, version.active, version.supported_types_bitmap,
      version.min_duration_days, version.max_duration_days, version.min_face, version.max_face, version.max_claim_face,
      version.max_issuer_face, version.base_discount_bps, version.duration_bps_per_day, version.premium_bps, own.notice_period,
      ${figure('idle_assets')}, ${figure('outstanding_face')}, ${figure('outstanding_advance')}, ${figure('total_shares')},
      ${line('gain_per_second')}, ${line('gain_offset')}, ${line('loss_per_second')}, ${line('loss_offset')},
      coalesce(before.day, 0) as through_day, ${discountEarned} as discount_earned, own.registered_block, own.registered_at,
      greatest(version.block, capital.block) as changed_block, greatest(version.at, capital.at) as changed_at
    from ${view('vault')} as own
    cross join lateral ${versionOf('vaultVersion', sql`kept.vault = own.address`, at.block)} as version ${last}`
}

export function pastTerms({ block }: At): Sql {
  const total = (days: number) =>
    sql`version.base_discount_bps + coalesce(version.premium_bps[type.number + 1], 0) + version.duration_bps_per_day * ${sql.lit(days)}`
  return sql`
    select own.address as vault, type.number as claim_type, own.token, version.active, version.min_duration_days,
      version.max_duration_days, version.min_face, version.max_face, version.max_claim_face, version.max_issuer_face,
      version.duration_bps_per_day,
      ${total(0)} as total_bps_now, ${total(30)} as total_bps_month, ${total(90)} as total_bps_quarter
    from ${view('vault')} as own
    cross join lateral ${versionOf('vaultVersion', sql`kept.vault = own.address`, block)} as version
    cross join lateral generate_series(0, 255) as type (number)
    where mod(div(version.supported_types_bitmap, 2::numeric ^ type.number), 2) = 1`
}

export function pastPositions({ nextId }: At): Sql {
  const changes = sql`${view('positionChange')} as change where change.vault = own.vault and change.owner = own.owner and change.id < ${nextId}`
  const total = (kind: string, name: string) =>
    sql`coalesce(sum(assets) filter (where kind = ${sql.lit(kind)}), 0) as ${sql.raw(name)}`
  return sql`
    select own.vault, own.owner, last.shares_after as shares, last.cost_basis_after as cost_basis, total.deposited,
      total.withdrawn, total.received, total.sent, held.since
    from ${view('vaultPosition')} as own
    cross join lateral (select shares_after, cost_basis_after from ${changes} order by change.id desc limit 1) as last
    cross join lateral (
      select ${total('DEPOSIT', 'deposited')}, ${total('WITHDRAWAL', 'withdrawn')}, ${total('RECEIVED', 'received')},
        ${total('SENT', 'sent')} from ${changes}
    ) as total
    cross join lateral (
      select min(at) as since from ${changes} and last.shares_after > 0 and change.id > coalesce(
        (select max(id) from ${changes} and change.shares_after = 0), ''
      )
    ) as held`
}

/** The lines of value until the day of the block. Later events of that day have added to its row, as here. */
export function pastValueDays(at: At): Sql {
  const day = sql.lit(Number(SECONDS_PER_DAY))
  const scale = sql.raw(`${VALUE_SCALE}`)
  const lossPerSecond = sql.raw(`${LOSS_PER_SECOND}`)
  const line = (name: string) =>
    sql`own.${sql.raw(name)} - coalesce(later.${sql.raw(name)}, 0) as ${sql.raw(name)}`
  return sql`
    select own.vault, own.day, ${line('gain_per_second')}, ${line('gain_offset')}, ${line('loss_per_second')}, ${line('loss_offset')}
    from ${view('valueDay')} as own left join lateral (
      select sum(per_second) as gain_per_second,
        sum(case when kind = 'FUNDING' then -per_second * at else -discount * ${scale} end) as gain_offset,
        sum(case when is_declining then -amount * ${lossPerSecond} else 0 end) as loss_per_second,
        sum(case when is_declining then amount * ${lossPerSecond} * overdue_from when is_lost then -amount * ${scale} else 0 end)
          as loss_offset
      from (
        select kind, change.at, discount, amount, overdue_from,
          case when kind = 'FUNDING' then div(discount * ${scale}, overdue_from - change.at) else 0 end as per_second,
          kind = 'REPAYMENT' and change.at >= overdue_from + ${sql.lit(Number(WRITE_DOWN_SECONDS))} as is_lost,
          kind = 'REPAYMENT' and change.at >= overdue_from
            and change.at < overdue_from + ${sql.lit(Number(WRITE_DOWN_SECONDS))} as is_declining
        from ${view('capitalChange')} as change
        join ${view('allocation')} as slice on slice.claim_id = change.claim_id and slice.slice_index = change.slice_index
        cross join lateral (select slice.due_at - mod(slice.due_at, ${day}) + ${day} as overdue_from) as due
        where own.day = ${at.day} and change.vault = own.vault and kind in ('FUNDING', 'REPAYMENT')
          and change.at >= ${at.time} and change.at < ${at.day} + ${day} and change.id >= ${at.nextId}
      ) as event
    ) as later on true
    where own.day <= ${at.day}`
}
