import type { Hex } from 'viem'
import { chainUnavailable } from '../errors.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

// Not exported, so no other file can create the property that the type requires.
const pinned = Symbol('pinned')

/**
 * A finalized block, which every read of one request names. Only the functions of this file make one, so that a read at
 * "latest" by accident does not compile. `timestamp` is in Unix seconds.
 */
export type PinnedBlock = {
  readonly number: bigint
  readonly hash: Hex
  readonly timestamp: bigint
  readonly [pinned]: true
}

/** Pins the finalized block that the request requires: the last one, at its `X-Min-Block` or later. */
export type PinBlock = () => Promise<PinnedBlock>

/**
 * Pins the chain's last finalized block, and never another block in its place.
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function pinFinalizedBlock(chain: Chain): Promise<PinnedBlock> {
  return pin(
    await readChain('its finalized block', () =>
      chain.getBlock({ blockTag: 'finalized', includeTransactions: false }),
    ),
  )
}

/**
 * Pins the block that the projection has reached, so that one answer can join rows and chain reads. The chain must have
 * the block with the same time: a node of another chain, or a node that is behind, gets no further request.
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function pinProjectedBlock(
  chain: Chain,
  projected: { blockNumber: bigint; timestamp: bigint },
): Promise<PinnedBlock> {
  const block = await readChain(`block ${projected.blockNumber}`, () =>
    chain.getBlock({ blockNumber: projected.blockNumber, includeTransactions: false }),
  )
  if (block.timestamp !== projected.timestamp) {
    throw chainUnavailable(
      `The chain's block ${projected.blockNumber} is not the one that was indexed: the node may serve another chain.`,
    )
  }
  return pin(block)
}

/**
 * Names the block of a read by its hash (EIP-1898), so that a node of another chain, or a node that lacks the block,
 * cannot answer.
 */
export function atHashOf({ hash }: PinnedBlock) {
  return { blockHash: hash, requireCanonical: true } as const
}

function pin({ number, hash, timestamp }: { number: bigint; hash: Hex; timestamp: bigint }): PinnedBlock {
  return { number, hash, timestamp, [pinned]: true }
}
