import { setTimeout as pause } from 'node:timers/promises'
import type { Chain } from '../../chain/client.ts'
import { type PinnedBlock, pinFinalizedBlock } from '../../chain/pin-block.ts'
import type { Clock, Deps } from '../../deps.ts'
import { CodedError, shuttingDown, toCodedError } from '../../errors.ts'
import { readSnapshot } from '../../projection/session/snapshot.ts'
import { readAudit } from '../../projection/tables/audit.ts'
import { createRouter } from '../shared/router.ts'
import { getHealth, getReadiness } from './health.routes.ts'
import { describeReadiness, explained, judgeReadiness, type Seen } from './readiness.ts'

/**
 * Milliseconds for which one check of readiness answers all probes, good or bad: probing costs the same however often
 * it is done.
 */
const READINESS_TTL_MS = 1000

type HealthDeps = Pick<Deps, 'config' | 'control' | 'watch' | 'chain' | 'clock' | 'stopping'>

export function health(deps: HealthDeps) {
  const since = rememberSince(deps.clock)
  const check = shared(() => checkReadiness(deps, since), READINESS_TTL_MS, deps.clock)
  return createRouter()
    .openapi(getHealth, (c) => c.json({ status: 'ok' as const }, 200))
    .openapi(getReadiness, async (c) => {
      if (deps.stopping.aborted)
        throw shuttingDown('The gateway is shutting down. Send requests to another one.')
      return c.json(await check(), 200)
    })
}

/** @throws CodedError with the state of each part, if reads cannot be answered or should not be relied on */
async function checkReadiness({ config, control, watch, chain }: HealthDeps, since: (block: bigint) => Date) {
  const [read, head] = await Promise.all([
    readSnapshot(control.db, async ({ db, finalizedThrough: through }) => ({
      through,
      audit: await readAudit(db, config.auditStaleSeconds),
    })).catch(toCodedError),
    readFinalizedHead(chain, config.readyChainTimeoutMs),
  ])
  if (read instanceof CodedError) throw explained(read, head)
  watch.observe(read.through)
  const seen: Seen = { ...read, head, unchangedSince: since(read.through.blockNumber) }
  const refusal = judgeReadiness(seen, config)
  if (refusal) throw refusal
  return describeReadiness(seen)
}

/** When this process first saw the projection at the block that it is at. */
function rememberSince(clock: Clock): (block: bigint) => Date {
  let latest: { block: bigint; since: Date } | undefined
  return (block) => {
    if (latest?.block !== block) latest = { block, since: new Date(clock()) }
    return latest.since
  }
}

/**
 * All calls while the work runs, or within `ttlMs` of its start, share one run, failed or not. No two runs overlap.
 *
 * @param clock milliseconds
 */
function shared<T>(work: () => Promise<T>, ttlMs: number, clock: Clock): () => Promise<T> {
  let latest: Promise<T> | undefined
  let startedAt = 0
  let isRunning = false
  return () => {
    // After the clock was set back, the age of the result is unknown.
    const isFresh = Math.abs(clock() - startedAt) < ttlMs
    if (latest && (isRunning || isFresh)) return latest
    startedAt = clock()
    isRunning = true
    latest = work().finally(() => {
      isRunning = false
    })
    return latest
  }
}

/** The chain's finalized block; null when the chain does not answer in time. */
async function readFinalizedHead(chain: Chain, timeoutMs: number): Promise<PinnedBlock | null> {
  const asked = pinFinalizedBlock(chain).catch(() => null)
  return Promise.race([asked, pause(timeoutMs, null, { ref: false })])
}
