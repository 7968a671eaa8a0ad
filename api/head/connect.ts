/** Starts the watch of the head with a client of its own. */
import type { Logger } from 'pino'
import type { Manifest } from '../../deployments/manifest.ts'
import { LOGS_BYTES_MAX } from '../chain/call-limits.ts'
import { createChain } from '../chain/client.ts'
import type { Config } from '../config/config.ts'
import type { PooledDb } from '../projection/session/database.ts'
import { openSnapshot } from '../projection/session/snapshot.ts'
import { abisOf } from './event.ts'
import { knownTo } from './known.ts'
import type { Unfinalized } from './unfinalized.ts'
import { type HeadWatch, NO_HEAD, watchHead } from './watch-head.ts'

type HeadConfig = Pick<Config, 'rpcUrls' | 'rpcTimeoutMs' | 'headPollMs' | 'planningDelaySeconds'>

/** @param around functions that run each request to a node, the last one outermost */
export function connectHead(
  { rpcUrls, rpcTimeoutMs, headPollMs, planningDelaySeconds }: HeadConfig,
  { deployment, db, log }: { deployment: Manifest; db: PooledDb; log: Logger },
  around: Parameters<typeof createChain>[0]['around'] = [],
): HeadWatch {
  if (headPollMs === 0) return NO_HEAD
  const chain = createChain({
    urls: rpcUrls,
    timeout: rpcTimeoutMs,
    report: (message) => log.warn(message),
    around,
    answerBytesMax: LOGS_BYTES_MAX,
  })
  const known = knownTo(() => openSnapshot(db, { deadlineMs: rpcTimeoutMs }))
  const clock = () => performance.now()
  const onView = warnOnce(planningDelaySeconds, log)
  return watchHead({ chain, abis: abisOf(deployment), known }, { intervalMs: headPollMs, clock, log, onView })
}

/** Optimize refuses a finalized block that is older than the setting. */
function warnOnce(planningDelaySeconds: number, log: Logger): (view: Unfinalized) => void {
  let hasWarned = false
  return ({ finalitySeconds }) => {
    if (hasWarned || finalitySeconds <= BigInt(planningDelaySeconds)) return
    hasWarned = true
    log.warn(
      { finalitySeconds: Number(finalitySeconds), planningDelaySeconds },
      'blocks take longer to become final than PLANNING_DELAY_SECONDS: raise it, or optimize refuses most requests',
    )
  }
}
