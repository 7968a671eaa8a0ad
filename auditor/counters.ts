/**
 * Compares the counts and sums of the contracts with the projection: vaults of the registry, slices of each claim,
 * routes of each wallet, shares, outstanding amounts and terms of each vault. No contract counts claims or issuers, so
 * their events are read again from a node.
 */
import type { Chain } from '../api/chain/client.ts'
import type { ProjectionDb } from '../api/projection/session/database.ts'
import type { Manifest } from '../deployments/manifest.ts'
import { type Auditor, auditCounts, versionedProjection } from './audit.ts'
import { createEvidence } from './chain/evidence.ts'
import { type Comparison, type Difference, differs } from './comparison.ts'
import { counted, entities, uncounted } from './entities/index.ts'
import { pagesOf } from './pages.ts'
import { findAbsentRows, scanLogs } from './scan-logs.ts'

export type FindMissingLogs = {
  db: ProjectionDb
  /**
   * Schema of the version. Its indexer may run at the same time: each part is compared at the block of the version's
   * checkpoint.
   */
  schema: string
  chain: Chain
  manifest: Manifest
}

/**
 * The differences that prove missing events, before a version is published. Empty if there are none.
 *
 * Reads each claim's and vault's state once, 50 claims in a call, and the events of claims and issuers from the start.
 */
export async function findMissingLogs(options: FindMissingLogs): Promise<Difference[]> {
  const { db, schema, chain, manifest } = options
  const read = versionedProjection(db, schema)
  const auditor: Auditor = { read, chain, evidenceAt: createEvidence(chain, manifest) }
  const block = await read(async (_db, _schema, at) => at)
  const evidence = await auditor.evidenceAt(block)
  const found: Comparison[] = await findAbsentRows(read, entities, evidence)
  for (const entity of counted) {
    for await (const { comparisons } of pagesOf((page) => auditCounts(auditor, entity, page))) {
      found.push(...comparisons.filter(differs))
    }
  }
  const { claimRegistry, issuerRegistry } = manifest.contracts
  const scanned = await scanLogs({
    chain,
    read,
    entities: uncounted,
    addresses: [claimRegistry, issuerRegistry],
    range: { from: evidence.startBlock, to: block.number },
  })
  const missing = [...found, ...scanned].filter(({ kind }) => kind === 'MISSING_LOGS')
  return missing.map((difference) => ({ ...difference, block: block.number }))
}
