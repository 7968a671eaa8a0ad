/** One Vitest over a copy of the project. Postgres and the shared world start once; each file runs in a process of its own. */
import { join, relative } from 'node:path'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'

/** For one test, milliseconds: far above what any needs, and low enough to wait for many that hang. */
const TEST_LIMIT_MS = '120000'

/** Why a file failed, or that it passed. `hangs`: it did not end within the limit. */
export type FileResult = { readonly passed: boolean; readonly hangs?: boolean; readonly failure?: string }

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
  const options = { root: copy, watch: false, bail: 1, maxWorkers: 1, reporters: [], silent: true }
  const vitest = await createVitest(options)
  await vitest.standalone()
  const specifications = await vitest.globTestSpecifications()
  return {
    files: specifications.map(({ moduleId }) => relative(copy, moduleId)),
    run: (file, limitMs) => runFile(vitest, join(copy, file), limitMs),
    forget: (files) => {
      for (const file of files) vitest.invalidateFile(join(copy, file))
    },
    close: () => vitest.close(),
  }
}

async function runFile(vitest: Vitest, path: string, limitMs: number): Promise<FileResult> {
  const specifications = await vitest.globTestSpecifications([path])
  if (specifications.length === 0) throw new Error(`npm test does not run ${path}`)
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<FileResult>((resolve) => {
    timer = setTimeout(() => resolve({ passed: false, hangs: true }), limitMs)
  })
  const ended = vitest.runTestSpecifications(specifications).then(({ testModules, unhandledErrors }) => {
    const failure =
      testModules.filter(({ moduleId }) => moduleId === path).flatMap(failuresOf)[0] ??
      unhandledErrors.map(messageOf)[0]
    return { passed: failure === undefined, ...(failure !== undefined && { failure }) }
  })
  return Promise.race([ended, limit]).finally(() => clearTimeout(timer))
}

/** The titles of the tests that failed, or the error of a file that did not get to its tests. */
function failuresOf(module: TestModule): string[] {
  const tests = [...module.children.allTests('failed')].map(({ fullName }) => fullName)
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors().map(messageOf))
  return [...tests, ...suites, ...module.errors().map(messageOf)]
}

const messageOf = (error: unknown): string =>
  `error: ${error instanceof Error || hasMessage(error) ? error.message.split('\n')[0] : error}`

const hasMessage = (error: unknown): error is { message: string } =>
  typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
