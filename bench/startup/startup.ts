/**
 * How long `npm run dev` takes, what it weighs, and how closely it follows the chain.
 *
 * Runs in a folder of its own. Prints seconds from command to ready, with a new world and with the kept one; resident
 * memory of indexer and gateway; and how far `_meta` and `/health/ready` are behind the chain's finalized block while
 * blocks are mined.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readCommand } from '../../settings/command-line.ts'
import { childrenOf, type Endpoints, startDev } from '../dev-system.ts'
import { residentMegabytes } from '../processes.ts'

const SAMPLE_MS = 250
/** The indexer's own, as the devnet sets it. */
const POLLING_INTERVAL_MS = 1_000

async function post(url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

const rpcShape = z.object({ result: z.object({ number: z.string() }) })
const metaShape = z.object({
  data: z.object({ _meta: z.object({ finalizedThrough: z.object({ blockNumber: z.number() }) }) }),
})
const readyShape = z.object({ finalizedThrough: z.object({ blockNumber: z.number() }) })

async function finalizedOnChain({ rpcUrl }: Endpoints): Promise<number> {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['finalized', false] }
  return Number(rpcShape.parse(await post(rpcUrl, call)).result.number)
}

async function seenByMeta({ graphqlUrl }: Endpoints): Promise<number> {
  const answer = await post(graphqlUrl, { query: '{ _meta { finalizedThrough { blockNumber } } }' })
  return metaShape.parse(answer).data._meta.finalizedThrough.blockNumber
}

async function seenByReady({ gatewayUrl }: Endpoints): Promise<number> {
  const answer = await (await fetch(`${gatewayUrl}/api/v1/health/ready`)).json()
  return readyShape.parse(answer).finalizedThrough.blockNumber
}

/** Milliseconds between a block's being final on the chain and its being seen, for every block of the span. */
async function followLag(endpoints: Endpoints, seconds: number) {
  const finalAt = new Map<number, number>()
  const lags = { meta: new Map<number, number>(), ready: new Map<number, number>() }
  const until = performance.now() + seconds * 1000
  let transactions = 0
  while (performance.now() < until) {
    const [final, meta, ready] = await Promise.all([
      finalizedOnChain(endpoints),
      seenByMeta(endpoints),
      seenByReady(endpoints),
    ])
    const now = performance.now()
    if (!finalAt.has(final)) finalAt.set(final, now)
    for (const [block, since] of finalAt) {
      if (meta >= block && !lags.meta.has(block)) lags.meta.set(block, now - since)
      if (ready >= block && !lags.ready.has(block)) lags.ready.set(block, now - since)
    }
    // A transaction now and then, which is mined at once, so that blocks come faster than the interval.
    if (transactions++ % 6 === 0)
      await post(endpoints.rpcUrl, { jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
    await sleep(SAMPLE_MS)
  }
  return { blocks: finalAt.size, meta: [...lags.meta.values()], ready: [...lags.ready.values()] }
}

function describeLags(name: string, lags: readonly number[]): string {
  const sorted = lags.toSorted((one, other) => one - other)
  const quantile = (share: number) =>
    Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
  const worst = quantile(1)
  const intervals = (worst / POLLING_INTERVAL_MS).toFixed(2)
  return `${name}: median ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, worst ${worst} ms (${intervals} polling intervals)`
}

const { positionals } = readCommand(
  'npm run bench:startup --',
  'Measures the start and the memory of `npm run dev`, and how far its reads are behind the chain.',
  {},
  { seconds: 'how long it follows the chain; default: 100' },
)
const seconds = Number(positionals[0] ?? 100)
const load = loadavg()[0]?.toFixed(1)
console.log(`${availableParallelism()} cores, load before the start ${load}`)
const parent = mkdtempSync(join(tmpdir(), 'claim-financing-startup-'))
chmodSync(parent, 0o755)
const folder = join(parent, 'devnet')
try {
  const cold = await startDev(folder, ['--fresh'])
  console.log(`cold start (new database, new world): ${cold.seconds.toFixed(1)} s to ready`)
  await cold.stop()
  const warm = await startDev(folder, [])
  console.log(`warm start (persisted world): ${warm.seconds.toFixed(1)} s to ready`)
  try {
    const lag = await followLag(warm.endpoints, seconds)
    console.log(
      `behind the finalized block over ${seconds} s and ${lag.blocks} blocks, sampled every ${SAMPLE_MS} ms:`,
    )
    console.log(`  ${describeLags('_meta', lag.meta)}`)
    console.log(`  ${describeLags('/health/ready', lag.ready)}`)
    for (const [name, pid] of childrenOf(folder))
      console.log(`${name}: ${Math.round(residentMegabytes(pid))} MB resident`)
  } finally {
    await warm.stop()
  }
} finally {
  rmSync(parent, { recursive: true, force: true })
}
