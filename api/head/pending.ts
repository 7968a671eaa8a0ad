/** Changes that are mined and not final, of what a prepared answer was made from at a finalized block. */
import type { Address, Hex } from 'viem'
import { type Selection, type ShownEvents, selectEvents } from './unfinalized.ts'
import type { HeadWatch } from './watch-head.ts'

/** Parts of the chain that an answer reads. */
export type ReadParts = {
  readonly claims?: readonly Hex[]
  readonly vaults?: readonly Address[]
  /** A wallet whose nonce of the router is read. */
  readonly routesOf?: Address
  /** A wallet whose credits are read. */
  readonly creditsOf?: Address
  /** A wallet whose shares of the vaults are read. */
  readonly sharesOf?: Address
}

const ALWAYS: ReadonlySet<string> = new Set(['Paused', 'Unpaused'])
const OF_ROUTES: ReadonlySet<string> = new Set(['Executed', 'RoutesCancelled'])
const OF_CREDITS: ReadonlySet<string> = new Set(['Credited', 'CreditWithdrawn'])
/** Shares that change hands change nothing but the balances of their holders. */
const SHARES_MOVED = 'Transfer'

/** @returns the events after the block of the answer; undefined while there is no recent view of the latest block */
export function findPending(
  { latest }: Pick<HeadWatch, 'latest'>,
  after: bigint,
  parts: ReadParts,
): ShownEvents | undefined {
  const view = latest()
  return view && selectEvents(view, after, touching(parts))
}

function touching({ claims = [], vaults = [], routesOf, creditsOf, sharesOf }: ReadParts): Selection {
  const ofClaims = new Set<string | undefined>(claims)
  const ofVaults = new Set<string | undefined>(vaults)
  const wallets = [routesOf, creditsOf, sharesOf].filter((wallet) => wallet !== undefined)
  return {
    isWanted: (event) =>
      ALWAYS.has(event.name) ||
      (event.claimId !== undefined && ofClaims.has(event.claimId)) ||
      (event.vault !== undefined &&
        ofVaults.has(event.vault) &&
        (event.name !== SHARES_MOVED || (sharesOf !== undefined && event.wallets.includes(sharesOf)))) ||
      (routesOf !== undefined && OF_ROUTES.has(event.name) && event.wallets.includes(routesOf)) ||
      (creditsOf !== undefined && OF_CREDITS.has(event.name) && event.wallets.includes(creditsOf)),
    subjects: [...claims, ...vaults, ...wallets],
    subject: undefined,
  }
}
