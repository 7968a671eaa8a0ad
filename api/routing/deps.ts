import type { Lens } from '../chain/lens.ts'
import type { Deps } from '../deps.ts'

/** Dependencies of planning and preparing a route. */
export type RoutingDeps = Pick<
  Deps,
  'chain' | 'head' | 'config' | 'db' | 'store' | 'deployment' | 'clock' | 'optimize'
> & {
  lens: Lens
}
