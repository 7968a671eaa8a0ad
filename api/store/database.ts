/** What the gateway itself remembers, in a schema of its own beside the projection: shared by all replicas, moved on by `api/migrations`. */
import { CamelCasePlugin, type JSONColumnType, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Address, Hex } from 'viem'

export const STORE_SCHEMA = 'gateway'

export type StoreTables = {
  /** Nonces that a wallet signed in with. A row is needed until its nonce expires of itself. */
  usedNonce: { nonce: string; expiresAt: Date }
  /** Requests of a wallet under one policy in its current window. */
  walletRateLimit: { key: string; hits: number; resetsAt: Date }
  /** What optimize planned, until a wallet has it prepared. */
  routeIntent: RouteIntentRow
  /** What was handed to a wallet to sign. */
  preparedExecution: PreparedExecutionRow
}

export type IntentStatus = 'PENDING' | 'CONSUMED' | 'FAILED'

export type RouteIntentRow = {
  routeId: Hex
  userAddress: Address
  status: IntentStatus
  /** Of the block that was pinned. */
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
  failureCode: string | null
  /** The JSON text that was sent when it was prepared, given again until the execution's deadline. */
  answer: string | null
  answerDeadline: Date | null
}

export type StoredRequest = {
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
}

export type Store = Kysely<StoreTables>

export function createStore(pool: pg.Pool): Store {
  return new Kysely<StoreTables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  }).withSchema(STORE_SCHEMA)
}
