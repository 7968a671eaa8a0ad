/** One run of the devnet: everything started in order, watched, and stopped in reverse. */
import { rmSync } from 'node:fs'
import { foundry } from 'viem/chains'
import { createChain } from '../api/chain/client.ts'
import { createVerify } from '../auditor/verify.ts'
import { loadManifest } from '../deployments/manifest.ts'
import { type Indexer, type IndexerOptions, startIndexer } from '../indexer/service/indexer.ts'
import { type Chain, rpcUrlOf } from './chain.ts'
import type { StepConsole } from './console.ts'
import { createRoles, type DatabaseUrls, grantRoles } from './database-roles.ts'
import { startDocumentation } from './documentation.ts'
import { type Endpoints, removeEndpoints, writeEndpoints } from './endpoints.ts'
import { buildExplorer, EXPLORER_FOLDER } from './explorer.ts'
import { type Folder, logTo, openFolder } from './folder.ts'
import { gatewayReady, isWatchLine, startGateway } from './gateway.ts'
import { continueChain, finalAfter, makeWorld, type NewChain, paceOf, startNewChain } from './live-chain.ts'
import { startNodeService } from './node-service.ts'
import {
  accountsOf,
  checkContracts,
  type PersistedWorld,
  persistWorld,
  readPersistedWorld,
} from './persisted-world.ts'
import { freePort, otherPort, portNear, type Reservation, reservePort } from './ports.ts'
import { ensureDatabase, startPostgres } from './postgres.ts'
import { findHome } from './postgres-home.ts'
import { openRecord, type Recovery, recover, recoveryLine, refuseSecondRun } from './processes.ts'
import type { RunOptions } from './run-options.ts'
import { screen } from './screen.ts'
import { dropIndex } from './stale-index.ts'
import { stopStrayPostgres } from './stray-postgres.ts'
import { childService, createSupervisor, indexerService, type Supervisor } from './supervisor.ts'
import { planWorld } from './world/plan-world.ts'

export type Run = {
  /** Resolves when all is ready and the screen is written; rejects with an Error for the user. */
  ready: Promise<void>
  /** Rejects when a child exits unexpectedly, with the last lines of its output. */
  lost: Promise<never>
  /** Stops all of it; the same promise when called again. */
  stop: () => Promise<void>
}

const SEED = 2026
const RPC_TIMEOUT_MS = 10_000
const DATABASE = 'claim_financing'

export async function startRun(options: RunOptions, out: StepConsole): Promise<Run> {
  const folder = openFolder(options.folder)
  refuseSecondRun(folder)
  const recovery = await recover(folder)
  const home = findHome(folder.postgres)
  const strayStopped = await stopStrayPostgres(home.data)
  if (recovery || strayStopped) out.print(recoveryLine(recovery))
  removeEndpoints(folder)
  const record = openRecord(folder)
  const supervisor = createSupervisor(record)
  const starting = startAll({ options, folder, supervisor, out, data: home.data, recovery })
  let stopping: Promise<void> | undefined
  const stop = async () => {
    removeEndpoints(folder)
    await supervisor.stopAll()
    // A service that was starting meanwhile fails now, or was added and is stopped by the second call.
    await Promise.allSettled([starting])
    await supervisor.stopAll()
    removeEndpoints(folder)
    record.close()
  }
  const lost = supervisor.watch(new Promise<never>(() => {}))
  lost.catch(() => {})
  return {
    ready: supervisor.watch(starting),
    lost,
    stop: () => (stopping ??= stop()),
  }
}

type Start = {
  options: RunOptions
  folder: Folder
  supervisor: Supervisor
  out: StepConsole
  /** Postgres' data folder. */
  data: string
  recovery: Recovery | undefined
}

