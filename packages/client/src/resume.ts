/** A route whose page was closed before reads showed it. It is kept with the session, for one wallet. */

import { GatewayError } from './errors.ts'
import { ended, readExecution, transactionOf } from './execution.ts'
import { followTransaction, type Transaction } from './follow.ts'
import { type Hands, type PreparedRoute, type RunOptions, runRoute } from './plan.ts'
import type { Hash } from './scalars.ts'
import type { SessionStorage } from './session.ts'
import type { Asked } from './verify/prepared.ts'

/** `asked` is what the route is verified against; `hash` is there once the wallet has sent it. */
export type InterruptedRoute = { prepared: PreparedRoute; asked: Asked; hash?: Hash }

export type RouteMemory = {
  read: () => InterruptedRoute | undefined
  keep: (route: InterruptedRoute) => void
  forget: () => void
}

export function createRouteMemory(storage: SessionStorage, key: string): RouteMemory {
  return {
    read: () => readRoute(storage.getItem(key)),
    keep: (route) => storage.setItem(key, JSON.stringify(route)),
    forget: () => storage.removeItem(key),
  }
}

/** Runs a route and keeps it until its outcome is known: reads show it, it failed, or the user declined. */
export async function runKept(
  hands: Hands,
  memory: RouteMemory,
  prepared: PreparedRoute,
  options?: RunOptions,
): Promise<Transaction> {
  const asked = hands.verifier.askedFor(prepared)
  memory.keep({ prepared, asked })
  const onHash = (hash: Hash) => memory.keep({ prepared, asked, hash })
  return untilKnown(memory, runRoute(hands, prepared, { ...options, onHash }))
}

/** How the kept route ended; or why it did not, and whether it is still kept for a later try. */
export type Resumed = { transaction: Transaction } | { error: GatewayError; isKept: boolean }

/**
 * Continues the kept route: follows its transaction, or signs and sends it if there is none. If it was sent and the
 * page closed before the wallet answered, the gateway finds its transaction; the router executes one of two
 * transactions of a route. A route that has ended is forgotten.
 *
 * @throws the reason of `options.signal`
 */
export async function resumeRoute(
  hands: Hands & { now: () => number },
  memory: RouteMemory,
  options?: RunOptions,
): Promise<Resumed | undefined> {
  const kept = memory.read()
  if (!kept) return undefined
  try {
    return { transaction: await finish(hands, memory, kept, options) }
  } catch (error) {
    if (error instanceof GatewayError) return { error, isKept: memory.read() !== undefined }
    throw error
  }
}

async function finish(
  hands: Hands & { now: () => number },
  memory: RouteMemory,
  { prepared, asked, hash: sent }: InterruptedRoute,
  options?: RunOptions,
): Promise<Transaction> {
  const { executionId } = prepared
  const executed = await forgetIfEnded(memory, executedBy(hands, prepared))
  const hash = executed ?? sent
  if (hash) return untilKnown(memory, followTransaction(hands, hash, { ...options, executionId }))
  hands.verifier.restore(prepared, asked)
  return runKept(hands, memory, prepared, options)
}

/** The gateway knows the status on chain for everyone, and before that for the wallet of the route alone. */
async function executedBy(
  { rest, now }: Hands & { now: () => number },
  { executionId, deadline }: PreparedRoute,
): Promise<Hash | undefined> {
  const execution = await readExecution(rest, executionId)
  if (!execution && Date.parse(deadline) < now()) throw ended('EXPIRED')
  return transactionOf(execution)
}

async function untilKnown(memory: RouteMemory, run: Promise<Transaction>): Promise<Transaction> {
  const transaction = await forgetIfEnded(memory, run)
  memory.forget()
  return transaction
}

async function forgetIfEnded<Result>(memory: RouteMemory, run: Promise<Result>): Promise<Result> {
  try {
    return await run
  } catch (error) {
    if (error instanceof GatewayError && ENDED.has(error.code)) memory.forget()
    throw error
  }
}

const ENDED: ReadonlySet<GatewayError['code']> = new Set([
  'USER_REJECTED',
  'TRANSACTION_REVERTED',
  'ROUTE_ENDED',
  'ANSWER_MISMATCH',
])

function readRoute(text: string | null): InterruptedRoute | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? 'null')
    return isRoute(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Only this client writes the entry. */
function isRoute(value: unknown): value is InterruptedRoute {
  return typeof value === 'object' && value !== null && 'prepared' in value && 'asked' in value
}
