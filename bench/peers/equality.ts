/** Whether the servers give the same answer. */
import { isDeepStrictEqual } from 'node:util'
import {
  PEERS,
  type Peer,
  type Read,
  type Request,
  type Row,
  type Sample,
  sendTo,
  type Workload,
} from './read.ts'

export type Urls = Readonly<Record<Peer, { url: string }>>

/** The requests of a read for each sample. */
export async function prepareRequests(
  { url }: { url: string },
  read: Read,
  samples: readonly Sample[],
): Promise<Request[]> {
  const requests: Request[] = []
  for (const sample of samples) {
    const prepared = (await read.prepare?.((request) => sendTo(url, request), sample)) ?? ''
    requests.push(read.request(sample, prepared))
  }
  return requests
}

/** @throws Error that names the first answer that differs */
export async function checkEquality(
  servers: Urls,
  workload: Workload,
  samples: readonly Sample[],
): Promise<void> {
  for (const sample of samples) {
    const answers: (readonly [peer: string, rows: readonly Row[]])[] = []
    for (const [peer, read] of readsOf(workload)) {
      answers.push([peer, await answerOf(servers[peer].url, read, sample)])
    }
    assertEqual(`${workload.title}, ${JSON.stringify(sample)}`, answers)
  }
}

export function readsOf(workload: Workload): [Peer, Read][] {
  return PEERS.flatMap((peer): [Peer, Read][] => {
    const read = workload.reads[peer]
    return read ? [[peer, read]] : []
  })
}

async function answerOf(url: string, read: Read, sample: Sample): Promise<readonly Row[]> {
  const [request] = await prepareRequests({ url }, read, [sample])
  if (!request) throw new Error('there is no request')
  const response = await sendTo(url, request)
  const text = await response.text()
  const parsed = read.rows.safeParse(text === '' ? '' : JSON.parse(text))
  if (parsed.success && response.status === (read.status ?? 200)) return parsed.data
  throw new Error(
    `${request.path} answers ${response.status} ${text.slice(0, 500)}: ${parsed.error?.message}`,
  )
}

/** @throws Error when two servers differ in any row or column, or all have no row */
export function assertEqual(
  what: string,
  answers: readonly (readonly [peer: string, rows: readonly Row[]])[],
): void {
  const [first, ...others] = answers
  if (!first) throw new Error(`${what}: no server answers it`)
  for (const [peer, rows] of others) {
    if (!isDeepStrictEqual(rows, first[1])) {
      throw new Error(`${what}: ${peer} and ${first[0]} differ:\n${show(rows)}\n${show(first[1])}`)
    }
  }
}

const show = (rows: readonly Row[]) => JSON.stringify(rows).slice(0, 1000)