async function startAll(start: Start): Promise<void> {
  const { options, folder, out } = start
  const explorer = buildExplorer()
  // A fault is that of the step which waits for it.
  explorer.catch(() => {})
  const found = options.fresh ? undefined : readPersistedWorld(folder)
  if (found) checkContracts(found)
  const { world, chain, databaseUrls, indexer } = await (found
    ? continueWorld(start, found)
    : newWorld(start))
  const accounts = accountsOf(world)
  const wallets = accounts.filter(({ role }) => role.startsWith('wallet-')).slice(0, 3)
  const offered = [...wallets, ...accounts.filter(({ role }) => role === 'lender-1')]
  const services = await startServices(start, { databaseUrls, chain, indexer, wallets: offered, explorer })

  const pace = paceOf(options.finalitySeconds)
  const endpoints: Endpoints = {
    ...services,
    graphqlUrl: `${services.gatewayUrl}/api/v1/graphql`,
    rpcUrl: chain.rpcUrl,
    databaseUrls,
    chainId: foundry.id,
    finalitySeconds: finalAfter(pace),
    accounts: accounts.map(({ role, address, privateKey }) => ({ role, address, privateKey })),
  }
  const text = await screen(endpoints, wallets, loadManifest(foundry.id).tokens, {
    secondsToReady: out.seconds(),
    pace,
  })
  writeEndpoints(folder, endpoints)
  out.print(text)
}

type System = { world: PersistedWorld; chain: Chain; databaseUrls: DatabaseUrls; indexer: Indexer }

async function continueWorld(start: Start, world: PersistedWorld): Promise<System> {
  const databaseUrls = await startDatabase(start)
  if (start.recovery?.chainWasKilled) await dropIndex(databaseUrls.indexer)
  const chain = await startLiveChain(start, world, await reservePort(start.options.ports.rpc))
  const indexer = await startIndexing(start, databaseUrls, chain)
  return { world, chain, databaseUrls, indexer }
}

/** Database and indexer start while the world is made: each of the two takes seconds of one core. */
async function newWorld(start: Start): Promise<System> {
  const { folder, options } = start
  // Database and chain are deleted together: neither is usable without the other.
  for (const path of [start.data, folder.chainState, folder.world])
    rmSync(path, { recursive: true, force: true })
  const created = await startWorld(start)
  const reserved = await reservePort(options.ports.rpc)
  const node = { rpcUrl: rpcUrlOf(reserved.port), genesis: created.genesis, nodesStartLater: true }
  const [{ world, chain }, { databaseUrls, indexer }] = await both(
    finishWorld(start, created, reserved),
    startDatabase(start).then(async (databaseUrls) => {
      return { databaseUrls, indexer: await startIndexing(start, databaseUrls, node) }
    }),
  )
  persistWorld(folder, world)
  return { world, chain, databaseUrls, indexer }
}

/** Settles when both have: what a failed one leaves behind would be a service that starts after the stop. */
async function both<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other])
  return Promise.all([one, other])
}

async function startDatabase({ options, folder, supervisor, out }: Start): Promise<DatabaseUrls> {
  const { ports } = options
  const port = await portNear(ports.postgres)
  const postgres = await out.step(
    'Postgres',
    async () => {
      const started = await startPostgres({
        data: folder.postgres,
        port,
        onLine: logTo(folder, 'postgres'),
      })
      supervisor.add(childService('database', started))
      return started
    },
    ({ home }) => {
      const place = home.moved ? `; data in ${home.data}, as its user cannot reach this folder` : ''
      return `127.0.0.1:${port}${otherPort(port, ports.postgres)}${place}`
    },
  )
  await createRoles(postgres.url)
  return grantRoles(await ensureDatabase(postgres.url, DATABASE))
}

async function startWorld({ options, folder, supervisor }: Start): Promise<NewChain> {
  const { scale, finalitySeconds = 0 } = options
  // The last block of a new world is final at once.
  const plan = planWorld({ seed: SEED, scale, now: Math.floor(Date.now() / 1000) - finalitySeconds })
  return startNewChain(folder, plan, await freePort(), (chain) => {
    supervisor.add(childService('chain', chain))
  })
}

