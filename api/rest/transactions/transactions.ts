import type { Revert } from '../../chain/revert.ts'
import { formatTime } from '../../domain/time.ts'
import { reachMinBlock } from '../../limits/min-block.ts'
import { findFinalizedThrough } from '../../projection/session/snapshot.ts'
import type { FinalizedThrough } from '../../projection/session/state.ts'
import {
  explainFailure,
  type Follow,
  type FollowedTransaction,
  isFinal,
  statusOf,
} from '../../transactions/follow.ts'
import { presentFinalizedThrough } from '../shared/answer.ts'
import { createRouter } from '../shared/router.ts'
import { getTransaction } from './transactions.routes.ts'

export function transactions({ follow }: { follow: Follow }) {
  return createRouter().openapi(getTransaction, async (c) => {
    await reachMinBlock(c)
    const followed = await follow(c.req.valid('param').hash)
    // After the chain: a block that is projected in between counts as projected.
    const through = await findFinalizedThrough(() => c.get('openSnapshot')('progress'))
    return c.json(presentTransaction(followed, through), 200)
  })
}

function presentTransaction(followed: FollowedTransaction, through: FinalizedThrough | undefined) {
  const { hash, onChain, touchesProtocol, executionIds, claimIds } = followed
  const mined = onChain?.mined
  const final = isFinal(followed, through)
  return {
    hash,
    status: statusOf(followed, through),
    final,
    from: onChain?.from ?? null,
    to: onChain?.to ?? null,
    block: mined
      ? { number: Number(mined.block.number), timestamp: formatTime(mined.block.timestamp) }
      : null,
    expectedFinalAt:
      final || followed.expectedFinalAt === undefined ? null : formatTime(followed.expectedFinalAt),
    revert: mined?.failure ? presentRevert(mined.failure.revert) : null,
    touchesProtocol,
    executionIds: [...executionIds],
    claimIds: [...claimIds],
    finalizedThrough: through ? presentFinalizedThrough(through) : null,
  }
}

function presentRevert(revert: Revert | undefined) {
  return {
    errorName: revert?.errorName ?? null,
    arguments: [...(revert?.args ?? [])],
    message: explainFailure(revert),
  }
}
