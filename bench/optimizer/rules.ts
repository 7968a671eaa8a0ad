import type { Change } from './changed-copy.ts'

/** A rule of the search, and the change that switches it off. A rule saves work and changes no answer. */
export type Rule = { readonly name: string; readonly off: Change }

const rule = (name: string, declaration: string, find: string, replace = ''): Rule => ({
  name,
  off: { in: declaration, find, replace },
})

export const rules: readonly Rule[] = [
  rule(
    'fixing by reduced cost',
    'fixDomain',
    'if (relaxed === undefined || ceiling === Number.POSITIVE_INFINITY) return domain',
    'return domain',
  ),
  rule('completion bound', 'relax', 'cutoff < Number.POSITIVE_INFINITY ?', 'false ?'),
  rule('claims that do not pay leave a pattern', 'extend', '!isRequired && marginal >= slack', 'false'),
  rule(
    'cheaper places elsewhere',
    'extend',
    'certainPlace(places, number, marginal - slack, reducedCost, others)',
    'undefined',
  ),
  rule('cuts of the parent', 'node', 'bound.cuts.filter(({ chosen }) => allows(part, chosen))', '[]'),
  rule('multipliers near the last one first', 'NEARBY', 'NEARBY = 2', 'NEARBY = 0'),
  rule('a sweep is used twice', 'sweepForward', 'if (tables.sweptFor === reducedCosts) return'),
  rule('exact bound of the cost', 'isRuledOut', 'if (ceiling === undefined) return false', 'return false'),
  rule(
    'exact bound of the advance',
    'isRuledOut',
    'if (mayFallShort(bound, goal) && exactAdvanceBound(shape, space, minimum) < goal.target) return true',
  ),
  rule(
    'joint rounding of a vault',
    'patternReducedCosts',
    'isCheaper(last, multiplier) ? last',
    'false ? last',
  ),
  rule('grain of the exact bound', 'GRAIN', 'GRAIN = 12', 'GRAIN = 0'),
  rule(
    'full vaults in the exact bound',
    'isFull',
    'largestAdvance(members) >= vault.exactLiquidity',
    'false',
  ),
  rule(
    'expensive options are free in the exact bound',
    'stays',
    '({ option }: Member) => isCheaper(option, multiplier)',
    '() => true',
  ),
  rule('dominated options', 'dropDominated', 'if (needed > others) return false'),
  rule(
    'claims outclassed by enough others',
    'dropOutclassed',
    'if (optional.length <= maxLegs - required) return domain',
    'return domain',
  ),
  rule(
    'claims outclassed by an unused one',
    'outclassed',
    'domain.required[claim] !== true && matchesAll(unused, list) ? [] : list',
    'list',
  ),
  rule('exchanges of two legs', 'withoutExchanges', '!isExchangeable(option, list)', 'true'),
  rule('score of branching', 'branch', 'if (score > most)', 'if (most < 0)'),
  rule('splits on the legs of few vaults', 'branch', 'domain.problem.vaults.length <= FEW_VAULTS', 'false'),
  rule('enumeration of few assignments', 'FEW_ASSIGNMENTS', 'FEW_ASSIGNMENTS = 256', 'FEW_ASSIGNMENTS = 1'),
  rule(
    'second run on the legs of vaults',
    'search',
    'budget.steps - space.firstSteps',
    'Number.NEGATIVE_INFINITY',
  ),
  rule('negligible gaps stay open', 'search', 'if (ceiling - known < ceiling / NEGLIGIBLE_PART) break'),
  rule('legs of each vault alone', 'boundWide', 'mostByLegs(domain, maxLegs, budget) < target', 'false'),
  rule('fixing by multipliers', 'expandWide', 'fixByMultipliers(domain, goal, bound)', 'domain'),
  rule(
    'splits on legs in wide nodes',
    'expandWide',
    'progress.legsFirst ? legSplit(fixed, byCost[0], maxLegs) : undefined',
    'undefined',
  ),
  rule(
    'bounds by numbers of legs',
    'expandWide',
    'hasFewPatterns(shapeOf(fixed, maxLegs), progress.legsFirst)',
    'false',
  ),
  rule('bounds by numbers of legs, any number of lots', 'hasFewPatterns', 'FEW_PATTERNS_LATE', '0'),
  rule('assignments built at the root', 'expandWide', 'bound.isRoot ? builtFrom', 'false ? builtFrom'),
  rule(
    'second start of an ascent',
    'costAscents',
    'startingAt(noMultipliers(domain, HIGH_MULTIPLIER))',
    'byFill',
  ),
  rule(
    'routes built for the maximum',
    'mostAdvance',
    '[...choicesOf([reach.byLiquidity, ...reach.byCost]), ...built]',
    '[]',
  ),
  rule(
    'whole costs at an equal yield',
    'tune',
    'slope === 0n ? wholeCostNear(curve, start)',
    'false ? undefined',
  ),
  rule('table of costs', 'fitsTable', 'if (spare < 0n || spare > TABLE_STEPS) return false', 'return false'),
]
