import { type RawBuilder, sql } from 'kysely'
import { SECONDS_PER_DAY } from '../../api/domain/limits.ts'
import { firstOrdinalOf } from '../../api/domain/ordinal.ts'
import { VALUE_SCALE, WRITE_DOWN_SECONDS } from '../../api/domain/value.ts'
import { type Addition, addUp } from './additions.ts'
import type { Days, Rollup, Tables } from './rollup.ts'

/** Lines, and the parts of them that events of earlier days add. */
const SCHEDULED = {
  gainPerSecond: 'scheduledGainPerSecond',
  gainOffset: 'scheduledGainOffset',
  lossPerSecond: 'scheduledLossPerSecond',
  lossOffset: 'scheduledLossOffset',
} as const
const FIGURES = Object.entries(SCHEDULED).flat()

type Lines = { readonly [Line in keyof typeof SCHEDULED]?: RawBuilder<unknown> }

function scheduled(lines: Lines): Addition['adds'] {
  const parts = Object.entries(lines)
  const isLine = (name: string): name is keyof Lines => name in SCHEDULED
  return Object.fromEntries([
    ...parts,
    ...parts.flatMap(([name, part]) => (isLine(name) ? [[SCHEDULED[name], part]] : [])),
  ])
}

const SCALE = sql.lit(String(VALUE_SCALE))
const LOSS_PER_SECOND = sql.lit(String(VALUE_SCALE / WRITE_DOWN_SECONDS))

/**
 * Sums of the allocations of a vault by the days that change their value: of the funding, the day after the due day, on
 * which the discount is earned and losses begin, and the day on which nothing is left to lose. Each repayment takes its
 * part from them, and from its own day.
 */
export const valueDay: Rollup = {
  name: 'valueDay',
  key: ['vault', 'day'],
  figures: FIGURES,
  expected: (tables, days) => {
    const overdue = dueWithin(days, SECONDS_PER_DAY)
    const lost = dueWithin(days, SECONDS_PER_DAY + WRITE_DOWN_SECONDS)
    return addUp(
      ['vault'],
      FIGURES,
      [
        {
          from: slicesOf(tables, sql`true`),
          at: 'fundedAt',
          adds: { gainPerSecond: sql`gain`, gainOffset: sql`-gain * funded_at` },
        },
        {
          from: slicesOf(tables, overdue),
          at: 'overdueFrom',
          adds: scheduled({
            gainPerSecond: sql`-gain`,
            gainOffset: sql`gain * funded_at + discount * ${SCALE}::numeric`,
            ...lossOf(sql`face_amount`, sql`overdue_from`),
          }),
        },
        {
          from: slicesOf(tables, lost),
          at: 'lostFrom',
          adds: scheduled(lossOf(sql`-face_amount`, sql`lost_from`)),
        },
        {
          from: repaymentsOf(tables, overdue),
          at: 'overdueFrom',
          where: sql`at < overdue_from`,
          adds: scheduled(lossOf(sql`-amount`, sql`overdue_from`)),
        },
        {
          from: repaymentsOf(tables, lost),
          at: 'lostFrom',
          where: sql`at < lost_from`,
          adds: scheduled(lossOf(sql`amount`, sql`lost_from`)),
        },
        {
          from: repaymentsOf(tables, since(days)),
          at: 'at',
          adds: {
            gainOffset: sql`-repaid_discount * ${SCALE}::numeric`,
            lossPerSecond: sql`case when at >= overdue_from and at < lost_from then -amount * ${LOSS_PER_SECOND}::numeric else 0 end`,
            lossOffset: sql`case when at >= lost_from then -amount * ${SCALE}::numeric
              when at >= overdue_from then amount * ${LOSS_PER_SECOND}::numeric * overdue_from else 0 end`,
          },
        },
      ],
      days,
    )
  },
}

/** The loss of a face, which grows by each second since a time. */
function lossOf(face: RawBuilder<unknown>, from: RawBuilder<unknown>) {
  const loss = sql`(${face}) * ${LOSS_PER_SECOND}::numeric`
  return { lossPerSecond: loss, lossOffset: sql`-(${loss}) * ${from}` }
}

/** Due dates of allocations whose value changes so much later. The index of due dates is that of the claims. */
function dueWithin(days: Days | undefined, later: bigint): RawBuilder<unknown> {
  return days ? sql`claim.due_at >= ${days.from - later} and claim.due_at < ${days.to - later}` : sql`true`
}

/** Repayments, those of earlier days left out. Changes of capital have an index by block. */
function since(days: Days | undefined): RawBuilder<unknown> {
  return days ? sql`change.id >= ${firstOrdinalOf(days.firstBlock)}` : sql`true`
}

const TIMES = sql`claim.due_at - claim.due_at % 86400 + 86400 as overdue_from,
  claim.due_at - claim.due_at % 86400 + 86400 + ${sql.lit(String(WRITE_DOWN_SECONDS))}::numeric as lost_from`

/** Allocations with the numbers of their value. */
function slicesOf(tables: Tables, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select slice.*, div(discount * ${SCALE}::numeric, overdue_from - funded_at) as gain
    from (
      select slice.vault, slice.face_amount, slice.face_amount - slice.advance_amount as discount, slice.funded_at, ${TIMES}
      from ${tables('claim')} as claim join ${tables('allocation')} as slice on slice.claim_id = claim.id
      where ${where}
    ) as slice
  ) as slice`
}

/** Repayments of allocations, whole or in part. */
function repaymentsOf(tables: Tables, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select change.vault, change.amount, change.discount as repaid_discount, change.at, ${TIMES}
    from ${tables('claim')} as claim join ${tables('capitalChange')} as change on change.claim_id = claim.id
    where change.kind = 'REPAYMENT' and ${where}
  ) as repayment`
}
