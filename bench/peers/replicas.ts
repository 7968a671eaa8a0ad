/** Processor time of a request, divided among the gateway, the primary and its streaming replicas. */
import { readCommand } from '../../settings/command-line.ts'
import { type Standby, startStandby } from '../../test/faults/gateway/standby-postgres.ts'
import { startDurablePostgres } from '../../test/support/durable-postgres.ts'
import { startDeployedChain } from '../deployed-chain.ts'
import { postgresSeconds, postmasterOf, processorSeconds } from '../processes.ts'
import { makeData, readSamples } from './data.ts'
import { startLoad } from './load.ts'
import { type Entry, entriesOf } from './rounds.ts'
import type { Server } from './servers/server.ts'
import { startOurs } from './servers/start.ts'
import { workloads } from './workloads/index.ts'

const REPLICAS = 2
const DEPTH = 25_000
const READS = workloads.filter(({ grows }) => grows)

const { values: given } = readCommand(
  'npm run bench:replicas --',
  'Measures the processor time of reads with no, one and two streaming replicas.',
  {
    claims: { type: 'string', value: 'N', default: '1000000', meaning: 'claims of the table' },
    rounds: { type: 'string', value: 'N', default: '3', meaning: 'rounds of each read' },
    seconds: { type: 'string', value: 'N', default: '4', meaning: 'duration of each round' },
  },
)
const claims = Number(given.claims)
const seconds = Number(given.seconds)
const primary = await startDurablePostgres()
const chain = await startDeployedChain()
const load = startLoad()
const standbys: Standby[] = []
const gateways: Server[] = []
try {
  await makeData(primary.urls.indexer, claims)
  for (let i = 0; i < REPLICAS; i += 1) standbys.push(await startStandby(primary.server()))
  const postmasters = await Promise.all(
    [primary.urls.indexer, ...standbys.map(({ urlOf }) => urlOf(primary.urls.indexer))].map(postmasterOf),
  )
  const samples = await readSamples(primary.urls.indexer, Math.min(DEPTH, claims / 2))
  const sides: Side[] = []
  for (let replicas = 0; replicas <= REPLICAS; replicas += 1) {
    const server = await startGateway(replicas)
    gateways.push(server)
    for (const workload of READS)
      for (const entry of await entriesOf({ ours: server }, workload, samples))
        sides.push({ read: workload.title, replicas, entry, requests: 0, spent: [] })
  }
  for (const side of sides) await send(side, postmasters)
  for (const side of sides) Object.assign(side, { requests: 0, spent: [] })
  for (let round = 0; round < Number(given.rounds); round += 1)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await send(side, postmasters)
  console.table(
    sides
      .toSorted(
        (a, b) =>
          READS.findIndex(({ title }) => title === a.read) - READS.findIndex(({ title }) => title === b.read),
      )
      .map(row),
  )
} finally {
  load.stop()
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await Promise.all(standbys.map((standby) => standby.remove()))
  await chain.stop()
  await primary.remove()
}

/** One read of a gateway. `spent`: seconds of processor time of the gateway, the primary and each replica. */
type Side = { read: string; replicas: number; entry: Entry; requests: number; spent: readonly number[] }

function startGateway(replicas: number): Promise<Server> {
  const urls = standbys.slice(0, replicas).map(({ urlOf }) => urlOf(primary.urls.gateway))
  const env = { KEPT_ANSWERS_SIZE: '0', ...(replicas > 0 && { READ_DATABASE_URLS: urls.join() }) }
  return startOurs({ urls: primary.urls, chain }, env)
}

async function send(side: Side, postmasters: readonly number[]): Promise<void> {
  const { server, requests, status } = side.entry
  const count = () => [processorSeconds(server.pid), ...postmasters.map(postgresSeconds)]
  const before = count()
  const loaded = await load.send({ url: server.url, requests, seconds, status })
  side.spent = count().map((after, i) => after - (before[i] ?? 0) + (side.spent[i] ?? 0))
  side.requests += loaded.requests
}

/** Seconds per 1000 requests. */
function row({ read, replicas, requests, spent }: Side) {
  const [gateway, own, ...others] = spent.map((one) => ((1000 * one) / requests).toFixed(2))
  return {
    read,
    replicas,
    gateway,
    primary: own,
    'each replica': others.slice(0, replicas).join(', ') || '–',
  }
}
