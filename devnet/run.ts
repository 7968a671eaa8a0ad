/** One run of the devnet: everything started in order, watched, and stopped in reverse. */
import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { foundry } from 'viem/chains'
import { createChain } from '../api/chain/client.ts'
import { createVerify } from '../auditor/verify.ts'
import { loadManifest } from '../deployments/manifest.ts'
import { startIndexer } from '../indexer/service/indexer.ts'
import { startAuditor } from './auditor.ts'
import type { Chain } from './chain.ts'
import { type Crew, childMember, gatherCrew, indexerMember } from './crew.ts'
import { createRoles, type DatabaseUrls, grantRoles } from './database-roles.ts'
import { type Endpoints, removeEndpoints, writeEndpoints } from './endpoints.ts'
import { type Folder, openFolder } from './folder.ts'
import { gatewayReady, startGateway } from './gateway.ts'
import { accountsOf, checkContracts, type KeptWorld, readKeptWorld } from './kept-world.ts'
import { continueChain, makeWorld } from './live-chain.ts'
import type { Narrator } from './narrator.ts'
import { freePort, portNear } from './ports.ts'
import { ensureDatabase, type Postgres, startPostgres } from './postgres.ts'
import { findHome } from './postgres-home.ts'
import { openRecord, type Recovery, recover, refuseSecondRun } from './processes.ts'
import { screen } from './screen.ts'
import { dropIndex } from './stale-index.ts'
import { stopStrayPostgres } from './stray-postgres.ts'
import type { WorldScale } from './world/plan.ts'
import { planWorld } from './world/plan-world.ts'

export type RunOptions = {
  folder: string
  /** Throw away what is kept there first. */
  fresh: boolean
  /** Of the world, where a new one is made. */
  scale: WorldScale
  /** Wanted ports; another is taken where one is not free. */
  ports: { gateway: number; rpc: number; postgres: number; indexer: number }
}

export type Run = {
  /** Resolves when all is ready and the screen is written; rejects with a sentence that says what went wrong. */
  ready: Promise<void>
  /** Rejects when a child dies unasked, with its last words. */
  lost: Promise<never>
  /** Stops all of it; the same promise when called again. */
  stop: () => Promise<void>
}

const SEED = 2026
const RPC_TIMEOUT_MS = 10_000
const DATABASE = 'claim_financing'

