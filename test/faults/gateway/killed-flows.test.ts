/**
 * Routes from their optimization to their execution over three gateways that are killed at random and started again.
 * `FAULTS_FLOWS` sets the number of routes. Database and chain are compared with all answers afterwards.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { financingRouterAbi } from '../../../abis/FinancingRouter.ts'
import { freePort } from '../../support/anvil.ts'
import { kill, type Replica } from '../../support/replica.ts'
import * as routes from '../../support/routes.ts'
import * as act from '../../support/scenario.ts'
import { catchUp } from '../indexer/progress.ts'
import { type FaultWorld, registerClaimOf, startFaultWorld, type Wallet } from './fault-world.ts'
import { type Client, type PreparedRecord, untilAnswered } from './mixed-load.ts'
import { createAsk, LEAST_TARGET, optimizeOnce, prepareOnce } from './operations.ts'
import { count, createTally, describeTally } from './outcomes.ts'
import { lostRoutes, stepsBack, watchIntents } from './store-witness.ts'

const FLOWS = Number(process.env.FAULTS_FLOWS ?? 60)
const CLIENTS = 6
/** `MAX_SLICES_PER_CLAIM` of the contracts. */
const ROUTES_PER_CLAIM = 8
/** The pause between a start and the next kill is drawn up to this, milliseconds. */
const BETWEEN_KILLS_MS = 1000

/** The database has no fault here. */
const PATIENT = { DATABASE_TIMEOUT_MS: '600000', READ_TIMEOUT_MS: '600000' }

let the: FaultWorld
let ports: number[] = []
const gateways = new Map<number, Replica>()
const clients: Client[] = []
const tally = createTally()
let kills = 0

beforeAll(async () => {
  the = await startFaultWorld(CLIENTS)
  ports = [await freePort(), await freePort(), await freePort()]
  for (const port of ports) gateways.set(port, await the.start(PATIENT, port))
  await watchIntents(the.postgres)
  for (const wallet of the.wallets)
    clients.push({ wallet, token: await routes.tokenOf({ app: any(), clock: { skewMs: 0 } }, wallet) })
})
afterAll(() => the?.stop())

/** Also one that is dead: a client does not know. */
const any = () => {
  const gateway = gateways.get(the.dice.pick([ports[0] ?? 0, ...ports.slice(1)]))
  if (!gateway) throw new Error('there are gateways')
  return gateway
}

const ask = createAsk(any, (name, outcome) => count(tally, name, outcome))

/** Kills one gateway after the other, and starts each again on its port, until `isOver`. */
async function killAtRandom(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await pause(the.dice.between(0, BETWEEN_KILLS_MS))
    const port = ports[the.dice.between(0, ports.length - 1)] ?? 0
    const victim = gateways.get(port)
    if (victim) await kill(victim)
    kills++
    gateways.set(port, await the.start(PATIENT, port))
  }
}

/** One transaction after the other, whichever client sends it. */
function createOrder() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}
const inOrder = createOrder()

type Executed = PreparedRecord & { nonce: bigint }

/** One route of a wallet: two callers with different keys prepare it at the same time, and one of them gets it. */
async function flow({ wallet, token }: Client, target: bigint): Promise<Executed> {
  const routeId = await untilAnswered(() => optimizeOnce(ask, wallet, token, target))
  const both = await Promise.all([
    untilWonOrLost(token, routeId, 'first'),
    untilWonOrLost(token, routeId, 'second'),
  ])
  const [won, ...more] = both.flatMap((one) => (one === 'lost' ? [] : [one]))
  if (!won || more.length > 0) throw new Error(`${both.length - more.length} callers prepared ${routeId}`)
  const again = await untilAnswered(() => prepareOnce(ask, token, routeId, won.key))
  expect(again.text).toBe(won.text)
  const prepared = routes.readPrepared(won.text)
  const { executionId } = await inOrder(() =>
    routes.signAndSubmit(the.world, wallet, prepared, the.world.parties.relayer),
  )
  expect(executionId).toBe(won.executionId)
  return { wallet, routeId, executionId, text: won.text, nonce: prepared.typedData.message.nonce }
}

