/** The auditor's metrics (Prometheus text format). */
import { Counter, Gauge, Registry } from 'prom-client'
import type { DifferenceKind } from './comparison.ts'

const KINDS: readonly DifferenceKind[] = ['MISSING_LOGS', 'WRONG_VALUE']

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const differences = new Gauge({
    name: 'audit_differences',
    help: 'Open differences between the projection and the chain.',
    labelNames: ['kind'],
    registers,
  })
  const block = new Gauge({
    name: 'audit_block',
    help: 'Finalized block through which all changes are audited.',
    registers,
  })
  const at = new Gauge({
    name: 'audit_last_success_timestamp_seconds',
    help: 'Unix time of the last complete round, in seconds.',
    registers,
  })
  const rows = new Counter({ name: 'audit_rows_total', help: 'Rows compared with the chain.', registers })
  const failures = new Counter({
    name: 'audit_failures_total',
    help: 'Rounds that failed, for example because the database or a node did not answer.',
    registers,
  })
  return {
    registry,
    failed: () => failures.inc(),
    /** @param open kinds of all open differences; `now` in milliseconds */
    completed: (audited: bigint, compared: number, open: readonly DifferenceKind[], now: number) => {
      block.set(Number(audited))
      rows.inc(compared)
      at.set(now / 1000)
      for (const kind of KINDS) differences.set({ kind }, open.filter((one) => one === kind).length)
    },
  }
}
