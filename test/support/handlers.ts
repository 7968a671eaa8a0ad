/**
 * The handlers of `src/` over Ponder's own store of rows, without a chain: events that no contract emits, and times
 * that take a chain long to reach.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Context, EventNames } from 'ponder:registry'
import { type Address, numberToHex } from 'viem'
import * as schema from '../../ponder.schema.ts'
import { handlers } from './ponder-registry.ts'
import '../../src/ClaimRegistry.ts'
import '../../src/FinancingRouter.ts'
import '../../src/FinancingVault.ts'
import '../../src/IssuerRegistry.ts'
import '../../src/TokenRegistry.ts'
import '../../src/VaultRegistry.ts'

const ofPonder = (path: string) =>
  import(pathToFileURL(join(import.meta.dirname, '../../node_modules/ponder/dist/esm', path)).href)
const { createIndexingCache } = await ofPonder('indexing-store/cache.js')
const { createIndexingStore } = await ofPonder('indexing-store/index.js')
const { MetricsService } = await ofPonder('internal/metrics.js')

/**
 * An event, and where it happens: in the block of the event before, or in one of its own at `at` (Unix seconds), by
 * default a second later.
 */
export type PlayedEvent = readonly [
  name: EventNames,
  args: object,
  place?: { at?: bigint; by?: Address; isInSameBlock?: boolean },
]

export type Handled = {
  db: Context['db']
  /** Handles events one after the other. Rejects with the error of the first handler that fails. */
  play: (...events: readonly PlayedEvent[]) => Promise<void>
}

/** Rows that nobody has written yet. No row is ever flushed, so the database that is behind them stays empty. */
export function createHandled(): Handled {
  const common = { metrics: new MetricsService() }
  const shared = { common, schemaBuild: { schema } }
  const indexingCache = createIndexingCache({ ...shared, crashRecoveryCheckpoint: undefined, eventCount: {} })
  const store = createIndexingStore({ ...shared, indexingCache, indexingErrorHandler: {} })
  const emptyDatabase = { $dialect: 'node-postgres', wrap: async () => [] }
  indexingCache.qb = emptyDatabase
  store.qb = emptyDatabase
  const db: Context['db'] = store.db
  let number = 0n
  let now = 0n
  let logIndex = 0
  return {
    db,
    async play(...events) {
      for (const [name, args, { at, by, isInSameBlock }] of events.map(withPlace)) {
        const handler = handlers.get(name)
        if (!handler) throw new Error(`no handler of ${name}`)
        logIndex = isInSameBlock ? logIndex + 1 : 0
        if (!isInSameBlock) {
          number += 1n
          now = at ?? now + 1n
        }
        const block = { number, timestamp: now }
        const transaction = { hash: numberToHex(number, { size: 32 }) }
        await handler({
          event: { args, block, transaction, log: { address: by, logIndex } },
          context: { db },
        })
      }
    },
  }
}

const NOBODY: Address = `0x${'00'.repeat(20)}`

function withPlace([name, args, { at, by = NOBODY, isInSameBlock = false } = {}]: PlayedEvent) {
  return [name, args, { at, by, isInSameBlock }] as const
}
