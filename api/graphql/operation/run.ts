/** Answers an operation: measures it, makes its plan, reads its statement, and fills in what Postgres does not have. */
import { formatTime } from '../../domain/time.ts'
import { CodedError, isDatabaseUnavailable } from '../../errors.ts'
import type { Estimate } from '../../projection/session/aggregate-bound.ts'
import { POINTS_PER_ESTIMATE } from '../../projection/session/plan-cost.ts'
import type { FinalizedThrough, ProjectionState, Readout } from '../../projection/session/state.ts'
import { failureOf } from '../../projection/sql/json.ts'
import type { Reading } from '../../projection/sql/statement.ts'
import type { Elsewhere } from '../kit/declared-read.ts'
import type { Outside } from '../kit/outside.ts'
import { fillHoles, hasValueAt } from './fill.ts'
import { type Cost, isShort, measure, pointsOf } from './measure/measure.ts'
import { bindBlocks, type PastBlocks, sharedBlock } from './plan/past.ts'
import { type Known, type Plan, plan, withCaller } from './plan/plan.ts'
import {
  EXCEEDED,
  type Gateway,
  type Hole,
  locate,
  type Past,
  type Path,
  type Question,
} from './plan/walk.ts'
import { type Asked, type Shape, toShape } from './shape.ts'

/** Sources of an answer. */
export type Reader = {
  readonly gateway: Gateway
  /** Counts the cost of the operation against its caller. @throws CodedError `RATE_LIMITED` */
  readonly spend: (points: number) => void
  /** Adds to what the operation has spent, or takes from it. */
  readonly settle: (difference: number) => void
  /** @param isShort whether other reads may wait for it. @throws as `readSnapshot` */
  readonly read: (reading: Reading, isShort: boolean) => Promise<Readout>
  /** @returns milliseconds that it took. @throws CodedError `AGGREGATE_TOO_WIDE` */
  readonly check: (estimate: Estimate) => Promise<number>
  readonly outside: Outside
}

/** An answer without errors: its data as JSON, and the state that it was read from. */
export type Answered = {
  readonly data: string
  /** Undefined for an answer that reads nothing. */
  readonly state: ProjectionState | undefined
  /** Whether the answer depends on the request and the projection at its block alone. */
  readonly isPure: boolean
  /** Whether the answer depends on the latest block, too. */
  readonly followsHead: boolean
}

/** An operation that is within the bounds. */
export type Prepared = { readonly shape: Shape; readonly cost: Cost }

/**
 * @throws CodedError `VALIDATION_FAILED` for variables that do not fit, or without the operation; `QUERY_TOO_COMPLEX`
 * beyond a bound
 */
export function prepareOperation(asked: Asked): Prepared {
  const shape = toShape(asked)
  if (!shape) throw new CodedError('VALIDATION_FAILED', 'The document has no operation of this name.')
  return { shape, cost: measure(shape) }
}

/**
 * @param cost of the operation
 * @throws GraphQLError at the field that fails; CodedError where all fail, as `Reader.read`
 */
export async function answerOperation(shape: Shape, cost: Cost, reader: Reader): Promise<Answered> {
  reader.spend(cost.cost)
  const first = plan(shape, reader.gateway)
  reader.spend(first.work + LOOKUP_POINTS * (first.questions.length + first.searches.length))
  if (first.constant !== undefined) return answerConstant(first.constant, first, reader)
  const [asked, blocks] = await Promise.all([
    askAll(first.questions, reader.outside),
    findBlocks(first.pasts, shape, reader.outside),
  ])
  const known: Known = { asked }
  const read = (known: Known) => readPlan({ shape, cost, blocks }, known, reader)
  const early = await read(known)
  const elsewhere = await searchAll(early, reader.outside)
  const last = elsewhere ? await read({ ...known, elsewhere }) : early
  const tookMs = elsewhere ? early.readout.tookMs + last.readout.tookMs : last.readout.tookMs
  const { isPure, followsHead } = first
  const data = await fill(last, blocks, reader.outside)
  reader.settle(pointsOf(cost, data, tookMs) - cost.cost)
  // The block of the past, if all of the answer is read as of that.
  const finalizedThrough = sharedBlock(blocks, first.size) ?? last.readout.finalizedThrough
  return { data, state: { ...last.readout, finalizedThrough }, isPure, followsHead }
}

