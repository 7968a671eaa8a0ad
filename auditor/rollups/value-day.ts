import { type RawBuilder, sql } from 'kysely'
import { VALUE_SCALE, WRITE_DOWN_SECONDS } from '../../api/domain/value.ts'
import { firstIdOf } from '../entities/event-id.ts'
import { type Addition, addUp, column } from './additions.ts'
import type { Days, Rollup, Tables } from './rollup.ts'

const FIGURES = ['gainPerSecond', 'gainOffset', 'lossPerSecond', 'lossOffset']
const SECONDS_PER_DAY = 86_400n

const SCALE = sql.lit(String(VALUE_SCALE))
const LOSS_PER_SECOND = sql.lit(String(VALUE_SCALE / WRITE_DOWN_SECONDS))

/**
 * Sums of the allocations of a vault by the days that change their value: of the funding and the repayment, the day
 * after the due day, on which the discount is earned and losses begin, and the day on which nothing is left to lose.
 */
export const valueDay: Rollup = {
  name: 'valueDay',
  key: ['vault', 'day'],
  isDaily: true,
  figures: FIGURES,
  expected: (tables, days) =>
    addUp(
      ['vault'],
      FIGURES,
      [
        {
          from: partsOf(tables),
          at: 'fundedAt',
          adds: { gainPerSecond: sql`gain`, gainOffset: sql`-gain * funded_at` },
        },
        ...lossesOf(tables, days),
        {
          from: partsOf(tables, repaidSince(tables, days)),
          at: 'repaidAt',
          adds: {
            gainOffset: sql`-discount * ${SCALE}::numeric`,
            lossPerSecond: sql`case when repaid_at > overdue_from and repaid_at < lost_from then -loss else 0 end`,
            lossOffset: sql`case when repaid_at >= lost_from then -face_amount * ${SCALE}::numeric
              when repaid_at > overdue_from then loss * overdue_from else 0 end`,
          },
        },
      ],
      days,
    ),
}

/** The end of the gain and the loss of what is not repaid before. */
function lossesOf(tables: Tables, days: Days | undefined): Addition[] {
  const isUnpaid = (from: string) => sql`(repaid_at is null or repaid_at > ${column(from)})`
  return [
    {
      from: partsOf(tables, dueWithin(days, SECONDS_PER_DAY)),
      at: 'overdueFrom',
      adds: {
        gainPerSecond: sql`-gain`,
        gainOffset: sql`gain * funded_at + discount * ${SCALE}::numeric`,
        lossPerSecond: sql`case when ${isUnpaid('overdueFrom')} then loss else 0 end`,
        lossOffset: sql`case when ${isUnpaid('overdueFrom')} then -loss * overdue_from else 0 end`,
      },
    },
    {
      from: partsOf(tables, dueWithin(days, SECONDS_PER_DAY + WRITE_DOWN_SECONDS)),
      at: 'lostFrom',
      adds: {
        lossPerSecond: sql`case when repaid_at is null or repaid_at >= lost_from then -loss else 0 end`,
        lossOffset: sql`case when repaid_at is null or repaid_at >= lost_from then loss * lost_from else 0 end`,
      },
    },
  ]
}

/** Due dates of allocations whose value changes so much later. The index of due dates is that of the claims. */
function dueWithin(days: Days | undefined, later: bigint): RawBuilder<unknown> {
  return days ? sql`claim.due_at >= ${days.from - later} and claim.due_at < ${days.to - later}` : sql`true`
}

/** Allocations that are repaid, those of earlier days left out. Changes of capital have an index by block. */
function repaidSince(tables: Tables, days: Days | undefined): RawBuilder<unknown> {
  const since = days ? sql`and change.id >= ${firstIdOf(days.firstBlock)}` : sql``
  return sql`(slice.claim_id, slice.slice_index) in (
    select change.claim_id, change.slice_index from ${tables('capitalChange')} as change
    where change.kind = 'REPAYMENT' ${since}
  )`
}

/** Allocations with the numbers of their value. */
function partsOf(tables: Tables, where: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  return sql`(
    select part.*, overdue_from + ${sql.lit(String(WRITE_DOWN_SECONDS))}::numeric as lost_from,
      div(discount * ${SCALE}::numeric, overdue_from - funded_at) as gain,
      face_amount * ${LOSS_PER_SECOND}::numeric as loss
    from (
      select slice.vault, slice.face_amount, slice.face_amount - slice.advance_amount as discount, slice.funded_at,
        slice.repaid_at, claim.due_at - claim.due_at % 86400 + 86400 as overdue_from
      from ${tables('claim')} as claim join ${tables('allocation')} as slice on slice.claim_id = claim.id
      where ${where}
    ) as part
  ) as value`
}
