/**
 * One state of the projection. All values of an answer are read in one `Snapshot`, so no two of its fields can
 * disagree, and the snapshot states its finalized block.
 */
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { CodedError } from '../../errors.ts'
import type { ProjectionTables } from '../sql/source.ts'
import { fromState, type Reading } from '../sql/statement.ts'
import { type Abort, cancelOnAbort } from './cancel.ts'
import {
  type FinalizedThrough,
  type ProjectionState,
  type Readout,
  type Row,
  refuseUnpublished,
  requireReady,
  type State,
  toReadout,
} from './state.ts'

export type Snapshot = ProjectionState & { readonly db: Kysely<ProjectionTables> }

/**
 * Reads one state of the projection, in one REPEATABLE READ, READ ONLY transaction. Nothing outside of `read` may keep
 * the snapshot: it ends with it.
 *
 * @throws CodedError `NOT_READY` while the first index is incomplete
 */
export function readSnapshot<T>(
  db: Kysely<ProjectionTables>,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return readOpened(() => openSnapshot(db), read)
}

/** Reads one state from a snapshot that `openOne` opens, such as `AppEnv.openSnapshot`, and closes it. */
export async function readOpened<T>(openOne: OpenOne, read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const open = await openOne()
  try {
    return await read(open.snapshot)
  } finally {
    await open.close()
  }
}

/** Reads the finalized block of the projection; undefined while the first index is incomplete. */
export async function findFinalizedThrough(openOne: OpenOne): Promise<FinalizedThrough | undefined> {
  try {
    return await readOpened(openOne, async ({ finalizedThrough }) => finalizedThrough)
  } catch (error) {
    if (error instanceof CodedError && error.code === 'NOT_READY') return undefined
    throw error
  }
}

/** A snapshot and the duty to close it, for callers whose read is not one function (a GraphQL operation). */
export type OpenSnapshot = { snapshot: Snapshot; close: () => Promise<void> }

/** Opens a snapshot within the limits of the request that reads it. */
export type OpenOne = () => Promise<OpenSnapshot>

/** How long a snapshot may last. Each option is without limit by default. */
export type SnapshotLimits = {
  /** Milliseconds until the database ends the snapshot: its statements and the time between them. */
  deadlineMs?: number
  /** Aborts the statements of the snapshot. */
  abort?: Abort
  /** Id of the request, which Postgres shows as the name of the application meanwhile. */
  requestId?: string
}

/**
 * Opens a snapshot, which holds a connection of the pool until it is closed.
 *
 * @throws as `readSnapshot`
 */
export async function openSnapshot(
  db: Kysely<ProjectionTables>,
  { deadlineMs = 0, abort, requestId }: SnapshotLimits = {},
): Promise<OpenSnapshot> {
  const transaction = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  let stopCancelling = async () => {}
  const close = async () => {
    // It keeps its connection until the cancellation has ended, which could otherwise cancel a statement of the
    // connection's next user.
    await stopCancelling()
    await transaction.rollback().execute()
  }
  try {
    const { backendPid, ...state } = await readState(transaction, deadlineMs, requestId)
    if (abort) stopCancelling = cancelOnAbort(abort, backendPid)
    return { snapshot: { db: transaction, ...state }, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Reads a value in a snapshot that is open. */
export async function readInSnapshot({ db }: Snapshot, { text, values }: Reading): Promise<Readout> {
  const { rows } = await db.withoutPlugins().executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  return toReadout(rows[0])
}

/**
 * Whether another session waits for the snapshot to end, such as the indexer with a newer index to publish. All later
 * reads then wait behind the indexer, so a long snapshot must check this and end.
 */
export async function isHoldingUp({ db }: Snapshot): Promise<boolean> {
  const statement = sql<{ isHoldingUp: boolean }>`
    select exists (
      select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))
    ) as is_holding_up`
  const { rows } = await statement.execute(db)
  return rows[0]?.isHoldingUp ?? false
}

async function readState(
  db: Kysely<ProjectionTables>,
  deadlineMs: number,
  requestId?: string,
): Promise<ProjectionState & { backendPid: number }> {
  const statement = sql<State & { backendPid: number }>`
    select state.*, pg_backend_pid() as backend_pid, ${limitTransaction(deadlineMs)} ${nameTransaction(requestId)}
    ${fromState()}`
  const { rows } = await statement.execute(db).catch(refuseUnpublished)
  const [state] = rows
  return { backendPid: state?.backendPid ?? 0, ...requireReady(state) }
}

/** Bytes of the name of an application; Postgres cuts off the rest. */
const NAME_BYTES = 63

function nameTransaction(requestId: string | undefined) {
  if (requestId === undefined) return sql``
  return sql`, set_config('application_name', ${`gateway ${requestId}`.slice(0, NAME_BYTES)}, true) as application`
}

/**
 * Settings of the present transaction. `transaction_timeout` is of Postgres 17; before that, the timeout of each
 * statement and of the time between two bounds a snapshot. One snapshot is the work of one process: parallel workers
 * would multiply its share.
 */
function limitTransaction(deadlineMs: number) {
  const deadline = sql`${String(deadlineMs)}::text`
  return sql`
    set_config('max_parallel_workers_per_gather', '0', true) as workers,
    set_config('idle_in_transaction_session_timeout', ${deadline}, true) as idle_timeout,
    case when current_setting('server_version_num')::int >= 170000
      then set_config('transaction_timeout', ${deadline}, true) end as transaction_timeout`
}
