/** Sources of the values that a statement does not have: the chain, the own schema of the gateway, the caller. */
import type { Address, Hex } from 'viem'
import { readTokenBalances, type TokenBalance } from '../../chain/balances.ts'
import type { BlockAsOf } from '../../chain/block-as-of.ts'
import type { Deps } from '../../deps.ts'
import { CodedError } from '../../errors.ts'
import type { Unfinalized } from '../../head/unfinalized.ts'
import { type AsOf, aroundIn } from '../../projection/past/around.ts'
import { type OpenOne, readOpened } from '../../projection/session/snapshot.ts'
import type { FinalizedThrough } from '../../projection/session/state.ts'
import { type Audit, readAudit } from '../../projection/tables/audit.ts'
import { findUnprojected, type UnprojectedExecution } from '../../transactions/find-execution.ts'
import type { Follow } from '../../transactions/follow.ts'

export type Outside = {
  /** The wallet that signed in. @throws `UNAUTHENTICATED` */
  readonly wallet: () => Address
  /** Follows a submitted transaction on the chain. @throws `CHAIN_UNAVAILABLE` */
  readonly followTransaction: Follow
  /**
   * Finds an execution that is not projected at `through`, on chain and among those prepared for the caller. @throws
   * `CHAIN_UNAVAILABLE`
   */
  readonly findUnprojected: (
    executionId: Hex,
    through: FinalizedThrough,
  ) => Promise<UnprojectedExecution | undefined>
  /** Finds a finalized block of the past. @throws as `BlockAsOf` */
  readonly blockAsOf: (asOf: AsOf) => Promise<FinalizedThrough>
  /** Reads the balances of each wallet in each token at that block from the chain. @throws `CHAIN_UNAVAILABLE` */
  readonly tokenBalances: (
    wallets: readonly Address[],
    through: FinalizedThrough,
  ) => Promise<readonly TokenBalance[][]>
  /** The view of the latest block; undefined while none is recent. */
  readonly unfinalized: () => Unfinalized | undefined
  /** The state of the auditor and its open differences. */
  readonly audit: () => Promise<Audit>
}

export type OutsideDeps = Pick<Deps, 'config' | 'store' | 'chain' | 'head' | 'deployment'> & {
  follow: Follow
  blockAsOf: BlockAsOf
}

/**
 * Makes the sources outside of Postgres for one request.
 *
 * @param wallet the wallet that signed in: `require` throws `UNAUTHENTICATED` without one
 * @param open opens a snapshot of the projection within the limits of the request
 * @param reachMinBlock waits until the projection has the block that the request names
 */
export function createOutside(
  deps: OutsideDeps,
  wallet: { readonly require: () => Address; readonly find: () => Address | undefined },
  open: OpenOne,
  reachMinBlock: () => Promise<void>,
): Outside {
  return {
    wallet: wallet.require,
    followTransaction: async (hash) => {
      await reachMinBlock()
      return deps.follow(hash)
    },
    findUnprojected: (executionId, through) =>
      findUnprojected(
        deps,
        (read) => readOpened(open, read),
        { executionId, wallet: wallet.find() },
        through,
      ),
    blockAsOf: (asOf) => deps.blockAsOf(asOf, aroundIn(open, asOf)),
    tokenBalances: (wallets, through) => readTokenBalances(deps, through, wallets),
    unfinalized: deps.head.latest,
    audit: () => readOpened(open, ({ db }) => readAudit(db, deps.config.auditStaleSeconds)),
  }
}

const RETRY_AFTER_SECONDS = 2

/** Makes the error of an answer with rows that are elsewhere, of which one refers to a row that nothing has yet. */
export function projectionLags(type: string): CodedError {
  return new CodedError(
    'PROJECTION_BEHIND',
    `The projection does not have a ${type} of this execution yet. Leave out its legs, or try again.`,
    { retryAfter: RETRY_AFTER_SECONDS },
  )
}