const TAKEN = '"code":"ROUTE_INTENT_UNAVAILABLE"'

/** Prepares until this caller has the route, or another one has. */
async function untilWonOrLost(token: string, routeId: Hex, key: string) {
  let isTaken = false
  const contend = createAsk(any, (_, outcome) => {
    isTaken = outcome.is === 'wrong' && outcome.what.includes(TAKEN)
    if (isTaken) count(tally, 'refused for the other caller', { is: 'right' })
    else count(tally, 'prepare', outcome)
  })
  return untilAnswered(async () => {
    const answer = await prepareOnce(contend, token, routeId, key).catch((error: unknown) => {
      if (!isTaken) throw error
      return undefined
    })
    return isTaken ? ('lost' as const) : answer && { ...answer, key }
  })
}

async function runClient(client: Client, flows: number): Promise<Executed[]> {
  const executed: Executed[] = []
  let { wallet } = client
  for (let i = 0; i < flows; i++) {
    if (i > 0 && i % ROUTES_PER_CLAIM === 0) wallet = await inOrder(() => withNewClaim(wallet))
    executed.push(await flow({ ...client, wallet }, LEAST_TARGET + BigInt(i)))
  }
  return executed
}

async function withNewClaim(wallet: Wallet): Promise<Wallet> {
  const claimId = await registerClaimOf(the.world, wallet.address)
  await act.finalize(the.world)
  return { ...wallet, claimId }
}

let executed: Executed[] = []

it(`${FLOWS} routes over three gateways that are killed at random are each executed once`, async () => {
  let isOver = false
  const began = performance.now()
  const killing = killAtRandom(() => isOver)
  const each = Math.ceil(FLOWS / CLIENTS)
  const flows = Promise.all(clients.map((client) => runClient(client, each)))
  executed = (
    await flows.finally(() => {
      isOver = true
    })
  ).flat()
  await killing
  const seconds = (performance.now() - began) / 1000
  console.log(
    `${executed.length} routes, ${kills} kills, ${seconds.toFixed(0)} s (${(executed.length / seconds).toFixed(1)} routes per second): ${describeTally(tally)}`,
  )
  expect(tally.wrong).toEqual([])
})

it('the database holds each answered route once, and no intent was opened again', async () => {
  expect(await lostRoutes(the.postgres, executed)).toEqual([])
  expect(await stepsBack(the.postgres)).toBe(0)
  // The witness sees such a step.
  await the.postgres.run(`update gateway.route_intent
    set status = 'PENDING', consumed_at = null, idempotency_key = null, is_answered = false where status = 'CONSUMED'`)
  expect(await stepsBack(the.postgres)).toBeGreaterThan(0)
})

it('the chain executed each route once, and no nonce was prepared for two routes that it executed', async () => {
  const { chain, protocol } = the.world
  const events = await chain.getContractEvents({
    address: protocol.financingRouter,
    abi: financingRouterAbi,
    eventName: 'Executed',
    fromBlock: 0n,
  })
  const onChain = events.map(({ args }) => args.executionId).toSorted()
  expect(onChain).toEqual(executed.map(({ executionId }) => executionId).toSorted())
  for (const { address } of the.wallets) {
    const nonces = executed.filter(({ wallet }) => wallet.address === address).map(({ nonce }) => nonce)
    expect(nonces).toEqual(nonces.map((_, i) => BigInt(i)))
    expect(await act.nonceOf(the.world, address)).toBe(BigInt(nonces.length))
  }
})

it('each execution can be read afterwards', async () => {
  await catchUp(the.world, the.postgres.pool)
  for (const { executionId } of executed) {
    const response = await any().request(`/api/v1/executions/${executionId}`)
    expect(await response.json()).toMatchObject({ executionId, status: 'EXECUTED' })
  }
})
