/** Every row of every table once, and every event of the protocol. */
import { type Auditor, auditRows } from './audit.ts'
import type { AuditedBlock } from './chain/evidence.ts'
import { type Comparison, type Difference, differs } from './comparison.ts'
import { entities } from './entities/index.ts'
import { pagesOf } from './pages.ts'
import { rollups } from './rollups/index.ts'
import { compareRollup } from './rollups/rollup.ts'
import { findAbsentRows, scanLogs } from './scan-logs.ts'

/** Progress: events compared through block `done`, or `done` rows of a table. */
export type Progress = { of: string; done: bigint | number | 'all' }

/** @returns the projected block at the start of the audit, and the differences */
export async function auditAll(
  auditor: Auditor,
  onProgress: (progress: Progress) => void = () => {},
): Promise<{ block: AuditedBlock; differences: Difference[] }> {
  const block = await auditor.read(async (_db, _schema, block) => block)
  const found: Difference[] = []
  const add = (at: AuditedBlock, comparisons: readonly Comparison[]) => {
    found.push(...comparisons.filter(differs).map((one) => ({ ...one, block: at.number })))
  }
  add(block, await compareEvents(auditor, block, onProgress))
  for (const entity of entities) {
    let rows = 0
    for await (const audited of pagesOf((page) => auditRows(auditor, entity, page))) {
      add(audited.block, audited.comparisons)
      rows += audited.keys.length
      onProgress({ of: entity.name, done: rows })
    }
  }
  for (const rollup of rollups) {
    await auditor.read(async (db, schema, at) => add(at, await compareRollup(db, schema, rollup)))
    onProgress({ of: rollup.name, done: 'all' })
  }
  return { block, differences: found }
}

async function compareEvents(
  { chain, read, evidenceAt }: Auditor,
  block: AuditedBlock,
  onProgress: (progress: Progress) => void,
): Promise<Comparison[]> {
  const evidence = await evidenceAt(block)
  const missing = await findAbsentRows(read, entities, evidence)
  const scanned = await scanLogs({
    chain,
    read,
    entities,
    addresses: [...Object.values(evidence.contracts), ...(await evidence.state.vaults())],
    range: { from: evidence.startBlock, to: block.number },
    onProgress: (done) => onProgress({ of: 'events', done }),
  })
  return [...missing, ...scanned]
}
