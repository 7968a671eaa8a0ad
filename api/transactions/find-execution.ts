/** Status of an execution from its preparation on (the specification leaves the status values open). */
import type { Address, Hex } from 'viem'
import { findRecentExecution, type SeenExecution } from '../chain/executed.ts'
import { findUse, type UsedUp } from '../chain/used-up.ts'
import type { Deps } from '../deps.ts'
import type { Snapshot } from '../projection/session/snapshot.ts'
import type { FinalizedThrough } from '../projection/session/state.ts'
import { isNonceCancelled } from '../projection/tables/route-cancellation.ts'
import { findPreparedExecution } from '../store/prepared-executions.ts'

type PreparedExecution = NonNullable<Awaited<ReturnType<typeof findPreparedExecution>>>

/** An execution that is not in the projection: seen in a later block, or prepared for the wallet and not seen. */
export type UnprojectedExecution =
  | ({ status: 'MINED' } & SeenExecution)
  | ({ status: 'PREPARED' | 'SUPERSEDED' | 'CANCELLED' | 'EXPIRED' } & PreparedExecution)

/** Reads from a snapshot of the projection. */
export type ReadProjection = <T>(read: (snapshot: Snapshot) => Promise<T>) => Promise<T>

/**
 * Finds an execution that is not projected. States before the chain are for their wallet alone: for any other caller,
 * the id does not exist, by the same reads as an id that nobody prepared.
 *
 * @param wallet the caller; undefined without a session
 * @param readProjection reads from a snapshot that is not earlier than `through`
 * @param through of a snapshot of the projection that does not have the execution
 * @returns undefined where it was neither prepared for the wallet nor seen on chain
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function findUnprojected(
  { store, chain, deployment }: Pick<Deps, 'store' | 'chain' | 'deployment'>,
  readProjection: ReadProjection,
  { executionId, wallet }: { executionId: Hex; wallet: Address | undefined },
  through: FinalizedThrough,
): Promise<UnprojectedExecution | undefined> {
  const prepared = await findPreparedExecution(store, { executionId, user: wallet })
  // Every block that can still come is later, and the router refuses it there.
  if (prepared && isPast(prepared.deadline, through.timestamp)) return { status: 'EXPIRED', ...prepared }
  const { contracts } = deployment
  const { seen, searchedUntil } = await findRecentExecution(
    chain,
    contracts.financingRouter,
    executionId,
    through,
  )
  if (seen) return { status: 'MINED', ...seen }
  if (!prepared) return undefined
  if (isPast(prepared.deadline, searchedUntil)) return { status: 'EXPIRED', ...prepared }
  const used = usedUpBy(prepared)
  const use = used && (await findUse(chain, contracts, executionId, used, through))
  if (!use) return { status: 'PREPARED', ...prepared }
  const isCancelled = use === 'EARLIER' ? await readCancelled(readProjection, used) : use === 'CANCELLATION'
  return { status: isCancelled ? 'CANCELLED' : 'SUPERSEDED', ...prepared }
}

/** Whether a use that the projection has is a cancellation. */
async function readCancelled(readProjection: ReadProjection, used: UsedUp): Promise<boolean> {
  return 'nonce' in used && readProjection((snapshot) => isNonceCancelled(snapshot, used))
}

/** Undefined of an execution that was prepared before this was stored. */
function usedUpBy({ userAddress, nonce, claimId, sliceIndex }: PreparedExecution): UsedUp | undefined {
  if (nonce !== null) return { user: userAddress, nonce }
  if (claimId !== null && sliceIndex !== null) return { claimId, sliceIndex }
  return undefined
}

/** The deadline is the last second that counts. */
function isPast(deadline: Date, blockTime: bigint): boolean {
  return BigInt(deadline.getTime()) < blockTime * 1000n
}
