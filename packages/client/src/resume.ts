/** A route whose page was closed before reads showed it. It is kept with the session, for one wallet. */

import { GatewayError } from './errors.ts'
import { followTransaction, type Transaction } from './follow.ts'
import type { Ask } from './graphql.ts'
import { graphql } from './graphql.ts'
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

/**
 * Continues the kept route: follows its transaction, or signs and sends it if there is none. If it was sent and the
 * page closed before the wallet answered, the gateway finds its transaction once it is mined; the router executes one
 * of two transactions of a route.
 */
export async function resumeRoute(
  hands: Hands & { ask: Ask },
  memory: RouteMemory,
  options?: RunOptions,
): Promise<Transaction | undefined> {
  const kept = memory.read()
  if (!kept) return undefined
  const hash = kept.hash ?? (await executedIn(hands.ask, kept.prepared.executionId))
  if (hash) return untilKnown(memory, followTransaction(hands, hash, options))
  hands.verifier.restore(kept.prepared, kept.asked)
  return runKept(hands, memory, kept.prepared, options)
}

const EXECUTION = graphql('query ($id: Hash!) { execution(executionId: $id) { transactionHash } }')

async function executedIn(ask: Ask, id: Hash): Promise<Hash | undefined> {
  const { execution } = await ask(EXECUTION, { id })
  return execution?.transactionHash ?? undefined
}

async function untilKnown(memory: RouteMemory, run: Promise<Transaction>): Promise<Transaction> {
  try {
    const transaction = await run
    memory.forget()
    return transaction
  } catch (error) {
    if (error instanceof GatewayError && ENDED.has(error.code)) memory.forget()
    throw error
  }
}

const ENDED: ReadonlySet<GatewayError['code']> = new Set([
  'USER_REJECTED',
  'TRANSACTION_REVERTED',
  'ANSWER_MISMATCH',
])

function readRoute(text: string | null): InterruptedRoute | undefined {
  const kept: unknown = JSON.parse(text ?? 'null')
  return isRoute(kept) ? kept : undefined
}

/** Only this client writes the entry. */
function isRoute(value: unknown): value is InterruptedRoute {
  return typeof value === 'object' && value !== null && 'prepared' in value && 'asked' in value
}
