/** Activity: what happened to a wallet, one row per event and role. */
import type { ShortList } from '../sql/keys.ts'
import type { Source } from '../sql/source.ts'

export const activities = {
  table: 'activity',
  key: ['id'],
  columns: {
    id: 'ordinal',
    wallet: 'hex',
    kind: 'text',
    token: 'hex',
    amount: 'integer',
    claimId: 'hex',
    executionId: 'hex',
    vault: 'hex',
    block: 'integer',
    at: 'integer',
    tx: 'hex',
  },
  orders: { id: ['id'], amount: ['amount', 'id'] },
  parents: ['wallet', 'vault'],
  unindexed: ['kind', 'token'],
} as const satisfies Source<'activity'>

/** Largest number of entries of `Claim.activity`, which has the first ones. */
export const ACTIVITY_OF_CLAIM_MAX = 100

/** The events of a claim, for all wallets. Anyone can pay a claim in any number of parts, so the list has a limit. */
export const activityOfClaim: ShortList<'activity'> = {
  source: activities,
  column: 'claimId',
  orderBy: 'id',
  limit: ACTIVITY_OF_CLAIM_MAX,
}

/** The event of an execution: one entry. */
export const activityOfExecution: ShortList<'activity'> = {
  source: activities,
  column: 'executionId',
  orderBy: 'id',
}
