/**
 * Three gateways behind nginx, a primary and a streaming replica that they read from. Each part is stopped, killed or
 * paused in turn under load while the chain goes on: no answer is wrong, none is of an earlier block than
 * `X-Min-Block`, and no answered route is lost.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { freePort } from '../../support/anvil.ts'
import { startNginx } from '../../support/nginx.ts'
import { signalAll } from '../../support/processes.ts'
import { kill, type Replica } from '../../support/replica.ts'
import * as routes from '../../support/routes.ts'
import * as act from '../../support/scenario.ts'
import type { Requestable } from '../../support/sign-in.ts'
import { catchUp } from '../indexer/progress.ts'
import { type FaultWorld, startFaultWorld } from './fault-world.ts'
import { type Client, type MixedLoad, startMixedLoad } from './mixed-load.ts'
import { type Answer, describeTally, parseJson, sumOf } from './outcomes.ts'
import { type Standby, startStandby } from './standby-postgres.ts'
import { lostRoutes, stepsBack, watchIntents } from './store-witness.ts'

const CLIENTS = 8
/** Requests that are answered or refused while each fault lasts. */
const MET = 60

let the: FaultWorld
let standby: Standby
let nginx: Awaited<ReturnType<typeof startNginx>>
let load: MixedLoad
let ports: number[] = []
const gateways = new Map<number, Replica>()

/** The assets of the vault from a block on, oldest first. */
const assets: { block: bigint; total: bigint }[] = []
/** The text of each read at each block. */
const texts = new Map<string, string>()
/** The last block that changed something and is final. */
let newest = 0n

beforeAll(async () => {
  the = await startFaultWorld(CLIENTS)
  standby = await startStandby(the.postgres.server())
  ports = [await freePort(), await freePort(), await freePort()]
  for (const port of ports) await start(port)
  nginx = await startNginx(ports, { readTimeoutSeconds: 2 })
  await watchIntents(the.postgres)
  await change()
  const balanced: Requestable = { request: (path, init) => fetch(nginx.url + path, init) }
  const clients: Client[] = []
  for (const wallet of the.wallets)
    clients.push({ wallet, token: await routes.tokenOf({ app: balanced, clock: { skewMs: 0 } }, wallet) })
  load = startMixedLoad({
    clients,
    gateway: () => balanced,
    checkRead: (read, wallet, answer, minBlock) => isRight(`${read} ${wallet.address}`, answer, minBlock),
    minBlock: () => (the.dice.chance(0.3) ? newest : undefined),
    dice: the.dice,
  })
})
afterAll(async () => {
  await load?.stop()
  await nginx?.stop()
  await standby?.remove()
  await the?.stop()
})

async function start(port: number): Promise<void> {
  const env = { READ_DATABASE_URLS: standby.urlOf(the.postgres.urls.gateway) }
  gateways.set(port, await the.start(env, port))
}

/** Deposits, so that the vault has other assets from this block on, and waits until the projection has it. */
async function change(): Promise<void> {
  const { provider } = the.world.parties
  const { blockNumber } = await act.deposit(the.world, { provider, vault: the.vault, assets: 1n })
  const { totalAssets } = await act.vaultCapital(the.world, the.vault)
  assets.push({ block: blockNumber, total: totalAssets })
  await catchUp(the.world, the.postgres.pool)
  newest = blockNumber
}

const block = z.object({ finalizedThrough: z.object({ blockNumber: z.number().transform(BigInt) }) })
const graphql = z.object({ extensions: block })
const vaults = z.object({
  items: z.array(z.object({ capital: z.object({ totalAssets: z.string() }) })).length(1),
})

/** An answer names its block, has the assets of that block, and is the same as each other answer of that block. */
function isRight(read: string, { text }: Answer, minBlock = 0n): boolean {
  const body = parseJson(text)
  const at = block.safeParse(body).data ?? graphql.safeParse(body).data?.extensions
  if (!at) return false
  const { blockNumber } = at.finalizedThrough
  if (blockNumber < minBlock) return false
  const expected = assets.findLast((each) => each.block <= blockNumber)?.total
  const found = vaults.safeParse(body).data?.items[0]?.capital.totalAssets
  if (found !== undefined && expected !== undefined && found !== `${expected}`) return false
  const key = `${read} ${blockNumber}`
  const before = texts.get(key) ?? text
  texts.set(key, before)
  return before === text
}

const gatewayAt = (index: number) => {
  const port = ports[index] ?? 0
  const gateway = gateways.get(port)
  if (!gateway) throw new Error('there are three gateways')
  return { port, gateway }
}

type Fault = { name: string; begin: () => Promise<unknown>; end: () => Promise<unknown> }

const faultsOfGateway = (index: number): Fault[] => [
  {
    name: `gateway ${index + 1} stopped`,
    begin: () => gatewayAt(index).gateway.process.stop(),
    end: () => start(gatewayAt(index).port),
  },
  {
    name: `gateway ${index + 1} killed`,
    begin: () => kill(gatewayAt(index).gateway),
    end: () => start(gatewayAt(index).port),
  },
  {
    name: `gateway ${index + 1} paused`,
    begin: async () => process.kill(gatewayAt(index).gateway.process.pid, 'SIGSTOP'),
    end: async () => process.kill(gatewayAt(index).gateway.process.pid, 'SIGCONT'),
  },
]

const FAULTS: readonly Fault[] = [
  ...[0, 1, 2].flatMap(faultsOfGateway),
  { name: 'replica stopped', begin: () => standby.stop(), end: () => standby.start() },
  { name: 'replica paused', begin: () => standby.freeze(), end: () => standby.thaw() },
  {
    name: 'replay of the replica paused',
    begin: () => standby.replay('pause'),
    end: () => standby.replay('resume'),
  },
  { name: 'primary restarted', begin: () => the.postgres.stop(), end: () => the.postgres.start() },
  {
    name: 'primary paused',
    begin: () => the.postgres.freeze(),
    end: () => signalAll(the.postgres.server().pid, 'SIGCONT'),
  },
]

it.each(FAULTS.map(({ name }, index) => ({ name, index })))('$name: no wrong answer', async ({ index }) => {
  const fault = FAULTS[index]
  if (!fault) throw new Error('no such fault')
  await fault.begin()
  load.swap()
  const met = () => sumOf(load.tally().right) + sumOf(load.tally().refused)
  // The chain goes on, where the projection can.
  if (!fault.name.startsWith('primary')) await change()
  await expect.poll(met).toBeGreaterThanOrEqual(MET)
  const during = load.swap()
  const ended = performance.now()
  const ending = fault.end()
  await expect.poll(() => sumOf(load.tally().right), { interval: 10 }).toBeGreaterThan(0)
  const recovered = performance.now() - ended
  await ending
  await change()
  await expect.poll(met).toBeGreaterThanOrEqual(MET)
  const after = load.swap()
  console.log(
    `${fault.name} | during: ${describeTally(during)} | first right answer ${Math.round(recovered)} ms after its end | then: ${describeTally(after)}`,
  )
  expect([...during.wrong, ...after.wrong]).toEqual([])
})

it('no answered route is lost, and no intent was opened again', async () => {
  await load.stop()
  expect(load.prepared.length).toBeGreaterThan(CLIENTS)
  expect(await lostRoutes(the.postgres, load.prepared)).toEqual([])
  expect(await stepsBack(the.postgres)).toBe(0)
  console.log(`${load.prepared.length} routes were prepared, ${texts.size} answers compared by block`)
})
