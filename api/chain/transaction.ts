/** What the chain knows of a submitted transaction right now: at the latest block, not a pinned one. */
import {
  type Address,
  type Hex,
  type Log,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem'
import { lowercaseAddress } from '../domain/address.ts'
import type { UnixSeconds } from '../domain/time.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'
import type { Revert } from './revert.ts'
import { replay } from './simulate.ts'

export type ChainTransaction = {
  from: Address
  /** Null where it creates a contract. */
  to: Address | null
  /** Undefined while it waits in the mempool. */
  mined: MinedTransaction | undefined
}

export type MinedTransaction = {
  block: { number: bigint; timestamp: UnixSeconds }
  /** Whether that block is final: until then a reorganisation can take it back. */
  final: boolean
  /** In their order; none when it reverted. */
  logs: readonly Log[]
  /** Of one that failed: why, where a node can tell. */
  failure: { revert: Revert | undefined } | undefined
}

/**
 * Reads a transaction in two rounds, and a failed one by up to two replays more.
 *
 * @returns undefined when no node knows it
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function readTransaction(chain: Chain, hash: Hex): Promise<ChainTransaction | undefined> {
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
      mined: receipt && (await readMined(chain, sent, receipt, finalized.number)),
    }
  })
}

type Sent = Awaited<ReturnType<Chain['getTransaction']>>
type Receipt = Awaited<ReturnType<Chain['getTransactionReceipt']>>

/** Undefined when its block was reorganised away since the receipt was read. */
async function readMined(
  chain: Chain,
  sent: Sent,
  { blockNumber, blockHash, logs, status }: Receipt,
  finalized: bigint,
): Promise<MinedTransaction | undefined> {
  const [block, failure] = await Promise.all([
    chain.getBlock({ blockNumber, includeTransactions: false }),
    status === 'reverted' ? findRevert(chain, sent, blockNumber).then((revert) => ({ revert })) : undefined,
  ])
  if (block.hash !== blockHash) return undefined
  const { number, timestamp } = block
  return { block: { number, timestamp }, final: number <= finalized, logs, failure }
}

/**
 * Why a transaction failed, by running it again on the state after its block: the block's own time, and of its effects there are
 * none. Where it passes there, what came later in the block mended it, so once more on the state before.
 */
async function findRevert(chain: Chain, sent: Sent, blockNumber: bigint): Promise<Revert | undefined> {
  const { from, to, input: data, value, gas } = sent
  if (!to) return undefined
  const call = { from, to, data, value, gas }
  const after = await replay(chain, call, blockNumber)
  const again = after.outcome === 'PASSES' ? await replay(chain, call, blockNumber - 1n) : after
  return again.outcome === 'REVERTS' ? { errorName: again.errorName, args: again.args } : undefined
}

function undefinedIfUnknown(error: unknown): undefined {
  if (error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError) return
  throw error
}
