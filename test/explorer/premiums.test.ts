/** The premiums of a form of terms: a form that nobody changes submits those that it was given. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { premiumsOf, textsOfPremiums } from '../../explorer/src/vaults/premiums.ts'

const premiums = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9_999 })), { maxLength: 256 })

it('are those of the vault, without zeros at the end of the list', () => {
  fc.assert(
    fc.property(premiums, (premiumBps) => {
      const last = premiumBps.findLastIndex((bps) => bps > 0)
      expect(premiumsOf(textsOfPremiums(premiumBps))).toEqual(premiumBps.slice(0, last + 1))
    }),
  )
})

it('are 0 for a type whose field is empty, and for types below the highest one', () => {
  const texts = new Map([
    [0, ''],
    [255, '7'],
  ])
  expect(premiumsOf(texts)).toEqual([...new Array<number>(255).fill(0), 7])
})
