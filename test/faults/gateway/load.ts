/** Clients that keep their connections and pause between their requests, and a count of what they get. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { GRAPHQL_PATH } from '../../../api/graphql/serve/endpoint.ts'
import type { Dice } from '../../support/dice.ts'

/** Answers, those that announced the end of their connection, and what a request got instead of its answer. */
export type Tally = { answers: number; announced: number; faults: string[] }

/** `connected` is the number of clients whose last answer came over a connection that stays open. */
export type Load = { tally: Tally; connected: () => number; stop: () => Promise<void> }

/**
 * The pause of a client between two requests is drawn up to this, milliseconds: some connections are busy and some are
 * idle.
 */
const PAUSE_MAX_MS = 200

type LoadRequest = { method: 'GET' | 'POST'; path: string; body: string | undefined; answer: string }

/** A method that proxies repeat, and one that they do not repeat once it was sent. */
const REQUESTS: readonly [LoadRequest, ...LoadRequest[]] = [
  { method: 'GET', path: '/api/v1/health', body: undefined, answer: '{"status":"ok"}' },
  { method: 'POST', path: GRAPHQL_PATH, body: '{"query":"{ __typename }"}', answer: '"__typename":"Query"' },
]

/** @param urls the servers, in the order in which a client goes to the next one when its connection is closed */
export function startLoad(urls: readonly string[], clients: number, dice: Dice): Load {
  const tally: Tally = { answers: 0, announced: 0, faults: [] }
  const stopping = new AbortController()
  const connected = new Set<number>()
  const countConnected = (client: number) => (isConnected: boolean) =>
    isConnected ? connected.add(client) : connected.delete(client)
  const running = Array.from({ length: clients }, (_, client) =>
    runClient(urls, tally, countConnected(client), dice, stopping.signal),
  )
  return {
    tally,
    connected: () => connected.size,
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

async function runClient(
  urls: readonly string[],
  tally: Tally,
  setConnected: (isConnected: boolean) => void,
  dice: Dice,
  signal: AbortSignal,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let server = 0; !signal.aborted; ) {
    const outcome = await askOnce(urls[server % urls.length] ?? '', agent, dice)
    const staysOpen = 'isLast' in outcome && !outcome.isLast
    setConnected(staysOpen)
    if ('fault' in outcome) tally.faults.push(outcome.fault)
    else tally.answers++
    if (!staysOpen) server++
    if ('isLast' in outcome && outcome.isLast) tally.announced++
    await pause(dice.between(0, PAUSE_MAX_MS))
  }
  agent.destroy()
}

async function askOnce(url: string, agent: Agent, dice: Dice) {
  const { method, path, body, answer } = dice.pick(REQUESTS)
  try {
    const response = await send(url + path, { method, agent }, body)
    const received = await text(response)
    const isRight = response.statusCode === 200 && received.includes(answer)
    if (!isRight) return { fault: `${method} ${response.statusCode} ${received.slice(0, 100)}` }
    return { isLast: response.headers.connection === 'close' }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    return { fault: `${method} ${code}` }
  }
}

function send(url: string, options: { method: string; agent: Agent }, body?: string) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { ...(body && { 'Content-Type': 'application/json' }) }
    request(url, { ...options, headers }, resolve)
      .once('error', reject)
      .end(body)
  })
}
