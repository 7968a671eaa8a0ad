import type { Lens } from '../chain/lens.ts'
import type { Deps } from '../deps.ts'

/** What planning and preparing a route need from outside. */
export type RoutingDeps = Pick<
  Deps,
  'chain' | 'config' | 'db' | 'store' | 'deployment' | 'clock' | 'optimize'
> & {
  lens: Lens
}
