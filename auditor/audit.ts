/**
 * Audits rows: reads them in one snapshot of the projection, then compares them with the chain at the block of the
 * snapshot.
 */
import { CamelCasePlugin, sql } from 'kysely'
import type { Chain } from '../api/chain/client.ts'
import type { ProjectionDb } from '../api/projection/session/database.ts'
import { readSnapshot } from '../api/projection/session/snapshot.ts'
import { parseCheckpoint } from '../api/projection/session/state.ts'
import { PROJECTION_SCHEMA } from '../api/projection/sql/source.ts'
import type { AuditedBlock, Evidence, EvidenceAt } from './chain/evidence.ts'
import { type Comparison, differs } from './comparison.ts'
import { entities } from './entities/index.ts'
import type { Counted, Entity, Loaded } from './entity.ts'
import type { Page, Scope } from './rows.ts'

/** One state of the projection; every row that `work` reads belongs to its block. */
export type ReadProjection = <T>(
  work: (db: ProjectionDb, schema: string, block: AuditedBlock) => Promise<T>,
) => Promise<T>

export type Auditor = { read: ReadProjection; chain: Chain; evidenceAt: EvidenceAt }

/** The published projection, as its readers see it. @throws CodedError `NOT_READY` */
export function publishedProjection(db: ProjectionDb): ReadProjection {
  return (work) =>
    readSnapshot(db, ({ db, finalizedThrough: { blockNumber: number, timestamp } }) =>
      work(db, PROJECTION_SCHEMA, { number, timestamp }),
    )
}

/** The tables of one version, published or not: each snapshot has the block of the version's own checkpoint. */
export function versionedProjection(db: ProjectionDb, schema: string): ReadProjection {
  const own = db.withoutPlugins().withPlugin(new CamelCasePlugin()).withSchema(schema)
  return (work) =>
    own
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => work(snapshot, schema, await readCheckpoint(snapshot, schema)))
}

async function readCheckpoint(db: ProjectionDb, schema: string): Promise<AuditedBlock> {
  const { rows } = await sql<{ checkpoint: string | null }>`
    select min(latest_checkpoint) as checkpoint from ${sql.id(schema, '_ponder_checkpoint')}`.execute(db)
  const checkpoint = rows[0]?.checkpoint
  if (!checkpoint) throw new Error(`${schema} has no checkpoint: nothing is indexed in it yet`)
  const { blockNumber: number, timestamp } = parseCheckpoint(checkpoint)
  return { number, timestamp }
}

export type Audited = {
  block: AuditedBlock
  comparisons: Comparison[]
  keys: readonly string[]
  next: Page | undefined
}

/** Compares the rows of a scope, and the counts and sums of these rows that the contracts store. */
export function auditRows(auditor: Auditor, entity: Entity, scope: Scope): Promise<Audited> {
  return audit(auditor, entity, scope, async (loaded, evidence) => [
    ...(await loaded.prove(evidence)),
    ...(await settle(auditor, await loaded.count(evidence))),
  ])
}

/** Compares the counts and sums of the rows of a scope that the contracts store. Reads only the contracts' state. */
export function auditCounts(auditor: Auditor, entity: Entity, scope: Scope): Promise<Audited> {
  return audit(auditor, entity, scope, async (loaded, evidence) =>
    settle(auditor, await loaded.count(evidence)),
  )
}

async function audit(
  { read, evidenceAt }: Auditor,
  entity: Entity,
  scope: Scope,
  prove: (loaded: Loaded, evidence: Evidence) => Promise<Comparison[]>,
): Promise<Audited> {
  const { block, loaded } = await read(async (db, schema, block) => ({
    block,
    loaded: await entity.load(db, schema, scope),
  }))
  const comparisons = await prove(loaded, await evidenceAt(block))
  return { block, comparisons, keys: loaded.keys, next: loaded.next }
}

/** A sum that differs proves missing events only if each of its rows is right; otherwise a row has a wrong value. */
async function settle(auditor: Auditor, counted: readonly Counted[]): Promise<Comparison[]> {
  const settled = counted.map(async ({ comparison, parts }) => {
    const entity = parts && entities.find(({ name }) => name === parts.entity)
    if (!parts || !entity || !differs(comparison)) return [comparison]
    const rows = await audit(
      auditor,
      entity,
      { columns: [parts.column], values: [[parts.value]] },
      (loaded, evidence) => loaded.prove(evidence),
    )
    const wrong = rows.comparisons.filter(differs)
    return wrong.length === 0 ? [comparison] : [{ ...comparison, kind: 'WRONG_VALUE' as const }, ...wrong]
  })
  return (await Promise.all(settled)).flat()
}

/** The rows of some keys. A key may have only the first columns. */
export function scopeOf(entity: Entity, keys: readonly (readonly string[])[]): Scope[] {
  const byLength = Map.groupBy(keys, (key) => key.length)
  return [...byLength].map(([length, values]) => ({ columns: entity.keyColumns.slice(0, length), values }))
}
