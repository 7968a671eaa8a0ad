/** Status of a transaction by the block that it is in and the block that the projection has reached. */
import { expect, it } from 'vitest'
import { type FollowedTransaction, isFinal, statusOf } from '../../api/transactions/follow.ts'

type Mined = NonNullable<NonNullable<FollowedTransaction['onChain']>['mined']>

const address = `0x${'01'.repeat(20)}` as const
const mined: Mined = { block: { number: 100n, timestamp: 1_000n }, final: false, failure: undefined }
const transaction = (of: Mined | undefined, isKnown = true): FollowedTransaction => ({
  hash: `0x${'02'.repeat(32)}`,
  onChain: isKnown ? { from: address, to: address, mined: of } : undefined,
  executionIds: [],
  claimIds: [],
  touchesProtocol: null,
  expectedFinalAt: undefined,
})
const through = (blockNumber: bigint) => ({ blockNumber, timestamp: 1_000n })
const failed: Mined = { ...mined, failure: { revert: undefined, forNow: false } }

it.each<[string, FollowedTransaction, bigint | undefined, string, boolean]>([
  ['that no node has', transaction(undefined, false), 100n, 'NOT_FOUND', false],
  ['that waits', transaction(undefined), 100n, 'PENDING', false],
  ['of a block that is not final', transaction(mined), 99n, 'MINED', false],
  ['of the last block that is projected', transaction(mined), 100n, 'PROJECTED', true],
  ['of a final block that is not projected', transaction({ ...mined, final: true }), 99n, 'FINALIZED', true],
  [
    'of a final block before the first index',
    transaction({ ...mined, final: true }),
    undefined,
    'FINALIZED',
    true,
  ],
  ['of a block before the first index', transaction(mined), undefined, 'MINED', false],
  ['that failed in a block that is not final', transaction(failed), 99n, 'REVERTED', false],
  ['that failed in the last block that is projected', transaction(failed), 100n, 'REVERTED', true],
])('a transaction %s', (_, followed, block, status, final) => {
  const reached = block === undefined ? undefined : through(block)
  expect([statusOf(followed, reached), isFinal(followed, reached)]).toEqual([status, final])
})
