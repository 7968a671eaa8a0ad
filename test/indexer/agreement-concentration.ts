/** Concentration of vaults over a history, against the allocations that the logs of the contracts make. */
import { expect, it } from 'vitest'
import { concentrationOf, sharesOf } from '../graphql/oracle/concentration.ts'
import { nowOf } from './agreement-series.ts'
import { ask, type Indexed, sliceOf } from './indexed.ts'

/** @param indexed what is there once the tests run */
export function describeConcentration(indexed: () => Indexed): void {
  it('is that of its allocations', async () => {
    const { truth } = indexed()
    const now = await nowOf(indexed())
    const counts = new Set<number>()
    for (const { address } of truth.vault) {
      const own = truth.allocation
        .filter(({ vault }) => vault === address)
        .map((row) => ({ ...sliceOf(row), issuer: row.issuer }))
      const query = `{ vault(address: "${address}") { concentration { byIssuer(first: 200) { issuer { address } outstandingFace shareBps } herfindahlBps weightedDaysToDue weightedDiscountBps } } }`
      const shares = sharesOf(own)
      counts.add(shares.length)
      expect((await ask(indexed(), query)).vault.concentration).toEqual({
        ...concentrationOf(own, now),
        byIssuer: shares.map(({ issuer, outstandingFace, shareBps }) => ({
          issuer: { address: issuer },
          outstandingFace: String(outstandingFace),
          shareBps,
        })),
      })
    }
    expect(Math.max(...counts)).toBeGreaterThan(1)
  })
}
