import type { Domain } from '../model/domain.ts'
import type { Option, Problem } from '../model/problem.ts'
import { EXCHANGE_GAIN } from '../model/tolerances.ts'
import { spend, type WorkBudget } from '../model/work-budget.ts'

/** The value of a unit of advance through an option. */
export type UnitValue = (option: Option) => number

const ROUNDS = 24

/**
 * Legs of great value found without a search: one after the other, each the one that adds most, then exchanged one for
 * one while that adds more. Liquidity and the leg limit are kept to, caps are not.
 */
export function construct(
  problem: Problem,
  domain: Domain,
  maxLegs: number,
  unitValueOf: UnitValue,
  budget: WorkBudget,
): Option[] {
  const task = { problem, all: domain.options.flat(), maxLegs, unitValueOf, budget }
  let legs = addBest(task, [])
  for (let round = 0; round < ROUNDS && legs.length > 0; round++) {
    const better = exchangeOne(task, legs)
    if (better === undefined) break
    legs = addBest(task, better)
  }
  return legs.sort((a, b) => a.claim - b.claim)
}

type Task = {
  readonly problem: Problem
  readonly all: readonly Option[]
  readonly maxLegs: number
  readonly unitValueOf: UnitValue
  readonly budget: WorkBudget
}

function addBest(task: Task, from: readonly Option[]): Option[] {
  const legs = [...from]
  while (legs.length < task.maxLegs) {
    const best = bestAddition(task, legs)
    if (best === undefined) break
    legs.push(best.option)
  }
  return legs
}

type Addition = { readonly option: Option; readonly value: number }

/** Picks the smallest lot among equal additions: larger ones are left for where they are needed. */
function bestAddition(task: Task, legs: readonly Option[]): Addition | undefined {
  const { problem, all, budget } = task
  spend(budget, 'additionOption', all.length)
  const used = new Set(legs.map(({ claim }) => claim))
  const served = problem.vaults.map((_, vault) => legs.filter((leg) => leg.vault === vault))
  const before = served.map((group, vault) => vaultValue(task, vault, group))
  let best: Addition | undefined
  for (const option of all) {
    if (used.has(option.claim)) continue
    const { vault } = option
    const grown = [...(served[vault] ?? []), option]
    const value = vaultValue(task, vault, grown) - (before[vault] as number)
    if (value <= 0 || value < (best?.value ?? 0)) continue
    if (best === undefined || value > best.value || option.hiFloat < best.option.hiFloat)
      best = { option, value }
  }
  return best
}

function exchangeOne(task: Task, legs: readonly Option[]): Option[] | undefined {
  const whole = totalValue(task, legs)
  let most = whole * (1 + EXCHANGE_GAIN)
  let best: Option[] | undefined
  for (const leg of legs) {
    const rest = legs.filter((other) => other !== leg)
    const base = totalValue(task, rest)
    const added = bestAddition(task, rest)
    if (added === undefined || base + added.value <= most) continue
    most = base + added.value
    best = [...rest, added.option]
  }
  return best
}

function totalValue(task: Task, legs: readonly Option[]): number {
  const ofVault = (vault: number) => legs.filter((leg) => leg.vault === vault)
  return task.problem.vaults.reduce((sum, _, vault) => sum + vaultValue(task, vault, ofVault(vault)), 0)
}

/**
 * Sum of the unit values of a vault's advance, the most valuable legs filled first; -Infinity where their least lots
 * overrun it.
 */
function vaultValue({ problem, unitValueOf }: Task, vault: number, legs: readonly Option[]): number {
  let left = problem.liquidityFloat[vault] as number
  let value = 0
  for (const option of legs) {
    left -= option.loFloat
    value += unitValueOf(option) * option.loFloat
  }
  if (left < 0) return Number.NEGATIVE_INFINITY
  const ordered =
    legs.length > 1 ? [...legs].sort((a, b) => unitValueOf(b) - unitValueOf(a) || a.claim - b.claim) : legs
  for (const option of ordered) {
    const more = Math.min(option.hiFloat - option.loFloat, left)
    if (unitValueOf(option) <= 0) break
    left -= more
    value += unitValueOf(option) * more
  }
  return value
}
