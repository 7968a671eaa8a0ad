/** The gateway's own schema, shared by all replicas and migrated by `api/store/migrations`. */
import type { UUID } from 'node:crypto'
import {
  CamelCasePlugin,
  type ColumnType,
  type Generated,
  type Insertable,
  type JSONColumnType,
  Kysely,
  PostgresDialect,
} from 'kysely'
import type pg from 'pg'
import type { Address, Hex } from 'viem'
import type { ErrorCode } from '../errors.ts'

export const STORE_SCHEMA = 'gateway'

export type StoreTables = {
  /** Nonces that a wallet signed in with. A row is needed until its nonce expires of itself. */
  usedNonce: { nonce: string; expiresAt: Date }
  /** Ids of tokens whose sessions were ended. A row is needed until its token expires. */
  revokedToken: { id: string; expiresAt: Date }
  /** Requests of a wallet under one policy in its current window. */
  walletRateLimit: { key: string; hits: number; resetsAt: Date }
  /** Planned routes, until they are prepared. */
  routeIntent: RouteIntentRow
  /** Prepared executions. */
  preparedExecution: PreparedExecutionRow
  /** Answers that a caller can repeat the request for. */
  preparedAnswer: PreparedAnswerRow
}

export type IntentStatus = 'PENDING' | 'CONSUMED' | 'FAILED'

export type RouteIntentRow = {
  /** Id of this row: a route that is planned again after it was pruned is another row with one `routeId`. */
  intentId: Generated<UUID>
  routeId: Hex
  userAddress: Address
  status: IntentStatus
  /** Number of the block that was pinned. */
  blockNumber: bigint
  /** Amounts as decimal strings. */
  request: JSONColumnType<StoredRequest>
  legs: JSONColumnType<StoredLeg[]>
  createdAt: Date
  expiresAt: Date
  userDeadline: Date
  consumedAt: Date | null
  /** With which the intent was consumed. */
  idempotencyKey: string | null
  failureCode: ErrorCode | null
  /** Whether its one answer exists. A consumed intent without one is resumed by its key. */
  isAnswered: Generated<boolean>
}

export type StoredRequest = {
  /** Absent in rows of versions that did not store them. */
  claimIds?: readonly Hex[]
  targetAdvance: string
  maxTotalFace: string | null
  maxTotalCost: string | null
  routeDeadlineSeconds: number
}

export type StoredLeg = { claimId: Hex; vault: Address; faceAmount: string }

export type PreparedExecutionRow = {
  executionId: Hex
  /** Null for a direct financing. */
  routeId: Hex | null
  userAddress: Address
  preparedAt: Date
  deadline: Date
  /** Nonce of the router that a route uses; null for a direct financing. */
  nonce: bigint | null
  /** The slice that a direct financing uses; null for a route. */
  claimId: Hex | null
  sliceIndex: number | null
  /** Legs of a route as JSON; null for a direct financing, and in rows of versions that did not store them. */
  legs: ColumnType<PreparedLegRow[] | null, string | undefined, string>
}

export type NewPreparedExecution = Insertable<PreparedExecutionRow>

/** Amounts as decimal strings. */
export type PreparedLegRow = StoredLeg & { minimumAdvanceAmount: string }

/** One per route, user and key: a second computation returns this answer. */
export type PreparedAnswerRow = {
  routeId: Hex
  userAddress: Address
  idempotencyKey: string
  /** The intent that it answers; its row may be pruned. */
  intentId: UUID
  /** The prepared route as JSON. */
  answer: string
  /** Deadline of the execution, after which the answer is not given again. */
  deadline: Date
}

export type Store = Kysely<StoreTables>

export function createStore(pool: pg.Pool): Store {
  return new Kysely<StoreTables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  }).withSchema(STORE_SCHEMA)
}
