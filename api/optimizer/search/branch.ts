import { MAX_LEGS } from '../../domain/limits.ts'
import { allows, type Domain, withClaim, withLegs } from '../model/domain.ts'
import type { Option } from '../model/problem.ts'
import type { Multipliers } from '../relaxation/multipliers.ts'
import type { Hints, NodeBound } from '../relaxation/node-bound.ts'
import { outclassed, withoutExchanges } from './claim-order.ts'

/** A part of the search tree: what it allows, where its parent's bound was, and the parent's bound. */
export type Node = {
  readonly domain: Domain
  readonly hints: Hints
  readonly bound: number
  readonly wide: WideHints | undefined
}

/** The parent's multipliers, in a tree that starts with more claims than the tables hold. */
export type WideHints = { readonly reach: Multipliers; readonly cost: Multipliers | undefined }

/**
 * Splits on the claim about which the two minimizers around the target differ most: first on whether it is used, then
 * on its vault. Without a difference, on the largest claim that is still open.
 */
export function branch(
  { domain, wide }: Pick<Node, 'domain' | 'wide'>,
  bound: NodeBound,
  { legsFirst, byLegs }: Way,
): Node[] {
  const node = (part: Domain): Node => ({
    domain: part,
    hints: { multiplier: bound.multiplier, cuts: bound.cuts.filter(({ chosen }) => allows(part, chosen)) },
    bound: bound.value - bound.margin,
    wide,
  })
  const above = chosenByClaim(bound.above?.chosen ?? [])
  const below = chosenByClaim(bound.below?.chosen ?? [])
  const range =
    legsFirst || byLegs || domain.problem.vaults.length <= FEW_VAULTS ? rangeBetween(bound) : undefined
  if (range !== undefined) return splitOnLegs(domain, range).map(node)
  const doubtful = byLegs ? mostDoubtful(domain, bound) : undefined
  if (doubtful !== undefined) return splitOnPlace(domain, doubtful).map(node)
  const open = domain.options.map((list, claim) => list.length > (domain.required[claim] === true ? 1 : 0))
  let claim = -1
  let most = -1
  open.forEach((isOpen, index) => {
    if (!isOpen) return
    const up = above.get(index)
    const down = below.get(index)
    const size = Math.max(up?.hiFloat ?? 0, down?.hiFloat ?? 0, 1)
    const score =
      up === down ? size * AGREED_SCORE : (up === undefined) !== (down === undefined) ? size * 2 : size
    if (score > most) [claim, most] = [index, score]
  })
  const list = domain.options[claim]
  if (list === undefined) return [node(domain)]
  const favourite = above.get(claim) ?? below.get(claim)
  if (domain.required[claim] !== true) {
    const used = node(withClaim(domain, claim, list, true))
    const unused = node(outclassed(withClaim(domain, claim, [], false), list))
    return above.get(claim) === undefined ? [used, unused] : [unused, used]
  }
  const first = favourite !== undefined && list.includes(favourite) ? favourite : list[0]
  if (first === undefined) return []
  const rest = list.filter((option) => option !== first)
  return [
    node(withClaim(withoutExchanges(domain, list, first), claim, rest, true)),
    node(withClaim(domain, claim, [first], true)),
  ]
}

/** Whether a node is split on the legs of vaults first, and whether its bound is one by numbers of legs. */
type Way = { readonly legsFirst: boolean; readonly byLegs: boolean }

/** Splits on whether a claim is used in a vault. A bound by numbers of legs rises only where its place is certain. */
function splitOnPlace(domain: Domain, { claim, vault }: Option): Domain[] {
  const list = domain.options[claim] ?? []
  const here = list.filter((option) => option.vault === vault)
  const elsewhere = list.filter((option) => option.vault !== vault)
  const isRequired = domain.required[claim] === true
  return [withClaim(domain, claim, elsewhere, isRequired), withClaim(domain, claim, here, true)]
}

/** Score per unit of a claim on which the two minimizers agree: every other claim comes first. */
const AGREED_SCORE = 1e-9

/** Vaults up to which a node is split on the number of legs in one of them before it is split on claims. */
const FEW_VAULTS = 6

type LegSplit = { readonly vault: number; readonly legs: number; readonly isMoreLikely: boolean }

/** Splits on whether a vault has more legs than some number; the likelier part is the last. */
export function splitOnLegs(domain: Domain, { vault, legs, isMoreLikely }: LegSplit): Domain[] {
  const more = withLegs(domain, vault, { least: legs + 1, most: MAX_LEGS })
  const fewer = withLegs(domain, vault, { least: 0, most: legs })
  return isMoreLikely ? [fewer, more] : [more, fewer]
}

/**
 * A vault in which the two minimizers around the target have different numbers of legs, and a number between the two.
 * One of several alike claims does not change the bound, but the number of them that a vault takes does.
 */
function rangeBetween({ above, below }: NodeBound): LegSplit | undefined {
  if (above === undefined || below === undefined) return undefined
  const [up, down] = [legsByVault(above.chosen), legsByVault(below.chosen)]
  let best: (LegSplit & { readonly difference: number }) | undefined
  for (const vault of new Set([...up.keys(), ...down.keys()])) {
    const [over, under] = [up.get(vault) ?? 0, down.get(vault) ?? 0]
    const difference = Math.abs(over - under)
    if (difference > (best?.difference ?? 0))
      best = { vault, legs: (over + under) >> 1, isMoreLikely: over > under, difference }
  }
  return best
}

/** An option of a claim that the minimizers put in several vaults, or else one that they differ in; the largest. */
function mostDoubtful(domain: Domain, { above, below }: NodeBound): Option | undefined {
  const both = [...(above?.chosen ?? []), ...(below?.chosen ?? [])]
  const isOpen = ({ claim, vault }: Option) =>
    domain.required[claim] !== true ||
    domain.options[claim]?.some((option) => option.vault !== vault) === true
  const doubtOf = (option: Option): number => {
    const elsewhere = both.filter(({ claim, vault }) => claim === option.claim && vault !== option.vault)
    return 2 * elsewhere.length + Number(both.filter((other) => other === option).length === 1)
  }
  return both
    .filter(isOpen)
    .sort((a, b) => doubtOf(b) - doubtOf(a) || b.hiFloat - a.hiFloat || a.claim - b.claim)[0]
}

function legsByVault(options: readonly Option[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { vault } of options) counts.set(vault, (counts.get(vault) ?? 0) + 1)
  return counts
}

function chosenByClaim(options: readonly Option[]): ReadonlyMap<number, Option> {
  return new Map(options.map((option) => [option.claim, option]))
}
