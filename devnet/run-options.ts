/** Options of one run of the devnet. */
import type { WorldScale } from './world/plan.ts'

export type RunOptions = {
  folder: string
  /** Deletes the persisted world first. */
  fresh: boolean
  /** Restarts the gateway when one of its files changes. */
  watch: boolean
  /** Scale of the world, where a new one is made. */
  scale: WorldScale
  /** Seconds from a block until it is final. Default: two blocks */
  finalitySeconds?: number | undefined
  /** Origins of pages that call the gateway and sign in there, beside those of this machine. */
  origins: readonly string[]
  /** Wanted ports; another is taken where one is not free. */
  ports: { gateway: number; documentation: number; rpc: number; postgres: number; indexer: number }
}
