/**
 * One Vitest over a copy of the project. Postgres and the shared world start once; each file runs in a process of its
 * own.
 */
import { join, relative } from 'node:path'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'

/** For one test, milliseconds: far above what any needs, and low enough to wait for many that hang. */
const TEST_LIMIT_MS = '120000'

/** An error of Vite, not of a test. A fault that cannot be parsed is one, too. */
const VITE_FAILED = 'error: Internal server error'

export type Failure = {
  /** The title of the test that failed, or the error of a file whose tests did not begin. */
  readonly test: string
  /** Whether the time limit of a test or hook failed it. */
  readonly timedOut: boolean
}

/** `hangs`: the file did not end within the limit. */
export type FileResult = { readonly hangs: boolean; readonly failure: Failure | undefined }

export type Session = {
  /** The files that `npm test` runs, as paths from the root. */
  readonly files: readonly string[]
  /** Runs one test file up to its first failure. */
  readonly run: (file: string, limitMs: number) => Promise<FileResult>
  /** Makes the next run read these files again. */
  readonly forget: (files: readonly string[]) => void
  readonly close: () => Promise<void>
}

export async function openSession(copy: string): Promise<Session> {
  process.chdir(copy)
  process.env.TEST_LIMIT_MS = TEST_LIMIT_MS
  process.env.TEST_ISOLATED = 'yes'
  const options = { root: copy, watch: false, bail: 1, maxWorkers: 1, reporters: [], silent: true }
  const vitest = await createVitest(options)
  await vitest.standalone()
  const specifications = await vitest.globTestSpecifications()
  return {
    files: specifications.map(({ moduleId }) => relative(copy, moduleId)),
    run: (file, limitMs) => runFile(vitest, join(copy, file), limitMs),
    forget: (files) => {
      for (const file of files) vitest.invalidateFile(join(copy, file))
      // A module that imports a changed one would fail to load: Vite expects that its server updates it.
      for (const { vite } of vitest.projects)
        for (const { moduleGraph } of Object.values(vite.environments)) moduleGraph.invalidateAll()
    },
    close: () => vitest.close(),
  }
}

async function runFile(vitest: Vitest, path: string, limitMs: number): Promise<FileResult> {
  const specifications = await vitest.globTestSpecifications([path])
  if (specifications.length === 0) throw new Error(`npm test does not run ${path}`)
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<FileResult>((resolve) => {
    timer = setTimeout(() => resolve({ hangs: true, failure: undefined }), limitMs)
  })
  const ended = vitest.runTestSpecifications(specifications).then(({ testModules, unhandledErrors }) => {
    const own = testModules.filter(({ moduleId }) => moduleId === path)
    const [failure] = [...own.flatMap(failuresOf), ...unhandledErrors.map(toFailure)]
    if (failure?.test.includes(VITE_FAILED)) throw new Error(failure.test)
    return { hangs: false, failure }
  })
  return Promise.race([ended, limit]).finally(() => clearTimeout(timer))
}

function failuresOf(module: TestModule): Failure[] {
  const tests = [...module.children.allTests('failed')].map((test) => {
    const errors = test.result().errors ?? []
    return { test: test.fullName, timedOut: errors.some(isTimeout) }
  })
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors())
  return [...tests, ...[...suites, ...module.errors()].map(toFailure)]
}

const toFailure = (error: unknown): Failure => ({
  test: `error: ${messageOf(error).split('\n')[0]}`,
  timedOut: isTimeout(error),
})

const isTimeout = (error: unknown): boolean => /^(Test|Hook) timed out/.test(messageOf(error))

function messageOf(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error
  return String(hasMessage ? error.message : error)
}
