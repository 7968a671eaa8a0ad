/**
 * How long optimize and prepare-execution take, and where: waiting for the chain, the optimizer (on its thread), the
 * database; and what the one lens call saves against the same reads by viem's multicall. Parts run side by side, so
 * they add up to more than the total.
 */
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import type { Address, Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { createApp } from '../../api/app.ts'
import { createChain } from '../../api/chain/client.ts'
import { createLens } from '../../api/chain/lens.ts'
import { pinFinalizedBlock } from '../../api/chain/pin-block.ts'
import { parseConfig } from '../../api/config/config.ts'
import type { Optimize } from '../../api/deps.ts'
import { NO_HEAD } from '../../api/head/watch-head.ts'
import { createOptimizerPool } from '../../api/optimizer-pool/index.ts'
import { connectControl } from '../../api/projection/session/control.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { connectPipelines } from '../../api/projection/session/pipeline.ts'
import { watchProjection } from '../../api/projection/session/watch.ts'
import { createStore } from '../../api/store/database.ts'
import { migrateStore } from '../../api/store/migrations/migrate.ts'
import { NO_DOCUMENTS } from '../../deployments/documents.ts'
import { loadLabels } from '../../deployments/labels.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { readCommand } from '../../settings/command-line.ts'
import { startWorld, type World } from '../../test/support/protocol.ts'
import * as routes from '../../test/support/routes.ts'
import * as act from '../../test/support/scenario.ts'
import { TEST_SITE } from '../../test/support/sign-in.ts'
import { startPostgres } from '../indexer/postgres.ts'

const { positionals } = readCommand(
  'npm run bench:routing --',
  'Measures the parts of planning and preparing routes.',
  {},
  { requests: 'requests of each size; default: 5' },
)
const REQUESTS = Number(positionals[0] ?? 5)
const WARM_UP = 2
const SIZES = [
  { claims: 1, vaults: 12 },
  { claims: 5, vaults: 20 },
  { claims: 12, vaults: 20 },
  { claims: 20, vaults: 100 },
] as const
const USD = 1_000_000n

type Part = 'chain' | 'optimizer' | 'database'

/** Milliseconds spent waiting, and how often, by part; emptied for each request. */
const spent = new Map<Part, { ms: number; calls: number }>()

async function timed<T>(part: Part, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    return await work()
  } finally {
    const { ms, calls } = spent.get(part) ?? { ms: 0, calls: 0 }
    spent.set(part, { ms: ms + performance.now() - start, calls: calls + 1 })
  }
}

const postgres = await startPostgres()
const { gateway: databaseUrl } = await postgres.database('routing')
const world = await startWorld()
const optimizer = createOptimizerPool({ threads: 1, maxQueue: 8, onFault: console.error })
const pool = createPool(databaseUrl, 10)
pool.on('error', () => {})
pool.on('connect', (client) => {
  const query = client.query.bind(client)
  Object.assign(client, {
    query: (...args: Parameters<typeof query>) => timed('database', async () => query(...args)),
  })
})
try {
  await migrateStore(pool)
  await run(createTimedApp())
} finally {
  await optimizer.close()
  await pool.end()
  await world.stop()
  await postgres.stop()
}

function createTimedApp() {
  const config = parseConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    RPC_URLS: world.rpcUrl,
    RPC_TIMEOUT_MS: '60000',
    CHAIN_ID: String(world.chainId),
    AUTH_SECRETS: 'a secret of the benchmark that has 32 bytes and more',
    SITE_ORIGINS: TEST_SITE,
    RATE_LIMIT_DEFAULT: '1000000',
    RATE_LIMIT_PREPARE: '1000000',
  })
  const chain = createChain({ urls: config.rpcUrls, timeout: config.rpcTimeoutMs })
  const { call, getBlock, readContract } = chain
  Object.assign(chain, {
    call: (...args: Parameters<typeof call>) => timed('chain', () => call(...args)),
    getBlock: (...args: Parameters<typeof getBlock>) => timed('chain', () => getBlock(...args)),
    readContract: (...args: Parameters<typeof readContract>) => timed('chain', () => readContract(...args)),
  })
  const optimize: Optimize = (...args) => timed('optimizer', () => optimizer.optimize(...args))
  const parts = {
    config,
    chain,
    optimize,
    deployment: loadManifest(world.chainId),
    documents: NO_DOCUMENTS,
    labels: loadLabels(world.chainId),
    log: pino({ level: 'silent' }),
  }
  return createApp({
    ...parts,
    watch: watchProjection(config.databaseUrl, parts.log),
    db: createProjectionDb(pool),
    pipeline: connectPipelines(config.databaseUrl, config.databaseTimeoutMs),
    replicas: [],
    head: NO_HEAD,
    control: connectControl(config.databaseUrl, config.databaseTimeoutMs, parts.log),
    store: createStore(pool),
    clock: Date.now,
    random: randomBytes,
    stopping: new AbortController().signal,
  })
}