/** Plays the plan of the new chain, and continues it at the reserved port. */
async function finishWorld(start: Start, created: NewChain, reserved: Reservation) {
  const { vaults, days } = start.options.scale
  try {
    const world = await start.out.step(
      'World',
      (progress) => makeWorld(created, (done, total) => progress(`${done} of ${total} blocks`)),
      () => `${created.plan.claims.length} claims, ${vaults} vaults, ${days} days of trade`,
    )
    return { world, chain: await startLiveChain(start, world, reserved) }
  } finally {
    await reserved.release()
  }
}

async function startLiveChain(
  { options, folder, supervisor, out }: Start,
  world: PersistedWorld,
  { port, release }: Reservation,
): Promise<Chain> {
  return out.step(
    'Chain',
    async () => {
      await release()
      const pace = paceOf(options.finalitySeconds)
      const chain = await continueChain(folder, world, { port, pace, onLine: logTo(folder, 'chain') })
      supervisor.add(childService('chain', chain))
      return chain
    },
    ({ rpcUrl }) => `${rpcUrl}${otherPort(port, options.ports.rpc)}, at the present`,
  )
}

async function startIndexing(
  { options, folder, supervisor }: Start,
  databaseUrls: DatabaseUrls,
  { rpcUrl, ...node }: { rpcUrl: string } & Pick<IndexerOptions, 'genesis' | 'nodesStartLater'>,
): Promise<Indexer> {
  const indexer = await startIndexer({
    ...node,
    chainId: foundry.id,
    rpcUrls: [rpcUrl],
    databaseUrl: databaseUrls.indexer,
    port: await portNear(options.ports.indexer),
    soleWriter: true,
    requestsPerSecond: 500,
    // A developer who checks out older code reads the index of that code.
    republish: true,
    verify: createVerify({
      databaseUrl: databaseUrls.indexer,
      chain: createChain({ urls: [rpcUrl], timeout: RPC_TIMEOUT_MS }),
      manifest: loadManifest(foundry.id),
    }),
    onLog: logTo(folder, 'indexer'),
  })
  supervisor.add(indexerService(indexer))
  return indexer
}

type Running = Omit<System, 'world'> & {
  readonly wallets: readonly { readonly address: string }[]
  /** Resolves when the pages of the explorer are built. */
  readonly explorer: Promise<void>
}

/** The gateway starts while the first index is made; it answers 503 until then. */
async function startServices(
  { options, folder, supervisor, out }: Start,
  { databaseUrls, chain: { rpcUrl }, indexer, wallets, explorer }: Running,
): Promise<Pick<Endpoints, 'gatewayUrl' | 'documentationUrl'>> {
  const port = await portNear(options.ports.gateway)
  const documentationUrl = await startDocumentation(options.ports.documentation)
  await explorer
  const log = logTo(folder, 'gateway')
  const onLine = (line: string) => {
    log(line)
    if (isWatchLine(line)) out.print(`  Gateway: ${line}`)
  }
  const gateway = startGateway({
    port,
    watch: options.watch,
    origins: options.origins,
    finalitySeconds: options.finalitySeconds,
    documentationUrl,
    explorerFolder: EXPLORER_FOLDER,
    wallets: wallets.map(({ address }) => address),
    databaseUrl: databaseUrls.gateway,
    rpcUrl,
    chainId: foundry.id,
    onLine,
  })
  supervisor.add(childService('gateway', gateway))
  await out.step(
    'Indexer',
    () => indexer.ready(),
    () => 'all finalized blocks are projected',
  )
  await out.step(
    'Gateway',
    () => gatewayReady(gateway),
    () => `${gateway.url}${otherPort(port, options.ports.gateway)}`,
  )
  // The start does not wait for its first round.
  const auditor = startNodeService(
    'the auditor',
    'auditor/main.ts',
    { databaseUrl: databaseUrls.auditor, rpcUrl, chainId: foundry.id, onLine: logTo(folder, 'auditor') },
    { AUDIT_METRICS_PORT: '0' },
  )
  supervisor.add(childService('auditor', auditor))
  return { gatewayUrl: gateway.url, documentationUrl }
}