export async function startRun(options: RunOptions, narrator: Narrator): Promise<Run> {
  const folder = openFolder(options.folder)
  refuseSecondRun(folder)
  const recovery = await recover(folder)
  const home = findHome(folder.postgres)
  const strayStopped = await stopStrayPostgres(home.data)
  if (recovery || strayStopped) narrator.say(recoveryLine(recovery))
  removeEndpoints(folder)
  const record = openRecord(folder)
  const crew = gatherCrew(record)
  const starting = startAll({ options, folder, crew, narrator, data: home.data, recovery })
  let stopping: Promise<void> | undefined
  const stop = async () => {
    removeEndpoints(folder)
    await crew.stopAll()
    // Whatever was being started meanwhile gives up now, or has joined and is stopped in its turn.
    await Promise.allSettled([starting])
    await crew.stopAll()
    removeEndpoints(folder)
    record.close()
  }
  const lost = crew.watch(new Promise<never>(() => {}))
  lost.catch(() => {})
  return {
    ready: crew.watch(starting),
    lost,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

function recoveryLine(recovery: Recovery | undefined): string {
  const stopped = recovery?.stopped.join(', ') || 'nothing was left running'
  return `  The last run was killed; cleaned up after it (${stopped}).`
}

type Start = {
  options: RunOptions
  folder: Folder
  crew: Crew
  narrator: Narrator
  /** Postgres' data folder. */
  data: string
  recovery: Recovery | undefined
}

async function startAll(start: Start): Promise<void> {
  const { options, folder, narrator } = start
  const found = options.fresh ? undefined : readKeptWorld(folder)
  if (found) checkContracts(found)
  // The database goes with the chain: neither makes sense without the other.
  if (!found) for (const path of [start.data, folder.chainState, folder.world]) clear(path)

  const postgres = await startDatabase(start)
  await createRoles(postgres.url)
  const databaseUrls = await grantRoles(await ensureDatabase(postgres.url, DATABASE))
  if (found && start.recovery?.chainWasKilled) await dropIndex(databaseUrls.indexer)
  const kept = found ?? (await seed(start))
  const chain = await startLiveChain(start, kept)
  const gatewayUrl = await startServices(start, databaseUrls, chain)

  const accounts = accountsOf(kept)
  const endpoints: Endpoints = {
    gatewayUrl,
    graphqlUrl: `${gatewayUrl}/api/v1/graphql`,
    rpcUrl: chain.rpcUrl,
    databaseUrls,
    chainId: foundry.id,
    accounts: accounts.map(({ role, address, privateKey }) => ({ role, address, privateKey })),
  }
  const wallets = accounts.filter(({ role }) => role.startsWith('wallet-')).slice(0, 3)
  const text = await screen(endpoints, wallets, loadManifest(foundry.id).tokens, narrator.seconds())
  writeEndpoints(folder, endpoints)
  narrator.say(text)
}

function clear(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

async function startDatabase({ options, folder, crew, narrator }: Start): Promise<Postgres> {
  const { wanted, port, note } = await choosePort(options.ports.postgres)
  return narrator.step(
    'Postgres',
    async () => {
      const postgres = await startPostgres({
        data: folder.postgres,
        port,
        onLine: logTo(folder, 'postgres'),
      })
      crew.join(childMember('database', postgres, 'SIGINT'))
      return postgres
    },
    ({ home }) => {
      const place = home.moved ? `; data in ${home.data}, as its user cannot reach this folder` : ''
      return `127.0.0.1:${port}${note(wanted)}${place}`
    },
  )
}

async function seed({ options, folder, crew, narrator }: Start): Promise<KeptWorld> {
  const now = Math.floor(Date.now() / 1000)
  const plan = planWorld({ seed: SEED, scale: options.scale, now })
  return narrator.step(
    'World',
    async (progress) =>
      makeWorld(folder, plan, await freePort(), {
        onStarted: (chain) => crew.join(childMember('chain', chain, 'SIGTERM')),
        onProgress: (done, total) => progress(`${done} of ${total} blocks`),
      }),
    () => {
      const { claims, vaults, days } = options.scale
      return `${claims} claims, ${vaults} vaults, ${days} days of trade`
    },
  )
}

async function startLiveChain({ options, folder, crew, narrator }: Start, kept: KeptWorld): Promise<Chain> {
  const { wanted, port, note } = await choosePort(options.ports.rpc)
  return narrator.step(
    'Chain',
    async () => {
      const chain = await continueChain(folder, kept, { port, onLine: logTo(folder, 'chain') })
      crew.join(childMember('chain', chain, 'SIGTERM'))
      return chain
    },
    ({ rpcUrl }) => `${rpcUrl}${note(wanted)}, at the present`,
  )
}

/** The gateway starts while the first index is made; it answers 503 until then. */
async function startServices(
  { options, folder, crew, narrator }: Start,
  databaseUrls: DatabaseUrls,
  { rpcUrl }: Chain,
): Promise<string> {
  const indexerPort = await portNear(options.ports.indexer)
  const indexer = await startIndexer({
    chainId: foundry.id,
    rpcUrls: [rpcUrl],
    databaseUrl: databaseUrls.indexer,
    port: indexerPort,
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
  crew.join(indexerMember(indexer))
  const { wanted, port, note } = await choosePort(options.ports.gateway)
  const onLine = logTo(folder, 'gateway')
  const gateway = startGateway({
    port,
    databaseUrl: databaseUrls.gateway,
    rpcUrl,
    chainId: foundry.id,
    onLine,
  })
  crew.join(childMember('gateway', gateway, 'SIGTERM'))
  await narrator.step(
    'Indexer',
    () => indexer.ready(),
    () => 'all finalized blocks are projected',
  )
  await narrator.step(
    'Gateway',
    () => gatewayReady(gateway),
    () => `${gateway.url}${note(wanted)}`,
  )
  // The start does not wait for its first round.
  const auditor = startAuditor({
    databaseUrl: databaseUrls.auditor,
    rpcUrl,
    chainId: foundry.id,
    onLine: logTo(folder, 'auditor'),
  })
  crew.join(childMember('auditor', auditor, 'SIGTERM'))
  return gateway.url
}

async function choosePort(wanted: number) {
  const port = await portNear(wanted)
  const note = (usual: number) => (port === usual ? '' : ` (port ${usual} is taken)`)
  return { wanted, port, note }
}

function logTo(folder: Folder, name: string): (line: string) => void {
  const stream = createWriteStream(join(folder.logs, `${name}.log`))
  return (line) => void stream.write(`${line}\n`)
}