async function run(app: ReturnType<typeof createTimedApp>): Promise<void> {
  console.log(
    'request | claims × vaults | total p50 · p95 ms | chain (trips) | optimizer | database (statements)',
  )
  console.log('--- | --- | --- | --- | --- | ---')
  const claimIds: Hex[] = []
  const vaults: Address[] = []
  for (const size of SIZES) {
    await grow(size, claimIds, vaults)
    const token = await routes.tokenOf({ app, clock: { skewMs: 0 } }, world.parties.beneficiary)
    const label = `${size.claims} × ${size.vaults}`
    const optimized: Sample[] = []
    const prepared: Sample[] = []
    for (let index = 0; index < WARM_UP + REQUESTS; index++) {
      const targetAdvance = BigInt(Math.min(size.claims, 8)) * 600n * USD + BigInt(index)
      const body = { claimIds, targetAdvance }
      const { routeId } = await sample(optimized, () => routes.optimizeToRoute(app, token, body))
      await sample(prepared, () => routes.prepare(app, token, routeId))
    }
    report(`optimize | ${label}`, optimized.slice(WARM_UP))
    report(`prepare-execution | ${label}`, prepared.slice(WARM_UP))
    await compareReads(claimIds, vaults, label)
  }
}

/** Different rates, and vaults that hold a few of the claims each. */
async function grow(size: (typeof SIZES)[number], claimIds: Hex[], vaults: Address[]): Promise<void> {
  const { issuer, beneficiary } = world.parties
  while (vaults.length < size.vaults) {
    const index = vaults.length
    const pricing = {
      baseDiscountBps: 50 + ((index * 37) % 200),
      durationBpsPerDay: index % 4,
      premiumBps: [index % 7],
    }
    const capital = BigInt(2_000 + ((index * 1_310) % 9_000)) * USD
    vaults.push(await act.createFundedVault(world, { token: world.usd, capital, pricing }))
  }
  while (claimIds.length < size.claims) {
    const faceValue = BigInt(800 + ((claimIds.length * 53) % 700)) * USD + 1n
    const dueDate = await act.inDays(world, 20 + claimIds.length)
    const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue, dueDate }
    claimIds.push((await act.registerClaim(world, terms)).claimId)
  }
  await act.finalize(world)
}

type Sample = { total: number; parts: Map<Part, { ms: number; calls: number }> }

async function sample<T>(samples: Sample[], request: () => Promise<T>): Promise<T> {
  spent.clear()
  const start = performance.now()
  const result = await request()
  samples.push({ total: performance.now() - start, parts: new Map(spent) })
  return result
}

function report(name: string, samples: readonly Sample[]): void {
  const totals = samples.map(({ total }) => total)
  const part = (which: Part) => {
    const ms = quantile(
      samples.map(({ parts }) => parts.get(which)?.ms ?? 0),
      0.5,
    )
    const calls = samples[0]?.parts.get(which)?.calls ?? 0
    return which === 'optimizer' ? ms : `${ms} (${calls})`
  }
  const cells = [
    `${quantile(totals, 0.5)} · ${quantile(totals, 0.95)}`,
    part('chain'),
    part('optimizer'),
    part('database'),
  ]
  console.log(`${name} | ${cells.join(' | ')}`)
}

/** Reads the claims and quotes also by viem's multicall, whose contract travels with each call too. */
async function compareReads(
  claimIds: readonly Hex[],
  vaults: readonly Address[],
  label: string,
): Promise<void> {
  const chain = createChain({ urls: [world.rpcUrl], timeout: 60_000 })
  const lens = createLens(chain, world.protocol.financingRouter)
  const block = await pinFinalizedBlock(chain)
  const byLens = await median(() => lens.readMarket(block, { claimIds }))
  console.log(`reads | ${label} | lens ${byLens.toFixed(1)} ms, ${await timeMulticall()} | |`)

  async function timeMulticall(): Promise<string> {
    try {
      const ms = await median(() => multicall(chain, world, block.number, claimIds, vaults))
      return `multicall ${ms.toFixed(1)} ms | ratio ${(ms / byLens).toFixed(1)}`
    } catch {
      return 'multicall refused by the node | –'
    }
  }
}

async function multicall(
  chain: ReturnType<typeof createChain>,
  { protocol }: World,
  blockNumber: bigint,
  claimIds: readonly Hex[],
  vaults: readonly Address[],
): Promise<void> {
  const common = { deployless: true, allowFailure: false, blockNumber } as const
  const claims = claimIds.map((claimId) => ({
    abi: claimRegistryAbi,
    address: protocol.claimRegistry,
    functionName: 'claim' as const,
    args: [claimId] as const,
  }))
  const terms = vaults.flatMap((address) =>
    (['asset', 'fundableLiquidity', 'mandate', 'pricing'] as const).map((functionName) => ({
      abi: financingVaultAbi,
      address,
      functionName,
    })),
  )
  const quotes = claimIds.flatMap((claimId) =>
    vaults.map((address) => ({
      abi: financingVaultAbi,
      address,
      functionName: 'quote' as const,
      args: [claimId, 800n * USD] as const,
    })),
  )
  await chain.multicall({ ...common, contracts: claims })
  await chain.multicall({ ...common, contracts: [...terms, ...quotes] })
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < 7; index++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return Number(quantile(times, 0.5))
}

function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1)
}
