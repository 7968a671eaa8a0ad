/** A route whose page was closed before reads showed it. It is kept with the session, for one wallet. */

import { GatewayError } from './errors.ts'
import { ended, readExecution, transactionOf } from './execution.ts'
import { followTransaction, type Transaction } from './follow.ts'
import { type PreparedRoute, type RunDeps, type RunOptions, runRoute } from './plan.ts'
import type { Hash } from './scalars.ts'
import type { SessionStorage } from './session.ts'
import type { RequestRecord } from './verify/prepared.ts'

/** `request` is what the answer is verified against; `hash` is there once the wallet has sent it. */
export type InterruptedRoute = { prepared: PreparedRoute; request: RequestRecord; hash?: Hash }

export type RouteMemory = {
  read: () => InterruptedRoute | undefined
  keep: (route: InterruptedRoute) => void
  /** Forgets the route, or only the one of this execution: a newer one stays. */
  forget: (executionId?: Hash) => void
}

export function createRouteMemory(storage: SessionStorage, key: string): RouteMemory {
  const read = () => readRoute(storage.getItem(key))
  return {
    read,
    keep: (route) => storage.setItem(key, JSON.stringify(route)),
    forget(executionId) {
      if (executionId === undefined || read()?.prepared.executionId === executionId) storage.removeItem(key)
    },
  }
}

/** Runs a route and keeps it until its outcome is known: reads show it, it failed, or the user declined. */
export async function runKept(
  deps: RunDeps,
  memory: RouteMemory,
  prepared: PreparedRoute,
  options?: RunOptions,
): Promise<Transaction> {
  return untilEnded(memory, prepared, DECLINED, () => signAndSend(deps, memory, prepared, options))
}

async function signAndSend(
  deps: RunDeps,
  memory: RouteMemory,
  prepared: PreparedRoute,
  options?: RunOptions,
): Promise<Transaction> {
  const request = deps.verifier.recordOf(prepared)
  memory.keep({ prepared, request })
  const onSent = (hash: Hash) => {
    if (memory.read()?.prepared.executionId === prepared.executionId) memory.keep({ prepared, request, hash })
    options?.onSent?.(hash)
  }
  return runRoute(deps, prepared, { ...options, onSent })
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
  deps: RunDeps & { now: () => number },
  memory: RouteMemory,
  options?: RunOptions,
): Promise<Resumed | undefined> {
  const kept = memory.read()
  if (!kept) return undefined
  const { prepared } = kept
  const isKept = () => memory.read()?.prepared.executionId === prepared.executionId
  try {
    const transaction = await untilEnded(memory, prepared, ENDED, () => finish(deps, memory, kept, options))
    return { transaction }
  } catch (error) {
    if (error instanceof GatewayError) return { error, isKept: isKept() }
    throw error
  }
}

async function finish(
  deps: RunDeps & { now: () => number },
  memory: RouteMemory,
  { prepared, request, hash: sent }: InterruptedRoute,
  options?: RunOptions,
): Promise<Transaction> {
  const { executionId, deadline } = prepared
  const execution = await readExecution(deps.rest, executionId, options?.signal)
  const hash = transactionOf(execution) ?? sent
  if (hash) return followTransaction(deps, hash, { ...options, executionId })
  // The gateway knows the status on chain for everyone, and before that for the wallet of the route alone.
  if (!execution && Date.parse(deadline) + CLOCK_MARGIN_MS < deps.now()) throw ended('EXPIRED')
  options?.signal?.throwIfAborted()
  deps.verifier.restore(prepared, request)
  return signAndSend(deps, memory, prepared, options)
}

/** This machine's clock may be ahead of the chain's. */
const CLOCK_MARGIN_MS = 300_000

/** Forgets the route when it has run, and when it fails with one of `final`. */
async function untilEnded(
  memory: RouteMemory,
  { executionId }: PreparedRoute,
  final: ReadonlySet<GatewayError['code']>,
  run: () => Promise<Transaction>,
): Promise<Transaction> {
  try {
    const transaction = await run()
    memory.forget(executionId)
    return transaction
  } catch (error) {
    if (error instanceof GatewayError && final.has(error.code)) memory.forget(executionId)
    throw error
  }
}

const ENDED: ReadonlySet<GatewayError['code']> = new Set([
  'TRANSACTION_REVERTED',
  'ROUTE_ENDED',
  'ANSWER_MISMATCH',
])

/** A user who declines a second prompt may have confirmed the first one. */
const DECLINED: ReadonlySet<GatewayError['code']> = new Set([...ENDED, 'USER_REJECTED'])

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
  const { prepared, request }: { prepared?: unknown; request?: unknown } = Object(value)
  return typeof Object(prepared).executionId === 'string' && typeof request === 'object' && request !== null
}