/** Points for a transaction or an execution, which are also looked up on the chain or among intents. */
const LOOKUP_POINTS = 300

type Read = { readonly plan: Plan; readonly readout: Readout }

type Operation = Prepared & { readonly blocks: PastBlocks }

async function readPlan(operation: Operation, known: Known, reader: Reader): Promise<Read> {
  const { shape, cost, blocks } = operation
  const made = plan(shape, reader.gateway, known)
  try {
    let estimateMs = 0
    for (const { path, reading, subject } of made.estimates) {
      const estimate = { reading: bindBlocks(reading, blocks), subject }
      estimateMs += await reader.check(estimate).catch((error) => failAt(path, error))
      reader.spend(POINTS_PER_ESTIMATE)
    }
    const reading = bindBlocks(withCaller(made, reader.outside), blocks)
    const readout = await reader.read(reading, isShort(cost))
    return { plan: made, readout: { ...readout, tookMs: readout.tookMs + estimateMs } }
  } catch (error) {
    const name = failureOf(error)
    if (name === EXCEEDED) return readPlan(operation, { ...known, isEstimated: true }, reader)
    const failure = name === undefined ? undefined : made.failures[Number(name)]
    throw failure ? locate(failure.error(), failure.path) : error
  }
}

async function askAll(
  questions: readonly Question[],
  outside: Outside,
): Promise<ReadonlyMap<string, object>> {
  const answers = questions.map(async ({ name, ask }): Promise<[string, object]> => {
    return [name, await ask(outside).catch((error) => failAt([name], error))]
  })
  return new Map(await Promise.all(answers))
}

async function findBlocks(
  pasts: readonly Past[],
  { variables }: Shape,
  outside: Outside,
): Promise<PastBlocks> {
  const found = new Map<string, FinalizedThrough>()
  // One after the other, because each search can read the projection.
  for (const { field, wantedBy } of pasts)
    found.set(field, await outside.blockAsOf(wantedBy(variables)).catch((error) => failAt([field], error)))
  return found
}

/** The rows that the projection does not have and that are elsewhere; undefined where there are none. */
async function searchAll({ plan, readout }: Read, outside: Outside): Promise<Elsewhere | undefined> {
  const missing = plan.searches.filter(({ path }) => !hasValueAt(readout.text, path))
  const found = await Promise.all(
    missing.map(({ find, path }) =>
      find(outside, readout.finalizedThrough).catch((error) => failAt(path, error)),
    ),
  )
  const rows = found.flatMap((tables = {}) => Object.entries(tables))
  if (rows.length === 0) return undefined
  const byTable = Map.groupBy(rows, ([table]) => table)
  return Object.fromEntries([...byTable].map(([table, all]) => [table, all.flatMap(([, own]) => own)]))
}

async function fill(
  { plan: { holes }, readout }: Read,
  blocks: PastBlocks,
  outside: Outside,
): Promise<string> {
  if (holes.length === 0) return readout.text
  const throughOf = ({ past = '' }: Hole) => blocks.get(past) ?? readout.finalizedThrough
  return fillHoles(readout.text, holes, outside, throughOf)
}

/** Fails at a field. An outage of the database is one of all fields. */
function failAt(path: Path, error: unknown): never {
  throw error instanceof Error && !isDatabaseUnavailable(error) ? locate(error, path) : error
}

/** An answer of constants and introspection reads nothing. */
async function answerConstant(text: string, { holes }: Plan, { outside }: Reader): Promise<Answered> {
  const data = await fillHoles(text, holes, outside, () => NO_BLOCK)
  return { data, state: undefined, isPure: true, followsHead: false }
}

const NO_BLOCK: FinalizedThrough = { blockNumber: 0n, timestamp: 0n }

/** Presents the finalized block in the extensions of an answer, in the form of REST. */
export function toExtension({ blockNumber, timestamp }: FinalizedThrough) {
  return { finalizedThrough: { blockNumber: Number(blockNumber), timestamp: formatTime(timestamp) } }
}
