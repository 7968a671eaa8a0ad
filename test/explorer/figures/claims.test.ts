/** The figures of claims equal those that DuckDB makes of the lists behind them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Figures, numbersOf, openFigures, percent } from './support.ts'

let the: Figures

beforeAll(async () => {
  the = await openFigures()
})
afterAll(() => the?.stop())

it('a claim has the sums of its slices and of its payments', async () => {
  // One of each state: that has paid its beneficiary or only vaults, and that is due or not.
  const claims = await the.rowsOf(`
    WITH slices AS (SELECT claimId, count(*) AS slices, sum(faceAmount_decimal) AS financed FROM allocations GROUP BY 1),
    paid AS (
      SELECT claimId, sum(faceAmount_decimal) AS paid, sum(beneficiaryAmount_decimal) AS rest FROM settlements GROUP BY 1
    ), shown AS (
      SELECT claimId, token, state, state IN ('ELIGIBLE', 'PARTIALLY_FUNDED') AND NOT matured, faceValue_decimal, financed, paid, rest,
        row_number() OVER (PARTITION BY state, rest > 0, matured ORDER BY slices DESC NULLS LAST, claimId) AS place
      FROM claims LEFT JOIN slices USING (claimId) LEFT JOIN paid USING (claimId)
    )
    SELECT * EXCLUDE (place) FROM shown WHERE place = 1`)
  expect(claims.length).toBeGreaterThan(3)
  let rests = 0
  for (const [claim, token, state, isOpen, ...amounts] of claims) {
    const { write } = await the.writerOf(token)
    const [face = 0n, financed = 0n, paid = 0n, rest = 0n] = numbersOf(amounts)
    if (rest > 0n) rests++
    const slices = await the.rowsOf(`
      SELECT faceAmount_decimal, advanceAmount_decimal FROM allocations WHERE claimId = '${claim}' ORDER BY sliceIndex`)
    await the.go(`claims/${claim}`)
    const names = ['Face', 'Financed', 'Paid', 'Left to finance']
    const left = isOpen === 'true' ? write(face - financed) : '–'
    expect(await the.figuresOf(names)).toEqual([...[face, financed, paid].map(write), left])
    const shown = slices.length > 0 ? await the.tableOf('Slices', ['Face', 'Advance', 'Discount']) : []
    expect(shown).toEqual(
      slices.map((slice) => {
        const [own = 0n, advance = 0n] = numbersOf(slice)
        return [write(own), write(advance), percent(own - advance, own, 'up')]
      }),
    )
    const section = the.page.locator('section', {
      has: the.page.getByText('Who is owed what', { exact: true }),
    })
    const sums = await section
      .locator('p .number[title]')
      .evaluateAll((sums) => sums.map((sum) => sum.getAttribute('title')))
    const owed = face === financed ? [] : [write(face - financed)]
    expect(sums).toEqual(owed.length > 0 && state !== 'REVOKED' ? [...owed, write(rest)] : owed)
  }
  expect(rests).toBeGreaterThan(0)
})
