import type { OptimizeInput } from '../../api/optimizer/index.ts'
import { answerOf } from './answers.ts'
import { manyClaims } from './many-claims.ts'

export type Variant =
  | 'as drawn'
  | 'at the maximum'
  | 'one unit beyond'
  | 'cost cap one unit low'
  | 'face cap one unit low'

export type ManyClaims = { readonly variant: Variant; readonly input: OptimizeInput }

/** Beyond what any market of the generator can advance. */
const HOPELESS = 10n ** 40n

/**
 * The input of a seed. Five of every eight are as drawn; the others are put on the edge of what is proven: the largest
 * advance, one unit more, or a cap one unit below the least that the route is proven to cost. Without such an edge, as
 * drawn.
 */
export function manyClaimsVariant(seed: number): ManyClaims {
  const drawn = manyClaims(seed)
  const edge = [edgeOfReach(1n), edgeOfReach(0n), seed % 16 < 8 ? edgeOfCost : edgeOfFace][seed % 8]
  return edge?.(drawn) ?? { variant: 'as drawn', input: drawn }
}

const edgeOfReach =
  (beyond: 0n | 1n) =>
  (drawn: OptimizeInput): ManyClaims | undefined => {
    const hopeless = answerOf({ ...drawn, targetAdvance: HOPELESS })
    if (hopeless === undefined || hopeless.executable) return undefined
    const { maxAchievableAdvance: most, maxAchievableGap: gap } = hopeless
    const targetAdvance = beyond === 0n ? most : most + gap + 1n
    if (targetAdvance === 0n) return undefined
    return {
      variant: beyond === 0n ? 'at the maximum' : 'one unit beyond',
      input: { ...drawn, targetAdvance },
    }
  }

function edgeOfCost({
  maxTotalCost: _cost,
  maxTotalFace: _face,
  ...drawn
}: OptimizeInput): ManyClaims | undefined {
  const least = leastCost(drawn)
  if (least === undefined || least === 0n) return undefined
  return { variant: 'cost cap one unit low', input: { ...drawn, maxTotalCost: least - 1n } }
}

function edgeOfFace({
  maxTotalCost: _cost,
  maxTotalFace: _face,
  ...drawn
}: OptimizeInput): ManyClaims | undefined {
  const least = leastCost(drawn)
  if (least === undefined || least === 0n) return undefined
  const maxTotalFace = drawn.targetAdvance + least - 1n
  return { variant: 'face cap one unit low', input: { ...drawn, maxTotalFace } }
}

/** Returns a lower bound on the cost of every route; undefined if the search ends without a route. */
function leastCost(input: OptimizeInput): bigint | undefined {
  const result = answerOf(input)
  return result?.executable ? result.totalCost - result.explanation.provenGap : undefined
}
