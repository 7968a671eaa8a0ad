/**
 * Faults of the one Postgres of two gateways under load: each answer is right or a coded 503, and no gateway has to be
 * started again.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProxy } from '../../support/proxy.ts'
import type { Replica } from '../../support/replica.ts'
import * as routes from '../../support/routes.ts'
import { CONNECTIONS, createSmallDisk, databaseFaults } from './database-faults.ts'
import { type FaultWorld, startFaultWorld, type Wallet } from './fault-world.ts'
import { type Client, type MixedLoad, startMixedLoad } from './mixed-load.ts'
import { createAsk, LEAST_TARGET, optimizeOnce, readsOf, signInOnce } from './operations.ts'
import { describeTally, sumOf } from './outcomes.ts'
import { lostRoutes, stepsBack, watchIntents } from './store-witness.ts'

const CLIENTS = 8
/** Requests that are answered or refused while each fault lasts. */
const MET = 40
/** Connections of the pool, of control and of the watch (docs/operations.md). */
const CONNECTIONS_OF_A_GATEWAY = 10 + 2 + 1

const isRoot = process.getuid?.() === 0

let the: FaultWorld
let line: Awaited<ReturnType<typeof startProxy>>
let gateways: Replica[] = []
let clients: Client[] = []
/** Its routes are of no other client: an optimization deletes the used routes of its wallet. */
let prober: Client
let load: MixedLoad
const references = new Map<string, string>()
const disk = createSmallDisk()

beforeAll(async () => {
  const settings = [`max_connections=${CONNECTIONS}`]
  the = await startFaultWorld(CLIENTS + 1, { settings, ...(isRoot && { disk: disk.mount }) })
  await the.indexer.stop()
  line = await startProxy(new URL(the.postgres.urls.gateway))
  const through = new URL(the.postgres.urls.gateway)
  through.port = new URL(line.url).port
  gateways = await Promise.all([
    the.start({ DATABASE_URL: through.href }),
    the.start({ DATABASE_URL: through.href }),
  ])
  await watchIntents(the.postgres)
  const [first] = gateways
  if (!first) throw new Error('there is a gateway')
  const all = await Promise.all(the.wallets.map((wallet) => enter(first, wallet)))
  const [last, ...others] = all
  if (!last) throw new Error('there is a client')
  prober = last
  clients = others
  load = startMixedLoad({
    clients,
    gateway: () => the.dice.pick([first, ...gateways.slice(1)]),
    checkRead: (read, wallet, { text }) => text === references.get(`${read} ${wallet.address}`),
    dice: the.dice,
  })
})
afterAll(async () => {
  await load?.stop()
  await Promise.all(gateways.map((gateway) => gateway.process.stop()))
  line?.stop()
  await the?.stop()
})

/** Signs in, and keeps the answers to the reads: the chain stands still from now on. */
async function enter(gateway: Replica, wallet: Wallet): Promise<Client> {
  for (const [name, { path, ...rest }] of Object.entries(readsOf(wallet))) {
    const answer = await gateway.request(path, 'init' in rest ? rest.init : {})
    const text = await answer.text()
    if (answer.status !== 200 || !text.includes('"finalizedThrough"')) throw new Error(`${name}: ${text}`)
    references.set(`${name} ${wallet.address}`, text)
  }
  return { wallet, token: await routes.tokenOf({ app: gateway, clock: { skewMs: 0 } }, wallet) }
}

const met = () => sumOf(load.tally().right) + sumOf(load.tally().refused)

/** Milliseconds until one gateway has answered a read, a sign-in and an optimization. */
async function recovery(gateway: Replica): Promise<number> {
  const began = performance.now()
  const { wallet, token } = prober
  const ask = createAsk(
    () => gateway,
    () => {},
  )
  const isAnswered = async () => {
    const read = await ask('vaults', readsOf(wallet).vaults, () => true)
    if (read.outcome.is !== 'right') return false
    if ((await signInOnce(ask, wallet)) === undefined) return false
    return (await optimizeOnce(ask, wallet, token, LEAST_TARGET)) !== undefined
  }
  await expect.poll(isAnswered, { interval: 20 }).toBe(true)
  return performance.now() - began
}

const NAMES = [
  'restarted',
  'killed',
  'one of its processes killed',
  'paused',
  'out of connections',
  '200 ms slower',
  '10 s slower',
  'read-only',
  ...(isRoot ? ['out of disk'] : []),
]

it.each(NAMES)('Postgres %s: no wrong answer, and right ones afterwards', async (name) => {
  const fault = databaseFaults(the.postgres, line, isRoot ? disk : undefined).find((one) => one.name === name)
  if (!fault) throw new Error(`no fault ${name}`)
  await expect.poll(() => sumOf(load.tally().right)).toBeGreaterThan(MET)
  load.swap()
  await fault.begin()
  load.swap()
  await expect.poll(met).toBeGreaterThanOrEqual(MET)
  if (fault.refuses) await expect.poll(() => sumOf(load.tally().refused)).toBeGreaterThan(0)
  const during = load.swap()
  await fault.end()
  const times = await Promise.all(gateways.map(recovery))
  const after = load.swap()
  console.log(
    `Postgres ${name} | during: ${describeTally(during)} | first right answers after ${times.map(Math.round).join(' and ')} ms | until then: ${describeTally(after)}`,
  )
  expect([...during.wrong, ...after.wrong]).toEqual([])
})

it('no gateway has ended, no answered preparation is lost, no intent was opened again, and no connection is left over', async () => {
  await load.stop()
  for (const { process: gateway } of gateways) expect(process.kill(gateway.pid, 0)).toBe(true)
  expect(load.prepared.length).toBeGreaterThan(CLIENTS)
  expect(await lostRoutes(the.postgres, load.prepared)).toEqual([])
  expect(await stepsBack(the.postgres)).toBe(0)
  const connections = `select count(*)::int as open from pg_stat_activity where usename = 'gateway'`
  const open = async () => Number((await the.postgres.run(connections))[0]?.open)
  await expect.poll(open).toBeLessThanOrEqual(gateways.length * CONNECTIONS_OF_A_GATEWAY)
  console.log(`${load.prepared.length} routes were prepared`)
})
