/** The auditor as a service: one round after the other, each stored, logged and counted in the metrics. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Random } from '../api/domain/random.ts'
import { CodedError } from '../api/errors.ts'
import type { Auditor } from './audit.ts'
import type { Difference } from './comparison.ts'
import type { Metrics } from './metrics.ts'
import { auditRound } from './round.ts'
import { type AuditStore, readDifferences, readProgress, saveOutcome, saveProgress } from './store.ts'

export type Service = {
  auditor: Auditor
  store: AuditStore
  random: Random
  sampleRows: number
  metrics: Metrics
  log: Logger
  /** Milliseconds. */
  clock: () => number
}

/** Makes one round. @returns the differences that are open afterwards */
export async function look(service: Service): Promise<Difference[]> {
  const { auditor, store, random, sampleRows, metrics, log, clock } = service
  const [progress, before] = await Promise.all([readProgress(store), readDifferences(store)])
  const { block, outcome, rows } = await auditRound({
    auditor,
    random,
    sampleRows,
    through: progress?.block,
    before,
  })
  const { added, gone } = await saveOutcome(store, outcome, new Date(clock()))
  await saveProgress(store, block, new Date(clock()))
  logDifferences(log, added)
  for (const one of gone) log.info({ ...facts(one), audited: String(block.number) }, 'a difference is gone')
  const open = await readDifferences(store)
  metrics.completed(
    block.number,
    rows,
    open.map(({ kind }) => kind),
    clock(),
  )
  return open
}

/** One line for each difference. */
export function logDifferences(log: Logger, found: readonly Difference[]): void {
  for (const one of found) log.error(facts(one), 'the projection differs from the chain')
}

function facts({ entity, key, field, projected, onChain, block, kind }: Difference) {
  return { entity, key, field, projected, onChain, block: String(block), kind }
}

/** Makes a round, then waits `intervalMs`, until the signal aborts. A round that fails is repeated in the next one. */
export async function follow(service: Service, intervalMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await look(service).catch((err: unknown) => {
      // While the first index is incomplete there is nothing to audit.
      if (err instanceof CodedError && err.code === 'NOT_READY') return
      service.metrics.failed()
      service.log.warn({ err }, 'the projection could not be audited; trying again')
    })
    await pause(intervalMs, undefined, { signal }).catch(() => {})
  }
}
