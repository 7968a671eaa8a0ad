/** Vaults as of a block: from their versions, and from the movements of their capital. */
import { sql } from 'kysely'
import type { Sql } from '../sql/json.ts'
import { midnightBefore } from '../sql/period.ts'
import { view } from '../sql/source.ts'
import { type At, isEventUntil, joinOne, versionOf } from './at.ts'

const LINES = ['gain_per_second', 'gain_offset', 'loss_per_second', 'loss_offset'] as const

/** Figures of a vault that each change of its capital and each day have after them. */
export const VAULT_FIGURES = [
  ...['idle_assets', 'outstanding_face', 'outstanding_advance', 'total_shares'],
  ...LINES,
] as const

/** Columns of a vault that each of its versions has. */
const TERMS = [
  ...['curator', 'supported_types_bitmap', 'min_duration_days', 'max_duration_days', 'min_face', 'max_face'],
  ...['max_claim_face', 'max_issuer_face', 'base_discount_bps', 'duration_bps_per_day', 'premium_bps'],
]

export function pastVaults(at: At): Sql {
  const figures = [...VAULT_FIGURES, 'discount_earned']
  const orNothing = figures.map((name) => sql`coalesce(capital.${sql.raw(name)}, 0) as ${sql.raw(name)}`)
  const version = versionOf('vaultVersion', sql`kept.vault = own.address`, at)
  return sql`
    select own.address, own.token, own.name, own.symbol, version.active, ${sql.join(TERMS.map((name) => sql.raw(`version.${name}`)))},
      own.notice_period, ${sql.join(orNothing)}, ${midnightBefore(sql`coalesce(capital.at, own.registered_at)`)} as through_day,
      own.registered_block, own.registered_at, greatest(version.block, capital.block) as changed_block,
      greatest(version.at, capital.at) as changed_at
    from ${view('vault')} as own ${joinOne('version', version, [...TERMS, 'block', 'at'], ['active'])}
    ${joinOne('capital', lastChange(sql`own.address`, at), [...figures, 'block', 'at'])}
    where own.registered_block <= ${at.block}`
}

/** The last change of the capital of a vault until the block. */
export function lastChange(vault: Sql, at: At): Sql {
  return sql`(select * from ${view('capitalChange')} where vault = ${vault} and ${isEventUntil(at)} order by id desc limit 1)`
}

export function pastTerms(at: At): Sql {
  const total = (days: number) =>
    sql`version.base_discount_bps + coalesce(version.premium_bps[type.number + 1], 0) + version.duration_bps_per_day * ${sql.lit(days)}`
  return sql`
    select own.address as vault, type.number as claim_type, own.token, version.active, version.min_duration_days,
      version.max_duration_days, version.min_face, version.max_face, version.max_claim_face, version.max_issuer_face,
      version.duration_bps_per_day,
      ${total(0)} as total_bps_now, ${total(30)} as total_bps_month, ${total(90)} as total_bps_quarter
    from ${view('vault')} as own
    cross join lateral ${versionOf('vaultVersion', sql`kept.vault = own.address`, at)} as version
    cross join lateral generate_series(0, 255) as type (number)
    where mod(div(version.supported_types_bitmap, 2::numeric ^ type.number), 2) = 1`
}

export function pastPositions(at: At): Sql {
  const after = ['shares', 'cost_basis', 'deposited', 'withdrawn', 'received', 'sent', 'since'].map(
    (name) => sql`last.${sql.raw(name)}_after as ${sql.raw(name)}`,
  )
  return sql`
    select own.vault, own.owner, ${sql.join(after)} from ${view('vaultPosition')} as own
    cross join lateral (
      select * from ${view('positionChange')} where vault = own.vault and owner = own.owner and ${isEventUntil(at)}
      order by id desc limit 1
    ) as last`
}

/**
 * The lines of value until the day of the block. The row of that day has those that were scheduled, and those of the
 * events of the day until the block: they are in the last change, and those of all events in the row and its day.
 */
export function pastValueDays(at: At): Sql {
  const isToday = sql`own.day = ${at.day}`
  const lines = LINES.map((name) => {
    const [line, scheduled] = [sql.raw(name), sql.raw(`scheduled_${name}`)]
    const today = sql`coalesce(own.${line} + moved.${line}, own.${scheduled})`
    return sql`case when ${isToday} then ${today} else own.${line} end as ${line}, own.${scheduled}`
  })
  const moved = sql`(
    select ${sql.join(LINES.map((name) => sql.raw(`last.${name} - today.${name} as ${name}`)))}
    from ${lastChange(sql`own.vault`, at)} as last
    join ${view('vaultDay')} as today on today.vault = last.vault and today.day = ${at.day}
    where ${isToday} and last.at >= ${at.day}
  )`
  return sql`
    select own.vault, own.day, ${sql.join(lines)} from ${view('valueDay')} as own ${joinOne('moved', moved, LINES)}
    where own.day <= ${at.day}`
}
