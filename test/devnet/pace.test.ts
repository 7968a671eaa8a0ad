/** A development chain can have the finality of a real one. */
import { expect, it } from 'vitest'
import { FINALITY_SECONDS, paceOf } from '../../devnet/live-chain.ts'

it.each([FINALITY_SECONDS.min, FINALITY_SECONDS.min + 1, 100, 768, FINALITY_SECONDS.max])(
  'two epochs, after which a block is final, are the shortest that last %d seconds or more',
  (seconds) => {
    const { blockSeconds = 0, slotsInAnEpoch } = paceOf(seconds)
    const epochs = (slots: number) => 2 * slots * blockSeconds
    expect(epochs(slotsInAnEpoch)).toBeGreaterThanOrEqual(seconds)
    expect(epochs(slotsInAnEpoch - 1)).toBeLessThan(seconds)
  },
)
