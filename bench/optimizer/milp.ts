import loadHighs from 'highs'
import { MAX_LEGS } from '../../api/domain/limits.ts'
import type { Candidate, OptimizeInput } from '../../api/optimizer/index.ts'

/**
 * The instance as a mixed-integer program: a binary per candidate, its advance in dollars, cost linear in the advance.
 * Rounding up per leg is left out, so the optimum may lie below ours by less than a unit per leg, and by the solver's
 * tolerance.
 */
export type MilpAnswer = {
  readonly status: string
  readonly cost: number
  /** The most that can be advanced, if no route reaches the target. */
  readonly maximum: number | undefined
  /** Processor time of the questions to which an answer of the optimizer has a proof. */
  readonly milliseconds: number
}

/** An objective over the advances, and the least sum of the advances. */
type Question = { readonly objective: 'least cost' | 'most advance'; readonly least: number | undefined }

const DOLLAR = 1_000_000
const dollarsOf = (amount: bigint): number => Number(amount) / DOLLAR

/** Relative tolerance of the solver: a maximum is a target only below it. */
const TOLERANCE = 1e-6

export async function createMilpSolver(): Promise<(input: OptimizeInput, seconds: number) => MilpAnswer> {
  const highs = await loadHighs()
  const solve = (input: OptimizeInput, question: Question, seconds: number) => {
    const program = writeProgram(input, question)
    const before = process.cpuUsage()
    const { Status, ObjectiveValue } = highs.solve(program, {
      time_limit: seconds,
      mip_rel_gap: 0,
      mip_abs_gap: 1e-7,
      output_flag: false,
    })
    const { user, system } = process.cpuUsage(before)
    return { status: Status, value: ObjectiveValue, milliseconds: (user + system) / 1000 }
  }
  return (input, seconds) => {
    const least = dollarsOf(input.targetAdvance)
    const route = solve(input, { objective: 'least cost', least }, seconds)
    const { status, milliseconds } = route
    if (status !== 'Infeasible')
      return { status, cost: route.value * DOLLAR, maximum: undefined, milliseconds }
    const most = solve(input, { objective: 'most advance', least: undefined }, seconds)
    const reached = most.value * (1 - TOLERANCE)
    const partial = solve(input, { objective: 'least cost', least: reached }, seconds)
    return {
      status,
      cost: Number.NaN,
      maximum: most.status === 'Optimal' ? most.value * DOLLAR : undefined,
      milliseconds: milliseconds + most.milliseconds + partial.milliseconds,
    }
  }
}

type Column = { x: string; a: string; low: number; high: number; slope: number; candidate: Candidate }

function writeProgram(input: OptimizeInput, { objective, least }: Question): string {
  const columns = input.candidates.flatMap((candidate, index) => columnOf(input, candidate, index))
  const advance = sum(columns.map(({ a }) => [1, a]))
  const rows = [
    ...(least === undefined ? [] : [`target: ${advance} >= ${least}`]),
    `legs: ${sum(columns.map(({ x }) => [1, x]))} <= ${MAX_LEGS}`,
    ...columns.flatMap(({ x, a, low, high }) => [`${a} - ${high} ${x} <= 0`, `${a} - ${low} ${x} >= 0`]),
    ...groups(columns, ({ candidate }) => candidate.claimId).map(
      (group) => `${sum(group.map(({ x }) => [1, x]))} <= 1`,
    ),
    ...groups(columns, ({ candidate }) => candidate.vault).map((group) => {
      const liquidity = input.vaultLiquidity.get(group[0]?.candidate.vault ?? '0x') ?? 0n
      return `${sum(group.map(({ a }) => [1, a]))} <= ${dollarsOf(liquidity)}`
    }),
    ...capRows(input, columns),
    ...issuerRows(input, columns),
  ]
  const cost = sum(columns.map(({ a, slope }) => [slope, a]))
  const goal = objective === 'least cost' ? `Minimize\n obj: ${cost}` : `Maximize\n obj: ${advance}`
  const binaries = columns.map(({ x }) => x).join(' ')
  return `${goal}\nSubject To\n ${rows.join('\n ')}\nBinary\n ${binaries}\nEnd\n`
}

function columnOf(input: OptimizeInput, candidate: Candidate, index: number): Column[] {
  const keep = (10_000 - Number(candidate.rateBps)) / 10_000
  const liquidity = dollarsOf(input.vaultLiquidity.get(candidate.vault) ?? 0n)
  const low = dollarsOf(candidate.minFace) * keep
  const high = Math.min(dollarsOf(candidate.maxFace) * keep, liquidity)
  if (low > high || keep <= 0) return []
  return [{ x: `x${index}`, a: `a${index}`, low, high, slope: (1 - keep) / keep, candidate }]
}

function capRows(input: OptimizeInput, columns: readonly Column[]): string[] {
  const cost = sum(columns.map(({ a, slope }) => [slope, a]))
  const face = sum(columns.map(({ a, slope }) => [1 + slope, a]))
  return [
    ...(input.maxTotalCost === undefined ? [] : [`${cost} <= ${dollarsOf(input.maxTotalCost)}`]),
    ...(input.maxTotalFace === undefined ? [] : [`${face} <= ${dollarsOf(input.maxTotalFace)}`]),
  ]
}

/** The face of the legs of each issuer in a vault that has a limit for it. */
function issuerRows({ issuerLimits = [] }: OptimizeInput, columns: readonly Column[]): string[] {
  return issuerLimits.flatMap(({ vault, claimIds, maxFace }) => {
    const ofIssuer = columns.filter(
      ({ candidate }) => candidate.vault === vault && claimIds.includes(candidate.claimId),
    )
    const face = sum(ofIssuer.map(({ a, slope }) => [1 + slope, a]))
    return ofIssuer.length === 0 ? [] : [`${face} <= ${dollarsOf(maxFace)}`]
  })
}

const sum = (terms: readonly (readonly [number, string])[]): string =>
  terms.map(([factor, name]) => `+ ${factor} ${name}`).join(' ')

function groups(columns: readonly Column[], keyOf: (column: Column) => string): Column[][] {
  const byKey = new Map<string, Column[]>()
  for (const column of columns) byKey.set(keyOf(column), [...(byKey.get(keyOf(column)) ?? []), column])
  return [...byKey.values()]
}
