/**
 * One state of the projection. All values of an answer are read in one `Snapshot`, so no two of its fields can
 * disagree, and the snapshot states its finalized block.
 */
import { type Kysely, sql } from 'kysely'
import { CodedError } from '../../errors.ts'
import { type Abort, cancelOnAbort } from './cancel.ts'
import { PROJECTION_SCHEMA, type ProjectionTables } from './database.ts'

/** The finalized block through which the projection is complete. `timestamp` is the block's, in Unix seconds. */
export type FinalizedThrough = { blockNumber: bigint; timestamp: bigint }

/** State that a read sees: its block, and the published index. An index of a later version has these blocks again. */
export type ProjectionState = { readonly finalizedThrough: FinalizedThrough; readonly publication: string }

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

/** Readiness, checkpoint and publication, as a statement reads them. */
export type State = { isReady: boolean; checkpoint: string | null; publication: string | null }

/**
 * Writes the relation `state`, whose one row is a `State`: readiness and checkpoint belong together. The first table of
 * the statement is the first that the indexer replaces when it publishes a newer index. A snapshot that holds a lock of
 * it delays the publication until the snapshot ends; a later snapshot waits here without holding any lock. So no
 * snapshot sees half of a publication, and none deadlocks with it.
 */
export function fromState() {
  const view = (name: string) => sql.id(PROJECTION_SCHEMA, name)
  return sql`
    from (select) as one left join (select from ${view(FIRST_PUBLISHED_VIEW)} limit 0) as gate on true
    cross join (
      select
        exists (select from ${view('_ponder_meta')} where value ->> 'is_ready' = '1') as is_ready,
        (select min(latest_checkpoint) from ${view('_ponder_checkpoint')}) as checkpoint,
        to_regclass(${`${PROJECTION_SCHEMA}.${FIRST_PUBLISHED_VIEW}`})::oid::text as publication
    ) as state`
}

/** @throws CodedError `NOT_READY` */
export function requireReady(state: State | undefined): ProjectionState {
  if (!state?.isReady || state.checkpoint === null) throw notReady()
  return { finalizedThrough: parseCheckpoint(state.checkpoint), publication: state.publication ?? '' }
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

/** The indexer publishes its views in this order of tables, in one transaction. */
const FIRST_PUBLISHED_VIEW = 'router'

const CHECKPOINT = /^(?<timestamp>\d{10})\d{16}(?<blockNumber>\d{16})\d{33}$/

/** Ponder's checkpoint: timestamp (10 digits), chain id (16), block number (16), then the position within the block. */
export function parseCheckpoint(checkpoint: string): FinalizedThrough {
  const { timestamp, blockNumber } = CHECKPOINT.exec(checkpoint)?.groups ?? {}
  if (timestamp === undefined || blockNumber === undefined) {
    throw new Error(`Not a checkpoint of the indexer: ${checkpoint}`)
  }
  return { blockNumber: BigInt(blockNumber), timestamp: BigInt(timestamp) }
}

/** A first index takes seconds on a devnet and up to hours on a long chain: a retry at this interval costs little. */
const RETRY_AFTER_SECONDS = 5

function notReady(): CodedError {
  return new CodedError('NOT_READY', 'The first index of the chain is not complete yet. Try again shortly.', {
    retryAfter: RETRY_AFTER_SECONDS,
  })
}

const UNDEFINED_TABLE = '42P01'
const INVALID_SCHEMA = '3F000'

/** Before the first index is complete there are no views, and no schema, to read from. */
export function refuseUnpublished(error: unknown): never {
  const code = sqlState(error)
  if (code === UNDEFINED_TABLE || code === INVALID_SCHEMA) throw notReady()
  throw error
}

function sqlState(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
