/** Plants one fault in a copy of the project and runs tests until one fails. */
import { spawnSync } from 'node:child_process'
import { plant } from './copy.ts'
import type { PlacedFault } from './place.ts'
import { openSession, type Session } from './session.ts'

/** How long one test file may take, milliseconds. */
export const FILE_LIMIT_MS = 420_000
/** How long the processes of tests that hang may take to end, milliseconds. */
const CLOSE_MS = 30_000

/** Faults in these do not change the world of chain, Postgres and indexer that tests share. */
const BESIDE_WORLD = ['api/', 'packages/client/src/', 'packages/react/src/', 'deploy/']

export type FaultResult = {
  /**
   * `timed out`: caught by the time limit of a test. `hangs`: a file did not end within its limit. `open`: the time ran
   * out before all tests were tried. `broken`: the changed source cannot be compiled.
   */
  readonly outcome: 'caught' | 'timed out' | 'survived' | 'hangs' | 'open' | 'broken'
  /** The test file that failed, or that did not end. */
  readonly by?: string
  /** The title of the test that failed, or an error. */
  readonly detail?: string
}

/** The Vitest that measures faults; it is replaced when its world contains a fault or a test hangs. */
export type Bench = { readonly copy: string; session: Session }

/** @param budgetMs after this time, no further test file is begun */
export async function measure(
  bench: Bench,
  fault: PlacedFault,
  tests: readonly string[],
  budgetMs: number,
): Promise<FaultResult> {
  const takeOut = plant(bench.copy, fault)
  try {
    await reload(bench, fault)
    return await firstFailure(bench, tests, Date.now() + budgetMs)
  } catch (error) {
    return { outcome: 'broken', detail: String(error) }
  } finally {
    takeOut()
    await reload(bench, fault)
  }
}

async function firstFailure(bench: Bench, tests: readonly string[], end: number): Promise<FaultResult> {
  for (const by of tests) {
    if (Date.now() > end) return { outcome: 'open' }
    const { hangs, failure } = await bench.session.run(by, FILE_LIMIT_MS)
    if (hangs) await replace(bench)
    if (hangs) return { outcome: 'hangs', by }
    if (failure) return { outcome: failure.timedOut ? 'timed out' : 'caught', by, detail: failure.test }
  }
  return { outcome: 'survived' }
}

/** Makes tests see the change of a file. */
async function reload(bench: Bench, { place: { file } }: PlacedFault): Promise<void> {
  if (BESIDE_WORLD.some((folder) => file.startsWith(folder))) return bench.session.forget([file])
  if (file.endsWith('.sol') && !compiles(bench.copy)) throw new Error('does not compile')
  await replace(bench)
}

async function replace(bench: Bench): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())
  await Promise.race([bench.session.close(), limit])
  bench.session = await openSession(bench.copy)
}

const compiles = (cwd: string): boolean =>
  spawnSync(process.execPath, ['scripts/compile-contracts.ts'], { cwd, stdio: 'ignore' }).status === 0
