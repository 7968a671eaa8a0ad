/** Executions: a financing by signed route or by direct call, with its legs. */
import type { Address, Hex } from 'viem'
import { readByKeys, readShortLists, type ShortList } from './keys.ts'
import type { Snapshot } from './snapshot.ts'
import type { Row, Source } from './source.ts'

export type ExecutionRow = Row<'execution'>
export type ExecutionLegRow = Row<'executionLeg'>

export const executions = {
  table: 'execution',
  key: ['id'],
  columns: {
    id: 'hex',
    user: 'hex',
    token: 'hex',
    kind: 'text',
    submitter: 'hex',
    legCount: 'integer',
    totalFace: 'integer',
    totalAdvance: 'integer',
    block: 'integer',
    at: 'integer',
    tx: 'hex',
  },
  orders: { at: ['at', 'id'], totalFace: ['totalFace', 'id'] },
  parents: ['user'],
} as const satisfies Source<'execution'>

export const executionLegs = {
  table: 'executionLeg',
  key: ['executionId', 'legIndex'],
  columns: {
    executionId: 'hex',
    legIndex: 'integer',
    claimId: 'hex',
    vault: 'hex',
    sliceIndex: 'count',
    faceAmount: 'integer',
    advanceAmount: 'integer',
    at: 'integer',
  },
  orders: { at: ['at', 'executionId', 'legIndex'], faceAmount: ['faceAmount', 'executionId', 'legIndex'] },
  parents: ['vault'],
} as const satisfies Source<'executionLeg'>

export async function readExecution(snapshot: Snapshot, executionId: Hex): Promise<ExecutionRow | undefined> {
  const [execution] = await readExecutions(snapshot, [executionId])
  return execution
}

/** The executions in the order of their ids; undefined where there is none. */
export function readExecutions(
  snapshot: Snapshot,
  executionIds: readonly string[],
): Promise<(ExecutionRow | undefined)[]> {
  return readByKeys(snapshot, executions, 'id', executionIds)
}

/** The legs of an execution in their order: at most `MAX_LEGS`. */
export const legsOfExecution: ShortList<'executionLeg'> = {
  source: executionLegs,
  column: 'executionId',
  orderBy: 'legIndex',
}

/** The legs that financed a claim, by slice: at most `MAX_SLICES_PER_CLAIM`. */
export const legsOfClaim: ShortList<'executionLeg'> = {
  source: executionLegs,
  column: 'claimId',
  orderBy: 'sliceIndex',
}

export function readLegsOfExecutions(
  snapshot: Snapshot,
  executionIds: readonly string[],
): Promise<(readonly ExecutionLegRow[])[]> {
  return readShortLists(snapshot, legsOfExecution, executionIds)
}

export type LegSubject = { readonly claimId: Hex | null; readonly vault: Address | null }

/** The claim and the vault of all legs of each execution; null where the legs have several. */
export async function readSubjectsOfExecutions(
  snapshot: Snapshot,
  executionIds: readonly string[],
): Promise<LegSubject[]> {
  const executions = await readLegsOfExecutions(snapshot, executionIds)
  return executions.map((legs) => ({
    claimId: shared(legs.map(({ claimId }) => claimId)),
    vault: shared(legs.map(({ vault }) => vault)),
  }))
}

function shared<Value>(values: readonly Value[]): Value | null {
  const [first = null, ...others] = new Set(values)
  return others.length === 0 ? first : null
}
