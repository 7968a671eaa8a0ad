/**
 * Starts what `test/support/world.ts` describes: once per run, and only for a run that has tests of the project
 * `world`.
 */
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startWorldChain } from '../../devnet/chain.ts'
import { grantRoles } from '../../devnet/database-roles.ts'
import { buildExplorer } from '../../devnet/explorer.ts'
import { freePort } from '../../devnet/ports.ts'
import { buildWorld, type World } from '../../devnet/world/build-world.ts'
import { planWorld } from '../../devnet/world/plan-world.ts'
import { startIndexer } from '../../indexer/service/indexer.ts'
import { SHARED_SCALE, SHARED_SEED, type SharedWorld } from './world.ts'

const DATABASE = 'shared_world'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Before any test asks for it: test files that find no build would each make one.
  const explorer = buildExplorer()
  const plan = planWorld({ seed: SHARED_SEED, scale: SHARED_SCALE, now: Math.floor(Date.now() / 1000) })
  const urls = await createSharedDatabase(project.getProvidedContext().postgresUrl)
  const chain = await startWorldChain(plan, await freePort())
  const world = await buildWorld(chain.rpcUrl, plan)
  const indexer = await startIndexer({
    chainId: world.manifest.chainId,
    rpcUrls: [chain.rpcUrl],
    databaseUrl: urls.indexer,
    port: await freePort(),
    pollingIntervalMs: 250,
    requestsPerSecond: 500,
  })
  await Promise.all([indexer.ready(), explorer])
  project.provide('world', describeWorld(world, chain.rpcUrl, urls.gateway))
  return async () => {
    await indexer.stop()
    await chain.stop()
  }
}

async function createSharedDatabase(server: string) {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  await client.query(`CREATE DATABASE ${DATABASE}`)
  await client.end()
  return grantRoles(`${server}/${DATABASE}`)
}

function describeWorld(world: World, rpcUrl: string, databaseUrl: string): SharedWorld {
  return {
    databaseUrl,
    rpcUrl,
    manifest: world.manifest,
    endsAt: world.plan.endsAt,
    accounts: world.accounts.map(({ role, address, privateKey }) => ({ role, address, privateKey })),
    vaults: [...world.vaults],
    claimIds: [...world.claimIds],
  }
}
