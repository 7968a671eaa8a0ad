/** Reads a submitted transaction at the latest block, not a pinned one. */
import {
  type Address,
  type Hex,
  type Log,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem'
import { lowercaseAddress } from '../domain/address.ts'
import { smaller } from '../domain/bigint.ts'
import type { UnixSeconds } from '../domain/time.ts'
import { CALL_GAS_MAX } from './call-limits.ts'
import type { Chain } from './client.ts'
import type { LruCache } from './lru-cache.ts'
import { readChain } from './read-chain.ts'
import type { Revert } from './revert.ts'
import { replay } from './simulate.ts'

export type ChainTransaction = {
  from: Address
  /** Null for a transaction that creates a contract. */
  to: Address | null
  /** Undefined while the transaction waits in the mempool. */
  mined: MinedTransaction | undefined
}

export type MinedTransaction = {
  block: { number: bigint; timestamp: UnixSeconds }
  /** Whether the block is final; a reorganization can revert any other block. */
  final: boolean
  /** Logs in their order; none if the transaction reverted. */
  logs: readonly Log[]
  /** Undefined unless the transaction failed. */
  failure: Failure | undefined
}

/** The failure of a transaction. Without `revert` its cause is unknown, permanently or `forNow`. */
export type Failure = { revert: Revert } | { revert: undefined; forNow: boolean }

/** Failures by transaction and block, which never change. Failures that are unknown `forNow` are not kept. */
export type KnownFailures = LruCache<Failure>

/**
 * Reads a transaction in two rounds, and a failed one by up to two replays more.
 *
 * @returns undefined when no node has it
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function readTransaction(
  chain: Chain,
  hash: Hex,
  known: KnownFailures,
): Promise<ChainTransaction | undefined> {
  return readChain(`transaction ${hash}`, async () => {
    const [sent, receipt, finalized] = await Promise.all([
      chain.getTransaction({ hash }).catch(undefinedIfUnknown),
      chain.getTransactionReceipt({ hash }).catch(undefinedIfUnknown),
      chain.getBlock({ blockTag: 'finalized', includeTransactions: false }),
    ])
    if (!sent) return undefined
    return {
      from: lowercaseAddress(sent.from),
      to: sent.to && lowercaseAddress(sent.to),
      mined: receipt && (await readMined(chain, sent, receipt, { finalized: finalized.number, known })),
    }
  })
}

type Sent = Awaited<ReturnType<Chain['getTransaction']>>
type Receipt = Awaited<ReturnType<Chain['getTransactionReceipt']>>

/** Undefined if a reorganization has removed the block since the receipt was read. */
async function readMined(
  chain: Chain,
  sent: Sent,
  receipt: Receipt,
  { finalized, known }: { finalized: bigint; known: KnownFailures },
): Promise<MinedTransaction | undefined> {
  const { blockNumber, blockHash, logs, status } = receipt
  const [block, failure] = await Promise.all([
    chain.getBlock({ blockNumber, includeTransactions: false }),
    status === 'reverted' ? recallFailure(chain, sent, receipt, known) : undefined,
  ])
  if (block.hash !== blockHash) return undefined
  const { number, timestamp } = block
  return { block: { number, timestamp }, final: number <= finalized, logs, failure }
}

async function recallFailure(
  chain: Chain,
  sent: Sent,
  receipt: Receipt,
  known: KnownFailures,
): Promise<Failure> {
  const key = `${receipt.blockHash} ${sent.hash}`
  const failure = known.get(key) ?? (await findFailure(chain, sent, receipt))
  if (isLasting(failure)) known.set(key, failure)
  return failure
}

export function isLasting(failure: Failure): boolean {
  return failure.revert !== undefined || !failure.forNow
}

/** Gas used by a transaction that is replayed, at most: a call with less gas than it had may fail in another way. */
const REPLAYED_GAS_USED_MAX = CALL_GAS_MAX / 2n

/**
 * Finds the error of a failed transaction by replaying it on the state after its block, at the time of the block. If it
 * passes there, a later transaction of the block removed the cause, so it is replayed on the state before the block.
 */
async function findFailure(chain: Chain, sent: Sent, { blockNumber, gasUsed }: Receipt): Promise<Failure> {
  const { from, to, input: data, value } = sent
  const isTooLarge = sent.gas > CALL_GAS_MAX && gasUsed > REPLAYED_GAS_USED_MAX
  if (!to || isTooLarge) return { revert: undefined, forNow: false }
  const call = { from, to, data, value, gas: smaller(sent.gas, CALL_GAS_MAX) }
  const after = await replay(chain, call, blockNumber)
  const again = after.outcome === 'PASSES' ? await replay(chain, call, blockNumber - 1n) : after
  if (again.outcome !== 'REVERTS') return { revert: undefined, forNow: again.outcome === 'UNKNOWN' }
  return { revert: { errorName: again.errorName, args: again.args } }
}

function undefinedIfUnknown(error: unknown): undefined {
  if (error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError) return
  throw error
}
