import { setTimeout as pause } from 'node:timers/promises'
import type { Chain } from '../chain/client.ts'
import { pinFinalizedBlock } from '../chain/pin-block.ts'
import type { Clock, Deps } from '../deps.ts'
import { CodedError, toCodedError } from '../errors.ts'
import type { ProjectionDb } from '../projection/database.ts'
import { type FinalizedThrough, readSnapshot } from '../projection/snapshot.ts'
import { getHealth, getReadiness } from './health.routes.ts'
import { createRouter } from './router.ts'
import { presentFinalizedThrough } from './wire.ts'

const NOT_STORED = { 'Cache-Control': 'no-store' }

/** Milliseconds that a probe waits for the chain: whoever probes is impatient, and reads do not need the chain. */
const CHAIN_PATIENCE_MS = 2000

/** Milliseconds for which one check of readiness answers all probes, good or bad: probing costs the same however often it is done. */
const READINESS_TTL_MS = 1000

export function health({ control, chain, clock }: Pick<Deps, 'control' | 'chain' | 'clock'>) {
  const check = shared(() => checkReadiness(control.db, chain), READINESS_TTL_MS, clock)
  return createRouter()
    .openapi(getHealth, (c) => c.json({ status: 'ok' as const }, 200, NOT_STORED))
    .openapi(getReadiness, async (c) => c.json(await check(), 200, NOT_STORED))
}

/** @throws CodedError with the state of each part, where reads cannot be answered */
async function checkReadiness(db: ProjectionDb, chain: Chain) {
  const [through, head] = await Promise.all([
    readSnapshot(db, async (snapshot) => snapshot.finalizedThrough).catch(toCodedError),
    readFinalizedHead(chain),
  ])
  if (through instanceof CodedError) throw explained(through, head)
  return presentReadiness(through, head)
}

/**
 * One run of the work for all who ask while it runs or, failed or not, within `ttlMs` of its start. No two runs overlap.
 *
 * @param clock milliseconds
 */
function shared<T>(work: () => Promise<T>, ttlMs: number, clock: Clock): () => Promise<T> {
  let latest: Promise<T> | undefined
  let startedAt = 0
  let isRunning = false
  return () => {
    // A clock that was set back says nothing about the age of the result.
    const isFresh = Math.abs(clock() - startedAt) < ttlMs
    if (latest && (isRunning || isFresh)) return latest
    startedAt = clock()
    isRunning = true
    latest = work().finally(() => {
      isRunning = false
    })
    return latest
  }
}

/** Number of the chain's finalized block; null when the chain does not say it in time. */
async function readFinalizedHead(chain: Chain): Promise<bigint | null> {
  const asked = pinFinalizedBlock(chain).then(
    ({ number }) => number,
    () => null,
  )
  return Promise.race([asked, pause(CHAIN_PATIENCE_MS, null, { ref: false })])
}

function presentReadiness(through: FinalizedThrough, head: bigint | null) {
  const { blockNumber } = through
  // A node may lag behind the one that the indexer asks.
  const ahead = head === null || head < blockNumber ? 0n : head - blockNumber
  return {
    status: 'ready' as const,
    finalizedThrough: presentFinalizedThrough(through),
    blocksBehind: head === null ? null : Number(ahead),
    database: 'answers',
    projection: `is complete through finalized block ${blockNumber}`,
    chain: head === null ? SILENT_CHAIN : `has finalized block ${head}, ${ahead} ahead of the projection`,
  }
}

const SILENT_CHAIN = 'does not answer: the projection is served as it is, balances are not'

/** The same error with the state of every part, for whoever is woken by it. */
function explained(error: CodedError, head: bigint | null): CodedError {
  if (error.code === 'INTERNAL') return error
  const isDatabaseGone = error.code === 'DATABASE_UNAVAILABLE'
  const facts = {
    database: isDatabaseGone ? 'does not answer' : 'answers',
    projection: isDatabaseGone ? 'is out of reach with the database' : 'has no complete index yet',
    chain: head === null ? SILENT_CHAIN : `has finalized block ${head}`,
  }
  return new CodedError(error.code, error.message, {
    facts,
    cause: error.cause,
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
  })
}
