/** The state of the projection that a read sees. */
import { CodedError } from '../../errors.ts'

/** The finalized block through which the projection is complete. `timestamp` is the block's, in Unix seconds. */
export type FinalizedThrough = { blockNumber: bigint; timestamp: bigint }

/** State that a read sees: its block, and the published index. An index of a later version has these blocks again. */
export type ProjectionState = { readonly finalizedThrough: FinalizedThrough; readonly publication: string }

/** The text that a statement has made, the state it was read from, and the milliseconds that the database took. */
export type Readout = ProjectionState & { readonly text: string; readonly tookMs: number }

/** Readiness, checkpoint and publication, as a statement reads them. */
export type State = { isReady: boolean; checkpoint: string | null; publication: string | null }

/** @throws CodedError `NOT_READY` */
export function requireReady(state: State | undefined): ProjectionState {
  if (!state?.isReady || state.checkpoint === null) throw notReady()
  return { finalizedThrough: parseCheckpoint(state.checkpoint), publication: state.publication ?? '' }
}

/** The one row of a statement, by the names of the database. */
export type Row = {
  is_ready: boolean
  checkpoint: string | null
  publication: string | null
  data: string
  took_ms: number
}

/** @throws as `readSnapshot` */
export function toReadout(row: Row | undefined): Readout {
  const { data: text = 'null', took_ms: tookMs = 0 } = row ?? {}
  return { text, tookMs, ...requireReady(row && { ...row, isReady: row.is_ready }) }
}

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
