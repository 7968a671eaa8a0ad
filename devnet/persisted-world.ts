/** The file that persists a world between two runs, so that its chain can be continued and identified. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { demoAccount } from './accounts.ts'
import { worldChainArgs } from './chain.ts'
import type { Folder } from './folder.ts'
import type { Role, WorldPlan } from './world/plan.ts'

const persistedWorldShape = z.object({
  genesis: z.string(),
  contracts: z.string(),
  startsAt: z.number(),
  actors: z.array(z.object({ role: z.custom<Role>((role) => typeof role === 'string'), name: z.string() })),
})
export type PersistedWorld = z.output<typeof persistedWorldShape>

export function readPersistedWorld(folder: Folder): PersistedWorld | undefined {
  try {
    return persistedWorldShape.parse(JSON.parse(readFileSync(folder.world, 'utf8')))
  } catch {
    return undefined
  }
}

export function persistableWorld({ startsAt, actors }: WorldPlan, genesis: string): PersistedWorld {
  return { genesis, contracts: contractsVersion(), startsAt, actors: [...actors] }
}

/** Written once chain and database are made: its presence shows that both are complete. */
export function persistWorld(folder: Folder, world: PersistedWorld): void {
  writeFileSync(`${folder.world}.new`, JSON.stringify(world, null, 2))
  renameSync(`${folder.world}.new`, folder.world)
}

/** @throws Error when the chain on disk was made with other contracts than this checkout has */
export function checkContracts(world: PersistedWorld): void {
  if (world.contracts === contractsVersion()) return
  throw new Error(
    'The contracts of this checkout are not those of the chain that is kept here.\n' +
      'Start over with: npm run dev -- --fresh',
  )
}

function contractsVersion(): string {
  const folder = join(import.meta.dirname, '../contracts/artifacts')
  const hash = createHash('sha256')
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex')
}

export function accountsOf(world: PersistedWorld) {
  return world.actors.map(demoAccount).map(({ signer: _signer, ...account }) => account)
}

/** anvil's arguments to continue the saved chain. */
export function liveChainArgs(
  world: PersistedWorld,
  folder: Folder,
  { blockSeconds, minesAtOnce }: { blockSeconds: number; minesAtOnce: boolean },
): string[] {
  return [
    ...worldChainArgs(world),
    ...['--state', folder.chainState, '--state-interval', '60'],
    ...['--block-time', `${blockSeconds}`],
    ...(minesAtOnce ? ['--mixed-mining'] : []),
  ]
}
