/** Plants one fault in a copy of the project and runs tests until one fails. */
import { spawnSync } from 'node:child_process'
import { plant } from './copy.ts'
import type { PlantedFault } from './fault.ts'
import type { FaultResult } from './results.ts'
import { openSession, type Session } from './session.ts'

/** How long one test file may take, milliseconds. */
export const FILE_LIMIT_MS = 420_000
/** How long the processes of tests that hang may take to end, milliseconds. */
const CLOSE_MS = 30_000

/** Faults in these do not change the world of chain, Postgres and indexer that tests share. */
const BESIDE_WORLD = ['api/', 'packages/client/src/']

/** The Vitest that measures faults; it is replaced when its world contains a fault or a test hangs. */
export type Bench = { readonly copy: string; session: Session }

/** @param budgetMs after this time, no further test file is begun */
export async function measure(
  bench: Bench,
  fault: PlantedFault,
  tests: readonly string[],
  budgetMs: number,
): Promise<FaultResult> {
  const isBesideWorld = BESIDE_WORLD.some((folder) => fault.file.startsWith(folder))
  const takeOut = plant(bench.copy, fault)
  try {
    if (isBesideWorld) bench.session.forget([fault.file])
    else await renew(bench, fault)
    return {
      fault: fault.name,
      file: fault.file,
      ...(await firstFailure(bench, tests, Date.now() + budgetMs)),
    }
  } finally {
    takeOut()
    if (isBesideWorld) bench.session.forget([fault.file])
    else await renew(bench, fault)
  }
}

async function firstFailure(
  bench: Bench,
  tests: readonly string[],
  end: number,
): Promise<Omit<FaultResult, 'fault' | 'file'>> {
  for (const by of tests) {
    if (Date.now() > end) return { outcome: 'open' }
    const { hangs, failure } = await bench.session.run(by, FILE_LIMIT_MS)
    if (hangs) await replace(bench)
    if (hangs) return { outcome: 'hangs', by }
    if (failure)
      return { outcome: 'caught', by, test: failure.test, ...(failure.timedOut && { timedOut: true }) }
  }
  return { outcome: 'survived' }
}

/** After a change of what the shared world is made from. */
async function renew(bench: Bench, { file, name }: PlantedFault): Promise<void> {
  if (file.endsWith('.sol') && !compiles(bench.copy)) throw new Error(`does not compile: ${name}`)
  await replace(bench)
}

export async function replace(bench: Bench): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())
  await Promise.race([bench.session.close(), limit])
  bench.session = await openSession(bench.copy)
}

const compiles = (cwd: string): boolean =>
  spawnSync(process.execPath, ['scripts/compile-contracts.ts'], { cwd, stdio: 'ignore' }).status === 0
