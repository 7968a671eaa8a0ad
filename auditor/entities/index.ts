/** Every table that is audited row by row. `auditor/rollups` has the tables whose rows are sums of these. */
import type { Entity } from '../entity.ts'
import { activity } from './activity.ts'
import { allocation } from './allocation.ts'
import { capitalChange } from './capital-change.ts'
import { claim } from './claim.ts'
import { credit } from './credit.ts'
import { execution } from './execution.ts'
import { executionLeg } from './execution-leg.ts'
import { issuer } from './issuer.ts'
import { pendingTerms } from './pending-terms.ts'
import { positionChange } from './position-change.ts'
import { routeCancellation } from './route-cancellation.ts'
import { router } from './router.ts'
import { settlement } from './settlement.ts'
import { statusVersion } from './status-version.ts'
import { token } from './token.ts'
import { vault } from './vault.ts'
import { vaultPosition } from './vault-position.ts'
import { vaultTerms } from './vault-terms.ts'
import { vaultVersion } from './vault-version.ts'
import { wallet } from './wallet.ts'

export const entities: readonly Entity[] = [
  router,
  issuer,
  token,
  vault,
  vaultTerms,
  vaultVersion,
  pendingTerms,
  vaultPosition,
  claim,
  wallet,
  allocation,
  execution,
  executionLeg,
  routeCancellation,
  statusVersion,
  settlement,
  capitalChange,
  positionChange,
  credit,
  activity,
]

/** Entities for which the contracts' state has counts or sums. */
export const counted: readonly Entity[] = [vault, claim, wallet]

/** Entities for which the contracts have no counts: only events show missing rows. */
export const uncounted: readonly Entity[] = [issuer, claim]
