/** Executions as GraphQL shows them: a row of the projection, or one that is on its way there. */
import type { Hex } from 'viem'
import type { ExecutionStatus } from '../../domain/execution.ts'
import type { UnixSeconds } from '../../domain/time.ts'
import { CodedError } from '../../errors.ts'
import { claims } from '../../projection/claim.ts'
import { type ExecutionLegRow, type ExecutionRow, readExecution } from '../../projection/execution.ts'
import { readByIds } from '../../projection/keys.ts'
import { vaults } from '../../projection/vault.ts'
import type { UnprojectedExecution } from '../../transactions/find-execution.ts'
import { batched, type GraphqlContext, type Operation } from '../context.ts'
import { readsColumn } from '../reads.ts'

/** Seen in a block that the projection does not have. */
type MinedExecution = ExecutionRow & { status: 'MINED'; minedLegs: readonly ExecutionLegRow[] }

/** Prepared here, and not seen on chain. */
type PreparedExecution = Pick<ExecutionRow, 'id' | 'kind' | 'user'> & {
  status: 'PREPARED' | 'SUPERSEDED' | 'CANCELLED' | 'EXPIRED'
  preparedAt: UnixSeconds
  deadline: UnixSeconds
}

export type ExecutionShape = ExecutionRow | MinedExecution | PreparedExecution

/** A leg of a mined execution has its execution with it, which no read by id would find yet. */
export type LegShape = ExecutionLegRow | (ExecutionLegRow & { mined: MinedExecution })

/** A field that only an execution on chain has. */
export function onChain<T>(read: (row: ExecutionRow) => T) {
  return (execution: ExecutionShape): T | null => ('tx' in execution ? read(execution) : null)
}

/** The same of a field that is read in SQL too: there, each execution is on chain. */
export function onChainRead<T, X>(declared: { resolve: (row: ExecutionRow) => T; extensions: X }) {
  return { ...declared, resolve: onChain(declared.resolve) }
}

/** The same of a column. */
export function onChainColumn<const C extends keyof ExecutionRow>(column: C) {
  return { resolve: onChain((row) => row[column]), ...readsColumn(column) }
}

/** A field that only a prepared execution has that is not on chain. */
export function notOnChain<T>(read: (prepared: PreparedExecution) => T) {
  return (execution: ExecutionShape): T | null => ('tx' in execution ? null : read(execution))
}

export function statusOfExecution(execution: ExecutionShape): ExecutionStatus {
  return 'status' in execution ? execution.status : 'EXECUTED'
}

/**
 * An execution that is not projected is searched before the operation's snapshot is opened. The snapshot is later and takes precedence.
 *
 * @returns an id for the loader, which finds the row or nothing
 */
export async function resolveExecution(
  executionId: Hex,
  { operation, findUnprojected }: GraphqlContext,
): Promise<ExecutionShape | Hex> {
  const found = await operation.beforeSnapshot(async () => {
    const { row, through } = await operation.readBefore(async (snapshot) => ({
      row: await readExecution(snapshot, executionId),
      through: snapshot.finalizedThrough,
    }))
    return row ? undefined : findUnprojected(operation.readBefore, executionId, through)
  })
  if (!found) return executionId
  return (await operation.read((snapshot) => readExecution(snapshot, executionId))) ?? toShape(found)
}

function toShape(found: UnprojectedExecution): ExecutionShape {
  if (found.status === 'MINED') return { ...found.execution, status: found.status, minedLegs: found.legs }
  const { status, executionId, routeId, userAddress, preparedAt, deadline } = found
  return {
    id: executionId,
    status,
    kind: routeId === null ? 'DIRECT' : 'ROUTE',
    user: userAddress,
    preparedAt: toSeconds(preparedAt),
    deadline: toSeconds(deadline),
  }
}

function toSeconds(date: Date): UnixSeconds {
  return BigInt(Math.floor(date.getTime() / 1000))
}

/** Each claim and vault is read once per operation, even if a query selects the same legs several times. */
const claimOfLeg = batched((snapshot, ids) => readByIds(snapshot, claims, ids))
const vaultOfLeg = batched((snapshot, ids) => readByIds(snapshot, vaults, ids))

/**
 * The legs of an execution that the projection does not have; undefined where it does.
 *
 * @throws CodedError `PROJECTION_BEHIND` where the projection lacks a claim or a vault of theirs: the legs could not be answered whole
 */
export async function legsElsewhere(
  execution: ExecutionShape,
  operation: Operation,
): Promise<LegShape[] | undefined> {
  if (!('status' in execution)) return undefined
  if (!('minedLegs' in execution)) return []
  const legs = execution.minedLegs
  const rows = await Promise.all([
    ...legs.map(({ claimId }) => claimOfLeg(operation, claimId, null)),
    ...legs.map(({ vault }) => vaultOfLeg(operation, vault, null)),
  ])
  if (rows.includes(undefined)) throw legsBehind(execution)
  return legs.map((leg) => ({ ...leg, mined: execution }))
}

const RETRY_AFTER_SECONDS = 2

function legsBehind({ id, block }: MinedExecution): CodedError {
  return new CodedError(
    'PROJECTION_BEHIND',
    `The projection does not have a claim or a vault of execution ${id} in block ${block} yet. Leave out its legs, or try again.`,
    { retryAfter: RETRY_AFTER_SECONDS },
  )
}
