import type { PlantedFault } from '../fault.ts'

/** api/optimizer. */
export const optimizerFaults: readonly PlantedFault[] = [
  {
    name: 'a leg at its least lot takes less face than the mandate asks for, where a smaller one advances the same',
    in: 'costOfAdvance',
    find: 'larger(proportionalCost(option, advance), option.costLo)',
    replace: 'proportionalCost(option, advance)',
  },
  {
    name: 'routes that tie in cost, legs and face are ranked by vault before claim',
    in: 'comparePairs',
    find: 'left.claim - right.claim || left.vault - right.vault',
    replace: 'left.vault - right.vault || left.claim - right.claim',
  },
  {
    name: 'the fill above 12 claims passes a vault over that has room for exactly the least lot',
    in: 'fillInOrder',
    find: 'room < option.lo) continue',
    replace: 'room <= option.lo) continue',
  },
  {
    name: 'a target that only the face cap forbids is refused for its cost',
    in: 'reasonOf',
    find: 'const uncapped = { ...bounds, maxCost: undefined }',
    replace: 'const uncapped = { ...bounds, maxCost: undefined, maxFace: undefined }',
  },
  {
    name: 'a route whose cost alone is proven least is called exact',
    in: 'gapOf',
    find: 'larger(route.cost - lowerBound, 1n)',
    replace: 'larger(route.cost - lowerBound, 0n)',
  },
  {
    name: 'an option is dropped although the other legs are just enough to block every better one',
    in: 'dropDominated',
    find: 'if (needed > others) return false',
    replace: 'if (needed >= others) return false',
  },
  {
    name: 'a claim with larger lots counts as outclassed by an unused claim with smaller ones',
    in: 'matches',
    find: 'better.hi >= option.hi &&',
    replace: '',
  },
  {
    name: 'a claim is dropped although the other legs are just enough to use every better claim',
    in: 'isNeeded',
    find: 'better.length < maxLegs - required',
    replace: 'better.length < maxLegs - required - 1',
  },
  {
    name: 'of claims that match each other, later ones count as better too',
    in: 'isNeeded',
    find: 'isEarlier || !matchesAll(list, other.list)',
    replace: 'true',
  },
  {
    name: 'claims change places although the other one does not take what this one takes elsewhere',
    in: 'isExchangeable',
    find: 'matches(first, option) && matchesAll(list, rest)',
    replace: 'matches(first, option)',
  },
  {
    name: 'a claim that does not pay is left out of a vault that needs its leg',
    in: 'extend',
    find: 'if (legs.least === 0 && !isRequired && marginal >= slack)',
    replace: 'if (!isRequired && marginal >= slack)',
  },
  {
    name: 'a claim counts on a place in a vault whose number of legs is limited',
    in: 'placesOf',
    find: 'if (legs.most < shape.maxLegs) return',
    replace: '',
  },
  {
    name: 'a node is not searched where a vault has as many legs as lie between its two minimizers',
    in: 'branch',
    find: '{ least: 0, most: legs }',
    replace: '{ least: 0, most: legs - 1 }',
  },
  {
    name: 'lots that take exactly the face cap together count as one too many',
    in: 'countWithin',
    find: 'left < 0n',
    replace: 'left <= 0n',
  },
  {
    name: 'a negative price on legs is paid for the most legs of a vault instead of the least',
    in: 'exactCeiling',
    find: 'legsAt(domain, vault, maxLegs, price > 0n)',
    replace: 'legsAt(domain, vault, maxLegs, true)',
  },
  {
    name: 'the ascent of the cost starts without a price on the liquidity that a fill uses up',
    in: 'fillMultipliers',
    find: 'left[vault] === 0 ? multiplier - slope : 0',
    replace: '0',
  },
  {
    name: 'a refuted advance still counts as one that may be reached',
    in: 'mostAdvance',
    find: 'if (complete) return found(next() - 1n)',
    replace: 'if (complete) return found(next())',
  },
  {
    name: 'a route of more than 12 claims is called exact once it is proven the best-ranked one',
    in: 'executable',
    find: 'const isExact = provenGap === 0n && problem.claims.length <= EXACT_SEARCH_MAX_CLAIMS',
    replace: 'const isExact = provenGap === 0n',
  },
  {
    name: 'above 12 claims, the search replaces the fill by a route that ranks after it',
    in: 'beyondFill',
    find: 'compareRoutes(searched.best, filled) <= 0',
    replace: 'compareRoutes(searched.best, filled) >= 0',
  },
  {
    name: 'legs whose least lots use up a vault to the last unit cannot be filled',
    in: 'fillByRate',
    find: 'if (left < 0n) return undefined',
    replace: 'if (left <= 0n) return undefined',
  },
  {
    name: 'a first fill is taken for the cheapest split without regard to the rounding of its legs',
    in: 'cheapestSplit',
    find: 'const floor = costs(proportionalCost) - BigInt(options.length) + 1n',
    replace: 'const floor = costs(proportionalCost)',
  },
  {
    name: 'the bound on the advance leaves out lots that fill a vault exactly',
    in: 'visit',
    find: 'if (lo + lot.lo <= liquidity)',
    replace: 'if (lo + lot.lo < liquidity)',
  },
  {
    name: 'ties are settled after options in earlier vaults were dropped',
    in: 'firstAmongEquals',
    find: 'dropDominated(problem, wholeDomain(problem), bounds.maxLegs, true)',
    replace: 'dropDominated(problem, wholeDomain(problem), bounds.maxLegs, false)',
  },
]
