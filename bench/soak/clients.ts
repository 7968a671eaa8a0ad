/**
 * The clients of the soak. Each repeats one thing until it is stopped; what fails is recorded, never repeated silently.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createPublicClient, http } from 'viem'
import { actorOf } from '../../demo/accounts.ts'
import { runFlow } from '../../demo/flow.ts'
import { graphql } from '../../packages/client/src/index.ts'
import type { Dice } from '../../test/support/dice.ts'
import type { Endpoints } from '../dev-system.ts'
import { reads } from './reads.ts'

/** Actions of clients by kind, and their faults. */
export type Tally = { done: Map<string, number>; faults: string[] }

export type Around = { endpoints: Endpoints; tally: Tally; dice: Dice; signal: AbortSignal }

/** Milliseconds. */
const PAUSE = { reader: 100, optimizer: 2000, exporter: 5000, visitor: 1000 } as const
const SUBSCRIBED_MAX_MS = 20_000

const CLIENTS: readonly [
  kind: string,
  many: number,
  act: (around: Around) => Promise<void>,
  pauseMs: number,
][] = [
  ['read', 6, read, PAUSE.reader],
  ['subscription', 8, subscribe, PAUSE.visitor],
  ['export', 1, exportRows, PAUSE.exporter],
  ['sign-in and optimize', 2, optimize, PAUSE.optimizer],
  ['invoice to settlement', 1, flow, PAUSE.visitor],
]

/** @returns when all clients have stopped, which they do when the signal is aborted and their action has ended */
export async function runClients(around: Around): Promise<void> {
  await Promise.all(
    CLIENTS.flatMap(([kind, many, act, pauseMs]) =>
      Array.from({ length: many }, () => repeat(kind, act, pauseMs, around)),
    ),
  )
}

async function repeat(
  kind: string,
  act: (around: Around) => Promise<void>,
  pauseMs: number,
  around: Around,
): Promise<void> {
  const { tally, dice, signal } = around
  while (!signal.aborted) {
    try {
      await act(around)
      tally.done.set(kind, (tally.done.get(kind) ?? 0) + 1)
    } catch (error) {
      if (!signal.aborted) tally.faults.push(`${kind}: ${describe(error)}`)
    }
    await pause(dice.between(0, 2 * pauseMs), undefined, { signal }).catch(() => {})
  }
}

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? `${error.code} ` : ''
  return `${code}${error instanceof Error ? error.message : error}`
}

async function read({ endpoints, dice }: Around): Promise<void> {
  const { path, body } = dice.pick(reads)
  const url = endpoints.gatewayUrl + path
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(
    url,
    body
      ? { method: 'POST', headers, body: JSON.stringify({ query: body.query, variables: body.variables }) }
      : {},
  )
  const text = await response.text()
  if (!response.ok || /^\{"errors"/.test(text))
    throw new Error(`${path} ${response.status} ${text.slice(0, 200)}`)
}

const BLOCKS = graphql(`
  subscription {
    finalizedBlock { blockNumber }
  }
`)

/** Leaves after a while, in the middle of the stream. */
async function subscribe({ endpoints, dice, signal }: Around): Promise<void> {
  const { gateway } = actorOf(endpoints, 'wallet-2')
  const leaving = AbortSignal.any([signal, AbortSignal.timeout(dice.between(500, SUBSCRIBED_MAX_MS))])
  let last = 0
  try {
    for await (const { finalizedBlock } of gateway.subscribe(BLOCKS, {}, { signal: leaving })) {
      const block = finalizedBlock?.blockNumber ?? last
      if (block < last) throw new Error(`block ${block} after block ${last}`)
      last = block
    }
  } catch (error) {
    if (!leaving.aborted) throw error
  }
  if (!leaving.aborted) throw new Error('the stream ended')
}

/** Every third client leaves before the end. */
async function exportRows({ endpoints, dice }: Around): Promise<void> {
  const list = dice.pick(['claims', 'activity'])
  const response = await fetch(
    `${endpoints.gatewayUrl}/api/v1/exports/${list}.${dice.pick(['csv', 'parquet'])}`,
  )
  if (!response.ok) throw new Error(`export of ${list}: ${response.status} ${await response.text()}`)
  if (dice.between(0, 2) === 0) return response.body?.cancel()
  await response.arrayBuffer()
}

const OWNED = graphql(`
  query Owned($address: Address!) {
    account(address: $address) {
      claims(first: 12, filter: { financeable: true }) { nodes { claimId tokenInfo { address } } }
    }
  }
`)

/**
 * Signs in anew each time, plans a route over claims of the wallet, and prepares every other one without sending it.
 */
async function optimize({ endpoints, dice }: Around): Promise<void> {
  const { gateway, address } = actorOf(endpoints, dice.pick(['wallet-2', 'wallet-3']))
  await gateway.signIn({ statement: 'Sign in for the soak.' })
  const { account } = await gateway.ask(OWNED, { address })
  const claims = account?.claims.nodes ?? []
  const token = claims[0]?.tokenInfo.address
  const claimIds = claims.filter((claim) => claim.tokenInfo.address === token).map(({ claimId }) => claimId)
  if (claimIds.length > 0) {
    const targetAdvance = `${BigInt(dice.between(1, 1000)) * 1_000_000n}` as const
    const { routeId, result } = await gateway.post('/api/v1/routes/optimize', {
      body: { claimIds: claimIds.slice(0, dice.between(1, claimIds.length)), targetAdvance },
    })
    if (routeId !== null && result.executable && dice.between(0, 1) === 0)
      await gateway.post('/api/v1/routes/{routeId}/prepare-execution', {
        params: { path: { routeId }, header: { 'idempotency-key': randomUUID() } },
      })
  }
  await gateway.signOut()
}

/**
 * From an invoice to its settlement, with real transactions; it takes two minutes and ends early when the soak does.
 */
async function flow({ endpoints, signal }: Around): Promise<void> {
  const chain = createPublicClient({ transport: http(endpoints.rpcUrl) })
  const timeOf = async (blockTag: 'latest' | 'finalized') =>
    Number((await chain.getBlock({ blockTag })).timestamp)
  const chainTime = () => timeOf('latest')
  // The gateway takes the later time of its clock and the finalized block, and the chain can be ahead of the clock.
  const until = async (time: number) => {
    while ((await timeOf('finalized')) < time) await pause(1000, undefined, { signal })
  }
  const silent = () => {}
  const report = { step: silent, sent: silent, got: silent, table: silent, print: silent }
  await runFlow({ ...endpoints, report, chainTime, until })
}
