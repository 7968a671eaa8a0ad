/** Status of a submitted transaction (specification, section 6: reads reflect it once it is projected). */
import { type Abi, type Address, type Hex, type Log, parseEventLogs } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { REMEMBERED_MAX } from '../chain/call-limits.ts'
import { createLruCache } from '../chain/lru-cache.ts'
import type { Revert } from '../chain/revert.ts'
import { shareReads } from '../chain/share-reads.ts'
import {
  type ChainTransaction,
  type Failure,
  isLasting,
  type MinedTransaction,
  readTransaction,
} from '../chain/transaction.ts'
import type { Deps } from '../deps.ts'
import { lowercaseAddress } from '../domain/address.ts'
import type { UnixSeconds } from '../domain/time.ts'
import type { TransactionStatus } from '../domain/transaction.ts'
import { expectedFinalAt, type Unfinalized } from '../head/unfinalized.ts'
import type { FinalizedThrough } from '../projection/session/state.ts'

/** Ids in the order of the transaction's events, each once. */
export type FollowedTransaction = {
  hash: Hex
  onChain: FollowedOnChain | undefined
  executionIds: readonly Hex[]
  claimIds: readonly Hex[]
  /** Whether the transaction called the protocol's contracts or made one emit an event; null while that is unknown. */
  touchesProtocol: boolean | null
  /** Time at which its block should be final; undefined until it is mined, and without a recent view of the head. */
  expectedFinalAt: UnixSeconds | undefined
}

/** A transaction as the chain has it. */
type ReadTransaction = Omit<FollowedTransaction, 'expectedFinalAt'>

/** A transaction without its logs, which can be many; only the ids in them are needed. */
type FollowedOnChain = Omit<ChainTransaction, 'mined'> & { mined: Omit<MinedTransaction, 'logs'> | undefined }

/** @throws CodedError `CHAIN_UNAVAILABLE` */
export type Follow = (hash: Hex) => Promise<FollowedTransaction>

/**
 * Any transaction is followed, also one that has nothing to do with the protocol: approvals are sent to tokens, and
 * contract wallets call the router from within. A settled transaction is read once, and concurrent reads are joined.
 */
export function createFollow({
  chain,
  deployment,
  head,
}: Pick<Deps, 'chain' | 'deployment' | 'head'>): Follow {
  const contracts = Object.values(deployment.contracts)
  const failures = createLruCache<Failure>(REMEMBERED_MAX)
  const finals = createLruCache<ReadTransaction>(REMEMBERED_MAX)
  const read = shareReads(async (hash: Hex) => {
    const known = finals.get(hash)
    if (known) return known
    const followed = toFollowed(contracts, hash, await readTransaction(chain, hash, failures))
    if (isSettled(followed)) finals.set(hash, followed)
    return followed
  })
  return async (hash) => {
    const transaction = await read(hash)
    return { ...transaction, expectedFinalAt: finalAtOf(transaction, head.latest()) }
  }
}

function finalAtOf({ onChain }: ReadTransaction, view: Unfinalized | undefined): UnixSeconds | undefined {
  return onChain?.mined && view && expectedFinalAt(onChain.mined.block, view)
}

/** Whether nothing of it can change any more. Its block is final by its hash (`readTransaction`). */
function isSettled({ onChain }: ReadTransaction): boolean {
  const mined = onChain?.mined
  return mined?.final === true && (!mined.failure || isLasting(mined.failure))
}

function toFollowed(
  contracts: readonly Address[],
  hash: Hex,
  onChain: ChainTransaction | undefined,
): ReadTransaction {
  const logs = (onChain?.mined?.logs ?? []).filter(({ address }) =>
    contracts.includes(lowercaseAddress(address)),
  )
  return {
    hash,
    onChain: onChain && withoutLogs(onChain),
    executionIds: idsOf(logs, 'executionId'),
    claimIds: idsOf(logs, 'claimId'),
    touchesProtocol: touchesProtocol(onChain, contracts, logs),
  }
}

function withoutLogs({ mined, ...sent }: ChainTransaction): FollowedOnChain {
  if (!mined) return { ...sent, mined: undefined }
  const { logs: _, ...rest } = mined
  return { ...sent, mined: rest }
}

/** @param through what the projection has reached; undefined before the first index is complete */
export function statusOf(
  { onChain }: FollowedTransaction,
  through: FinalizedThrough | undefined,
): TransactionStatus {
  if (!onChain) return 'NOT_FOUND'
  const { mined } = onChain
  if (!mined) return 'PENDING'
  if (mined.failure) return 'REVERTED'
  if (through && through.blockNumber >= mined.block.number) return 'PROJECTED'
  return mined.final ? 'FINALIZED' : 'MINED'
}

/** Whether it is final. The projection has final blocks only, so a block that it has reached is final. */
export function isFinal({ onChain }: FollowedTransaction, through: FinalizedThrough | undefined): boolean {
  const mined = onChain?.mined
  if (!mined) return false
  return mined.final || (through !== undefined && through.blockNumber >= mined.block.number)
}

function touchesProtocol(
  onChain: ChainTransaction | undefined,
  contracts: readonly Address[],
  logs: readonly Log[],
): boolean | null {
  if (!onChain) return null
  if (logs.length > 0 || (onChain.to !== null && contracts.includes(onChain.to))) return true
  return onChain.mined && !onChain.mined.failure ? false : null
}

const EVENTS: Abi = [...financingRouterAbi, ...claimRegistryAbi].filter(({ type }) => type === 'event')

function idsOf(logs: readonly Log[], name: 'executionId' | 'claimId'): Hex[] {
  const ids = parseEventLogs({ abi: EVENTS, logs: [...logs] }).flatMap(({ args }) => {
    const id = Object.entries(args ?? {}).find(([key]) => key === name)?.[1]
    return isHash(id) ? [id] : []
  })
  return [...new Set(ids)]
}

function isHash(value: unknown): value is Hex {
  return typeof value === 'string' && value.startsWith('0x')
}

/** In plain words. @param revert undefined when a replay does not show it */
export function explainFailure(revert: Revert | undefined): string {
  if (!revert) return 'It failed, and a replay does not show why.'
  const { errorName, args } = revert
  if (errorName === 'UnknownError' && args.length === 0)
    return 'It failed and gave no reason, as a call does that runs out of gas.'
  return `It failed with ${errorName}(${args.join(', ')}).`
}
