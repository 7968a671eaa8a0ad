/**
 * One small seeded world for all tests that only read: a chain with 60 claims, 12 vaults, executions and settlements,
 * and an indexer that has projected all of it into the stable views. It is made once per run (about ten seconds), and
 * only when a test file of the vitest project `world` runs: those under `test/rest`, `test/graphql`, `test/projection`,
 * `test/fuzz`, `test/limits`, `test/pages`, `test/snapshot`.
 *
 *     const { databaseUrl, rpcUrl, manifest, accounts, claimIds, vaults } = sharedWorld()
 *     const plan = sharedPlan()            // what happened, as data: claimIds[i] is plan.claims[i], its end plan.outcomes[i]
 *     const wallet = sharedAccount('wallet-1')
 *
 * Do not send transactions to it nor write to `projection`: other files read it at the same time. A test that must
 * change something starts its own chain (`startWorldChain`, `buildWorld`). The gateway's own schema may be made in the
 * database.
 */
import type { Address, Hex } from 'viem'
import { inject } from 'vitest'
import type { Manifest } from '../../deployments/manifest.ts'
import type { Role, WorldPlan } from '../../devnet/world/plan.ts'
import { planWorld, SMALL_SCALE } from '../../devnet/world/plan-world.ts'

export const SHARED_SEED = 1
export const SHARED_SCALE = SMALL_SCALE

export type SharedAccount = { role: Role; address: Address; privateKey: Hex }

export type SharedWorld = {
  /** URL of the gateway's role. */
  databaseUrl: string
  rpcUrl: string
  /** Equal to `deployments/31337.json`. */
  manifest: Manifest
  /** Unix seconds of the latest block, the present when the run began. */
  endsAt: number
  accounts: SharedAccount[]
  vaults: Address[]
  claimIds: Hex[]
}

declare module 'vitest' {
  export interface ProvidedContext {
    world: SharedWorld
  }
}

export function sharedWorld(): SharedWorld {
  return inject('world')
}

/** The plan that the shared world was made from. */
export function sharedPlan(): WorldPlan {
  return planWorld({ seed: SHARED_SEED, scale: SHARED_SCALE, now: sharedWorld().endsAt })
}

export function sharedAccount(role: Role): SharedAccount {
  const account = sharedWorld().accounts.find((candidate) => candidate.role === role)
  if (!account) throw new Error(`the shared world has no account ${role}`)
  return account
}
