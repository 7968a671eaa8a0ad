import type { Lens } from '../chain/lens.ts'
import type { Deps } from '../deps.ts'

/** Dependencies of preparing a transaction or an attestation. */
export type PrepareDeps = Pick<Deps, 'chain' | 'head' | 'deployment' | 'clock'>

/** A financing is also checked through the lens, and stored. */
export type FinancingDeps = PrepareDeps & Pick<Deps, 'store'> & { lens: Lens }
