/** The open differences between the projection and the chain, which the auditor stores in a schema of its own. */
import { type Kysely, sql } from 'kysely'
import type { FinalizedThrough } from '../session/state.ts'
import type { ProjectionTables } from '../sql/source.ts'

/** `ABSENT`: it never ran on this database. `STOPPED`: its last completed round is too old. */
export type AuditorState = 'RUNNING' | 'STOPPED' | 'ABSENT'

/** One value of the projection that differs from the chain. */
export type AuditDifference = {
  /** `MISSING_LOGS`: events of the chain have no row. `WRONG_VALUE`: a row has another value than the chain. */
  kind: 'MISSING_LOGS' | 'WRONG_VALUE'
  entity: string
  key: string
  /** A column, a count of rows, or `row` for a row as a whole. */
  field: string
  /** Null where the projection has nothing. */
  projected: string | null
  /** Null where the chain has nothing. */
  onChain: string | null
  /** Finalized block that was compared. */
  block: bigint
  /** Unix seconds. */
  firstSeen: bigint
}

export type Audit = {
  state: AuditorState
  /** The block through which every change is audited; undefined if the auditor never ran. */
  through: FinalizedThrough | undefined
  /** End of the last round, in Unix seconds. */
  at: bigint | undefined
  differenceCount: number
  missingLogCount: number
  /** The first `DIFFERENCES_SHOWN`: missing events first, then by age, oldest first. */
  differences: readonly AuditDifference[]
}

const NO_AUDIT: Audit = {
  state: 'ABSENT',
  through: undefined,
  at: undefined,
  differenceCount: 0,
  missingLogCount: 0,
  differences: [],
}

/** Maximum number of differences in an answer. */
export const DIFFERENCES_SHOWN = 10

type Progress = {
  block: bigint
  blockTimestamp: bigint
  at: bigint
  age: bigint
  differenceCount: bigint
  missingLogCount: bigint
}

/** @param staleAfterSeconds age of the last round above which the auditor counts as stopped */
export async function readAudit(db: Kysely<ProjectionTables>, staleAfterSeconds: number): Promise<Audit> {
  if (!(await hasRun(db))) return NO_AUDIT
  const { rows } = await sql<Progress>`
    select block, block_timestamp, extract(epoch from at)::int8 as at, extract(epoch from now() - at)::int8 as age,
      (select count(*) from audit.difference) as difference_count,
      (select count(*) from audit.difference where kind = 'MISSING_LOGS') as missing_log_count
    from audit.progress`.execute(db)
  const [progress] = rows
  if (!progress) return NO_AUDIT
  const differences = await db
    .withTables<{ 'audit.difference': Omit<AuditDifference, 'firstSeen'> & { firstSeen: Date } }>()
    .selectFrom('audit.difference')
    .select(['kind', 'entity', 'key', 'field', 'projected', 'onChain', 'block'])
    .select(sql<bigint>`extract(epoch from first_seen)::int8`.as('firstSeen'))
    .orderBy('kind')
    .orderBy('audit.difference.firstSeen')
    .orderBy('entity')
    .orderBy('key')
    .orderBy('field')
    .limit(DIFFERENCES_SHOWN)
    .execute()
  return {
    state: progress.age > BigInt(staleAfterSeconds) ? 'STOPPED' : 'RUNNING',
    through: { blockNumber: progress.block, timestamp: progress.blockTimestamp },
    at: progress.at,
    differenceCount: Number(progress.differenceCount),
    missingLogCount: Number(progress.missingLogCount),
    differences,
  }
}

/** A statement with a missing table would abort the transaction of the snapshot. */
async function hasRun(db: Kysely<ProjectionTables>): Promise<boolean> {
  const { rows } = await sql<{ hasRun: boolean }>`
    select to_regclass('audit.progress') is not null and to_regclass('audit.difference') is not null as has_run`.execute(
    db,
  )
  return rows[0]?.hasRun ?? false
}
