import type { Dice } from '../support/dice.ts'
import { MAX_ROUTES, RATE_SETS, withBounds } from './instance-bounds.ts'
import type { OracleCandidate, OracleInput } from './oracle.ts'

type Terms = { rate: number; min: number; max: number }

/**
 * A series of alike claims, more than a route has legs or fewer, of which some differ in a lot or a rate here and
 * there.
 */
export function seriesInstance(dice: Dice): OracleInput {
  const claims = dice.pick([4, 5, 6, 9, 10] as const)
  const vaults = claims > 6 ? dice.between(1, 2) : dice.between(2, 4)
  const terms = Array.from({ length: vaults }, () => drawTerms(dice))
  const odd = dice.pick([0, 0.1, 0.4] as const)
  const candidates: OracleCandidate[] = []
  let routes = 1
  for (let claim = 0; claim < claims; claim++) {
    let lots = 1
    terms.forEach((common, vault) => {
      const own = dice.chance(odd) ? varied(dice, common) : common
      const width = Math.max(0, own.max - own.min + 1)
      if (routes * (lots + width) > MAX_ROUTES) return
      lots += width
      candidates.push({ claim: `0xc${claim.toString(16)}`, vault: `0xa${vault}`, ...own })
    })
    routes *= lots
  }
  return withBounds(dice, candidates, vaults, dice.chance(0.7))
}

function drawTerms(dice: Dice): Terms {
  const min = dice.between(1, dice.pick([3, 12, 150] as const))
  return {
    rate: dice.pick(dice.pick(RATE_SETS)),
    min,
    max: min + dice.between(0, dice.pick([0, 1, 3] as const)),
  }
}

function varied(dice: Dice, { rate, min, max }: Terms): Terms {
  const kind = dice.between(0, 2)
  if (kind === 0) return { rate: Math.min(10_000, rate + dice.between(1, 100)), min, max }
  if (kind === 1) return { rate, min, max: max + 1 }
  return { rate, min: Math.max(0, min - 1), max: Math.max(min - 1, max - 1) }
}
