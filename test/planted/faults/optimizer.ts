import type { PlantedFault } from '../fault.ts'

/** api/optimizer. */
export const optimizerFaults: readonly PlantedFault[] = [
  {
    name: 'a leg at its least lot takes less face than the mandate asks for, where a smaller one advances the same',
    file: 'api/optimizer/problem.ts',
    caughtBy: ['test/optimizer/certificate.test.ts'],
    find: 'return larger(proportionalCost(option, advance), option.costLo)',
    replace: 'return proportionalCost(option, advance)',
  },
  {
    name: 'routes that tie in cost, legs and face are ranked by vault before claim',
    file: 'api/optimizer/route.ts',
    find: 'left.claim - right.claim || left.vault - right.vault',
    replace: 'left.vault - right.vault || left.claim - right.claim',
  },
  {
    name: 'the fill above 12 claims passes a vault over that has room for exactly the least lot',
    file: 'api/optimizer/greedy.ts',
    caughtBy: ['test/optimizer/greedy.test.ts'],
    find: 'room < option.lo) continue',
    replace: 'room <= option.lo) continue',
  },
  {
    name: 'a target that only the face cap forbids is refused for its cost',
    file: 'api/optimizer/refusal.ts',
    caughtBy: ['test/optimizer/refusals.test.ts'],
    find: 'const uncapped = { ...bounds, maxCost: undefined }',
    replace: 'const uncapped = { ...bounds, maxCost: undefined, maxFace: undefined }',
  },
  {
    name: 'a route whose cost alone is proven least is called exact',
    file: 'api/optimizer/optimize.ts',
    find: 'larger(route.cost - lowerBound, 1n)',
    replace: 'larger(route.cost - lowerBound, 0n)',
  },
  {
    name: 'a lot that takes exactly the face cap is left out of the search',
    file: 'api/optimizer/face-cap.ts',
    find: 'option.minFace <= maxFace',
    replace: 'option.minFace < maxFace',
  },
  {
    name: 'an option is dropped although the other legs are just enough to block every better one',
    file: 'api/optimizer/dominance.ts',
    find: 'if (needed > others) return false',
    replace: 'if (needed >= others) return false',
  },
  {
    name: 'a claim with larger lots counts as outclassed by an unused claim with smaller ones',
    file: 'api/optimizer/claim-order.ts',
    find: '  better.hi >= option.hi &&\n',
    replace: '',
  },
  {
    name: 'a refuted advance still counts as one that may be reached',
    file: 'api/optimizer/most-advance.ts',
    caughtBy: ['test/optimizer/refusals.test.ts'],
    find: 'if (complete) return found(goal.target - 1n)',
    replace: 'if (complete) return found(goal.target)',
  },
  {
    name: 'a route of more than 12 claims is called exact once its cost is proven least',
    file: 'api/optimizer/many-claims.ts',
    caughtBy: ['test/optimizer/refusals.test.ts'],
    find: 'proven: searched.proven && searched.best === undefined',
    replace: 'proven: searched.proven',
  },
  {
    name: 'legs whose least lots use up a vault to the last unit cannot be filled',
    file: 'api/optimizer/fill.ts',
    find: 'if (left < 0n) return undefined',
    replace: 'if (left <= 0n) return undefined',
  },
  {
    name: 'a first fill is taken for the cheapest split without regard to the rounding of its legs',
    file: 'api/optimizer/split.ts',
    find: 'const floor = costs(proportionalCost) - BigInt(options.length) + 1n',
    replace: 'const floor = costs(proportionalCost)',
  },
  {
    name: 'the bound on the advance leaves out lots that fill a vault exactly',
    file: 'api/optimizer/vault-legs.ts',
    find: 'if (lo + lot.lo <= liquidity)',
    replace: 'if (lo + lot.lo < liquidity)',
  },
  {
    name: 'fixed lots that sum to all of a liquidity do not fit into the vault',
    file: 'api/optimizer/lots-usage.ts',
    find: 'amount <= liquidityOf(vault)',
    replace: 'amount < liquidityOf(vault)',
  },
  {
    name: 'among fixed lots, routes of as many legs as the first one at the least cost are not compared with it',
    file: 'api/optimizer/lots.ts',
    find: 'goal.maxLegs = route.options.length',
    replace: 'goal.maxLegs = route.options.length - 1',
  },
  {
    name: 'ties are settled after options in earlier vaults were dropped',
    file: 'api/optimizer/phases.ts',
    find: 'dropDominated(problem, wholeDomain(problem), bounds.maxLegs, true)',
    replace: 'dropDominated(problem, wholeDomain(problem), bounds.maxLegs, false)',
  },
]
