/** How far an execution has come, from the moment it was prepared (the specification leaves its status values open). */
import type { Hex } from 'viem'
import { findRecentExecution, type SeenExecution } from '../chain/executed.ts'
import type { Deps } from '../deps.ts'
import { CodedError } from '../errors.ts'
import { findPreparedExecution } from '../intents/prepared.ts'
import { readExecution, readLegsOfExecutions } from '../projection/execution.ts'
import { type FinalizedThrough, type OpenOne, readOpened, type Snapshot } from '../projection/snapshot.ts'

type PreparedExecution = NonNullable<Awaited<ReturnType<typeof findPreparedExecution>>>

export type ExecutionState =
  | ({ status: 'EXECUTED' | 'MINED' } & SeenExecution)
  | ({ status: 'PREPARED' | 'EXPIRED' } & PreparedExecution)

/**
 * Only what the projection does not have is looked for elsewhere, and after its snapshot is closed: a connection does not wait for
 * the chain.
 *
 * @returns `through`: the finalized block of the projection that the answer starts from
 * @throws CodedError `EXECUTION_NOT_FOUND`, `NOT_READY`, `CHAIN_UNAVAILABLE`
 */
export async function findExecution(
  deps: Pick<Deps, 'store' | 'chain' | 'deployment'>,
  openSnapshot: OpenOne,
  executionId: Hex,
): Promise<{ state: ExecutionState; through: FinalizedThrough }> {
  const { executed, through } = await readOpened(openSnapshot, async (snapshot) => ({
    executed: await readProjected(snapshot, executionId),
    through: snapshot.finalizedThrough,
  }))
  const state: ExecutionState = executed
    ? { status: 'EXECUTED', ...executed }
    : await findUnprojected(deps, executionId, through)
  return { state, through }
}

async function readProjected(snapshot: Snapshot, executionId: Hex): Promise<SeenExecution | undefined> {
  const execution = await readExecution(snapshot, executionId)
  if (!execution) return undefined
  const [legs = []] = await readLegsOfExecutions(snapshot, [executionId])
  return { execution, legs: [...legs] }
}

async function findUnprojected(
  { store, chain, deployment }: Pick<Deps, 'store' | 'chain' | 'deployment'>,
  executionId: Hex,
  through: FinalizedThrough,
): Promise<ExecutionState> {
  const prepared = await findPreparedExecution(store, executionId)
  // Every block that can still come is later, and the router refuses it there.
  if (prepared && isPast(prepared.deadline, through.timestamp)) return { status: 'EXPIRED', ...prepared }
  const router = deployment.contracts.financingRouter
  const { seen, searchedUntil } = await findRecentExecution(chain, router, executionId, through)
  if (seen) return { status: 'MINED', ...seen }
  if (!prepared) throw executionNotFound(executionId, through)
  return { status: isPast(prepared.deadline, searchedUntil) ? 'EXPIRED' : 'PREPARED', ...prepared }
}

/** The deadline is the last second that counts. */
function isPast(deadline: Date, blockTime: bigint): boolean {
  return BigInt(deadline.getTime()) < blockTime * 1000n
}

function executionNotFound(executionId: Hex, { blockNumber }: FinalizedThrough): CodedError {
  return new CodedError(
    'EXECUTION_NOT_FOUND',
    `No execution ${executionId} was prepared here, and none is on chain.`,
    { facts: { executionId, blockNumber: Number(blockNumber) } },
  )
}
