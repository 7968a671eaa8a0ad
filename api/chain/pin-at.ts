/** Finalized blocks at or after a block that a caller names, so that the caller can build on its own transaction. */
import { CodedError } from '../errors.ts'
import { isTooFarAhead, TOO_FAR_AHEAD, type WaitForBlock } from '../projection/session/at-block.ts'
import type { Chain } from './client.ts'
import { type PinnedBlock, pinFinalizedBlock } from './pin-block.ts'

const RETRY_AFTER_SECONDS = 2

/**
 * Pins the chain's last finalized block, which is `minBlock` or later if `minBlock` is given. The wait ends with the
 * projection, which has a block only once it is final. The chain decides whether the block is final, before and after
 * the wait.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`, `CHAIN_BEHIND`; the signal's reason
 */
export function createPinAt(chain: Chain, wait: WaitForBlock) {
  return async (minBlock: bigint | undefined, signal: AbortSignal): Promise<PinnedBlock> => {
    const block = await pinFinalizedBlock(chain)
    if (minBlock === undefined || block.number >= minBlock) return block
    if (!(await wait(block.number, minBlock, signal))) throw notFinal(minBlock, block)
    const later = await pinFinalizedBlock(chain)
    if (later.number >= minBlock) return later
    throw notFinal(minBlock, later)
  }
}

function notFinal(minBlock: bigint, { number }: PinnedBlock): CodedError {
  const remedy = isTooFarAhead(number, minBlock)
    ? TOO_FAR_AHEAD
    : 'Try again once the chain has finalized it.'
  return new CodedError(
    'CHAIN_BEHIND',
    `Block ${minBlock} is not final yet: the last finalized block is ${number}. ${remedy}`,
    { facts: { minBlock: Number(minBlock), blockNumber: Number(number) }, retryAfter: RETRY_AFTER_SECONDS },
  )
}
