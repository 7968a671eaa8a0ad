/**
 * Clients that read, sign in, optimize and prepare until they are stopped. Each has a wallet of its own, and goes on
 * with a route until it has its answer.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Dice } from '../../support/dice.ts'
import type { Requestable } from '../../support/sign-in.ts'
import type { Wallet } from './fault-world.ts'
import {
  type Ask,
  createAsk,
  LEAST_TARGET,
  optimizeOnce,
  prepareOnce,
  readsOf,
  signInOnce,
  WrongAnswer,
} from './operations.ts'
import { type Answer, count, createTally, type Tally } from './outcomes.ts'

/** Whether the answer to a read is right. */
export type CheckRead = (read: string, wallet: Wallet, answer: Answer, minBlock?: bigint) => boolean

export type PreparedRecord = { wallet: Wallet; routeId: Hex; executionId: Hex; text: string }

export type Client = { wallet: Wallet; token: string }

/** The pause of a client between two requests is drawn up to this, milliseconds. */
const PAUSE_MAX_MS = 40

type LoadOptions = {
  clients: readonly Client[]
  /** Chooses the gateway of one request. */
  gateway: () => Requestable
  checkRead: CheckRead
  /** The `X-Min-Block` of a read, where it has one. */
  minBlock?: () => bigint | undefined
  dice: Dice
}

/** Counts into the tally of the moment; `swap` begins another one. */
export function startMixedLoad(options: LoadOptions) {
  let tally = createTally()
  const prepared: PreparedRecord[] = []
  const stopping = new AbortController()
  const ask = createAsk(options.gateway, (name, outcome) => count(tally, name, outcome))
  const running = Promise.all(
    options.clients.map(async (client) => {
      while (!stopping.signal.aborted) {
        await actOnce({ ...options, ask }, client, prepared).catch(ignoreCounted)
        await pause(options.dice.between(0, PAUSE_MAX_MS))
      }
    }),
  )
  return {
    tally: () => tally,
    /** @returns the tally until now */
    swap: (): Tally => {
      const before = tally
      tally = createTally()
      return before
    },
    /** Every route whose preparation was answered. */
    prepared,
    /** Resolves once each client has ended what it began. */
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

export type MixedLoad = ReturnType<typeof startMixedLoad>

function ignoreCounted(error: unknown): void {
  if (!(error instanceof WrongAnswer)) throw error
}

async function actOnce(load: LoadOptions & { ask: Ask }, client: Client, prepared: PreparedRecord[]) {
  const share = load.dice.unit()
  if (share < 0.6) await readOnce(load, client.wallet)
  else if (share < 0.75) await signInOnce(load.ask, client.wallet)
  else prepared.push(await prepareRoute(load.ask, client, load.dice))
}

async function readOnce({ ask, dice, checkRead, minBlock }: LoadOptions & { ask: Ask }, wallet: Wallet) {
  const reads = Object.entries(readsOf(wallet))
  const [name, request] = reads[dice.between(0, reads.length - 1)] ?? []
  if (name === undefined || request === undefined) throw new Error('there is a read')
  const least = minBlock?.()
  const init: RequestInit = 'init' in request ? request.init : {}
  const headers = { ...init.headers, ...(least !== undefined && { 'X-Min-Block': `${least}` }) }
  await ask(name, { path: request.path, init: { ...init, headers } }, (answer) =>
    checkRead(name, wallet, answer, least),
  )
}

/**
 * Optimizes and prepares, each until it is answered. Everything else than a right answer or a refusal that announces
 * itself is counted as wrong.
 */
export async function prepareRoute(ask: Ask, { wallet, token }: Client, dice: Dice): Promise<PreparedRecord> {
  const target = LEAST_TARGET + BigInt(dice.between(0, 2 ** 30))
  const routeId = await untilAnswered(() => optimizeOnce(ask, wallet, token, target))
  const { text, executionId } = await untilAnswered(() => prepareOnce(ask, token, routeId, routeId))
  return { wallet, routeId, executionId, text }
}

/** Milliseconds between two attempts. */
const RETRY_MS = 100

/** More attempts than any fault takes. */
const ATTEMPTS_MAX = 5000

export async function untilAnswered<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
    const answered = await attempt()
    if (answered !== undefined) return answered
    await pause(RETRY_MS)
  }
  throw new Error('a request was never answered')
}
