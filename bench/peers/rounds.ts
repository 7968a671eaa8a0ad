/** Rounds in which every server gets the same load, one after the other. */

import { postgresSeconds, processorSeconds, residentMegabytes } from '../processes.ts'
import { prepareRequests, readsOf } from './equality.ts'
import type { Load, Loaded } from './load.ts'
import { type Peer, type Request, type Sample, sendTo, type Workload } from './read.ts'
import type { Measurement, Round } from './results.ts'
import { POOL, type Server } from './servers/server.ts'

/** One server, with its requests of one workload. */
export type Entry = {
  workload: string
  peer: Peer
  server: Server
  requests: readonly Request[]
  status: number
}

export type Options = {
  load: Load
  postmaster: number
  /** Duration of each load. */
  seconds: number
  rounds: number
  report: (step: string) => void
}

/** Before the first round, so that the code of each server is compiled. */
const WARM_UP_SECONDS = 8
const SAMPLE_MS = 200

export async function entriesOf(
  servers: Readonly<Partial<Record<Peer, Server>>>,
  workload: Workload,
  samples: readonly Sample[],
): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const [peer, read] of readsOf(workload)) {
    const server = servers[peer]
    if (!server) continue
    const requests = await prepareRequests(server, read, workload.repeats ? samples.slice(0, 1) : samples)
    entries.push({ workload: workload.id, peer, server, requests, status: read.status ?? 200 })
  }
  return entries
}

export async function measureRounds(entries: readonly Entry[], options: Options): Promise<Measurement[]> {
  const measured = entries.map((entry) => ({ entry, rounds: [] as Round[] }))
  for (const { entry } of measured) await measure(entry, { ...options, seconds: WARM_UP_SECONDS })
  for (let round = 0; round < options.rounds; round += 1) {
    options.report(`round ${round + 1} of ${options.rounds}`)
    // Every other round is backwards, so that no server always follows the same one.
    for (const { entry, rounds } of round % 2 === 0 ? measured : measured.toReversed()) {
      rounds.push(await measure(entry, options))
    }
  }
  return measured.map(({ entry: { workload, peer }, rounds }) => ({ workload, peer, rounds }))
}

/**
 * Opens the connections to Postgres that the server closed while others were measured, as clients of different
 * addresses do.
 */
async function openConnections({ url }: Server, requests: readonly Request[]): Promise<void> {
  const send = async (request: Request, i: number) => {
    const headers = { ...request.headers, 'x-forwarded-for': `10.0.0.${i + 1}` }
    await (await sendTo(url, { ...request, headers })).text()
  }
  await Promise.all(requests.slice(0, 2 * POOL).map(send))
}

async function measure({ server, requests, status }: Entry, options: Options): Promise<Round> {
  const { load, postmaster, seconds } = options
  let megabytes = 0
  const sample = () => {
    megabytes = Math.max(megabytes, residentMegabytes(server.pid))
  }
  await openConnections(server, requests)
  const sampling = setInterval(sample, SAMPLE_MS)
  const before = { server: processorSeconds(server.pid), postgres: postgresSeconds(postmaster) }
  try {
    const loaded: Loaded = await load.send({ url: server.url, requests, seconds, status })
    sample()
    return {
      ...loaded,
      server: processorSeconds(server.pid) - before.server,
      postgres: postgresSeconds(postmaster) - before.postgres,
      megabytes,
    }
  } finally {
    clearInterval(sampling)
  }
}
