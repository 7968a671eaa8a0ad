/** Points of the chart of discounts: `figures/vaults.test.ts` compares the chart of a world. */
import { expect, it } from 'vitest'
import { curveOf } from '../../explorer/src/vaults/curve.ts'

const TYPE = 1
const daysOf = (minDurationDays: number, maxDurationDays: number) =>
  curveOf(
    {
      address: '0x01',
      name: 'a vault',
      mandate: { minDurationDays, maxDurationDays, supportedTypes: [TYPE] },
      pricing: { baseDiscountBps: 100, durationBpsPerDay: 2, premiumBps: [] },
    },
    TYPE,
  ).map(({ days }) => days)

it.each([
  ['of one duration has one point', 30, 30, [30]],
  ['has a point for each fortnight and a day, and for its last day', 0, 40, [0, 15, 30, 40]],
  ['that ends after a year ends at a year', 350, 2 ** 32 - 1, [350, 365]],
  ['that begins at a year has that point', 365, 400, [365]],
  ['that begins after a year has none', 366, 400, []],
] as const)('the curve of a vault %s', (_, first, last, days) => {
  expect(daysOf(first, last)).toEqual(days)
})
