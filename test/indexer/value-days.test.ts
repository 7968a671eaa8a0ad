/** The lines of the value of a vault, summed over the days of its allocations, where these share a due day. */
import { describe, expect, it } from 'vitest'
import { addValue, removeValue } from '../../indexer/value-days.ts'
import { valueDay } from '../../ponder.schema.ts'
import { createHandled } from '../support/handlers.ts'

const DAY = 86_400n
const VALUE_SCALE = 90n * DAY * 2n ** 32n
const vault = `0x${'a1'.repeat(20)}` as const

const FUNDED = 20_000n * DAY + DAY / 2n
const OVERDUE = 20_030n * DAY
const WRITTEN_OFF = OVERDUE + 90n * DAY

/** The figures of the days up to a time: discounts that are earned, and losses, base units. */
async function valueAt(db: ReturnType<typeof createHandled>['db'], at: bigint) {
  let [gains, losses] = [0n, 0n]
  for (let day = FUNDED - (FUNDED % DAY); day <= at; day += DAY) {
    const row = await db.find(valueDay, { vault, day })
    if (!row) continue
    gains += row.gainPerSecond * at + row.gainOffset
    losses += row.lossPerSecond * at + row.lossOffset
  }
  return { gains: gains / VALUE_SCALE, losses: losses / VALUE_SCALE }
}

describe('the value of three allocations that are due on one day', () => {
  const large = { vault, dueAt: OVERDUE - DAY, faceAmount: 4_500n, advanceAmount: 4_459n }
  const medium = { vault, dueAt: OVERDUE - 7n, faceAmount: 2_700n, advanceAmount: 2_500n }
  const small = { vault, dueAt: OVERDUE - 1n, faceAmount: 900n, advanceAmount: 800n }
  const half = (FUNDED + OVERDUE) / 2n

  /** Two are funded in one block, one half-way to their due day. */
  async function financed() {
    const { db } = createHandled()
    await addValue(db, large, FUNDED)
    await addValue(db, medium, FUNDED)
    await addValue(db, small, half)
    return db
  }

  it('is the sum of their discounts in the parts of their time, and from their due day on that of their faces', async () => {
    const db = await financed()
    // Half and three quarters of 41 are broken units.
    expect(await valueAt(db, half)).toEqual({ gains: 20n + 100n, losses: 0n })
    expect(await valueAt(db, (half + OVERDUE) / 2n)).toEqual({ gains: 30n + 150n + 50n, losses: 0n })
    for (const days of [0n, 9n, 81n, 90n, 400n]) {
      const losses = 90n * (days < 90n ? days : 90n)
      expect(await valueAt(db, OVERDUE + days * DAY)).toEqual({ gains: 41n + 200n + 100n, losses })
    }
  })

  it.each([
    ['before they are overdue', OVERDUE - 2n * DAY],
    ['in their write-down', OVERDUE + 45n * DAY],
    ['after their write-down', WRITTEN_OFF + 10n * DAY],
  ])('is that of the others after one is paid %s', async (_, paidAt) => {
    const db = await financed()
    await removeValue(db, large, paidAt)
    for (const days of [0n, 9n, 81n, 90n, 400n]) {
      const at = OVERDUE + days * DAY
      const [gains, lossPerDay] = at > paidAt ? [300n, 40n] : [341n, 90n]
      const losses = lossPerDay * (days < 90n ? days : 90n)
      expect(await valueAt(db, at)).toEqual({ gains, losses })
    }
  })

  it('is scheduled for the end of their due day and that of their write-down', async () => {
    const db = await financed()
    for (const day of [OVERDUE, WRITTEN_OFF]) {
      const row = await db.find(valueDay, { vault, day })
      expect(row).toMatchObject({
        scheduledGainPerSecond: row?.gainPerSecond,
        scheduledGainOffset: row?.gainOffset,
        scheduledLossPerSecond: row?.lossPerSecond,
        scheduledLossOffset: row?.lossOffset,
      })
    }
  })
})
