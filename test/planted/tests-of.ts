/** The test files that may notice a fault, the most likely first. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlantedFault } from './fault.ts'

/** By the folder of the fault: the tests of its own layer, and those of the layers above it, for what passes them. */
const TESTS: readonly (readonly [folder: string, near: readonly string[], wide: readonly string[]])[] = [
  ['api/optimizer/', ['test/optimizer'], ['test/routing', 'test/flow/route']],
  [
    'api/domain/',
    ['test/domain', 'test/routing', 'test/rest/', 'test/graphql/'],
    ['test/flow', 'test/prepare'],
  ],
  ['api/typed-data/', ['test/typed-data'], ['test/descriptors', 'test/flow']],
  [
    'api/auth/',
    ['test/auth', 'test/flow/sign-in'],
    ['test/middleware', 'test/chain', 'test/flow/account-kinds'],
  ],
  ['api/middleware/', ['test/middleware', 'test/auth'], ['test/rest/', 'test/graphql/', 'test/server']],
  [
    'api/store/',
    ['test/store', 'test/auth', 'test/flow/route-'],
    ['test/transactions', 'test/middleware', 'test/flow'],
  ],
  [
    'api/eligibility/',
    ['test/routing', 'test/flow/route-', 'test/flow/quote'],
    ['test/prepare', 'test/flow'],
  ],
  ['api/routing/', ['test/routing', 'test/flow/route-', 'test/flow/quote'], ['test/flow']],
  [
    'api/prepare/',
    ['test/prepare', 'test/flow/financing', 'test/flow/settlement', 'test/flow/registration'],
    ['test/flow'],
  ],
  ['api/chain/', ['test/chain', 'test/transactions', 'test/prepare'], ['test/auth', 'test/flow']],
  ['api/transactions/', ['test/transactions'], ['test/flow']],
  [
    'api/projection/',
    ['test/projection', 'test/graphql/'],
    ['test/rest/', 'test/flow/live', 'test/indexer/agreement'],
  ],
  ['api/graphql/', ['test/graphql/'], ['test/projection', 'test/flow/live', 'test/transactions']],
  ['api/rest/', ['test/rest/', 'test/openapi'], ['test/auth', 'test/flow', 'test/server']],
  ['api/', ['test/config', 'test/auth', 'test/middleware'], ['test/server', 'test/rest/']],
  ['ponder.schema.ts', ['test/projection'], ['test/indexer/agreement']],
  ['src/', ['test/indexer/agreement', 'test/auditor'], ['test/indexer', 'test/graphql/', 'test/flow/live']],
  [
    'indexer/',
    ['test/indexer/agreement', 'test/indexer', 'test/auditor'],
    ['test/graphql/', 'test/flow/live'],
  ],
  ['contracts/', ['test/contracts'], ['test/flow', 'test/chain']],
  ['packages/client/src/', ['test/client'], ['test/flow/demo', 'test/graphql/typed-client']],
]

/** They take more than half a minute, so the others of their group run first. */
const SLOW = [
  'test/chain/lens',
  'test/fuzz',
  'test/projection/scale',
  'test/rest/hostile',
  'test/graphql/hostile',
  'test/graphql/playground',
  'test/server',
  'test/indexer/node-secrets',
  'test/flow/route-killed',
]

/** @param all the files that `npm test` runs @throws Error for a fault in a folder without tests */
export function testsOf(
  root: string,
  all: readonly string[],
  fault: PlantedFault,
  isWide: boolean,
): string[] {
  const [, near, wide] = TESTS.find(([folder]) => fault.file.startsWith(folder)) ?? []
  if (!near || !wide) throw new Error(`no tests are named for faults in ${fault.file}`)
  const groups = [near, ...(isWide ? [wide] : [])]
  const ordered = groups.flatMap((group) => byLikeness(root, fault.file, within(all, group)))
  return [...new Set([...(fault.caughtBy ?? []), ...ordered])]
}

const within = (all: readonly string[], group: readonly string[]): string[] =>
  all.filter((test) => group.some((start) => test.startsWith(start)))

function byLikeness(root: string, file: string, tests: readonly string[]): string[] {
  const likeness = new Map(tests.map((test) => [test, likenessOf(root, file, test)]))
  return tests.toSorted((a, b) => (likeness.get(b) ?? 0) - (likeness.get(a) ?? 0))
}

/** How many words of the fault's path are in the test's; an import of the file weighs four. */
function likenessOf(root: string, file: string, test: string): number {
  const isImported = readFileSync(join(root, test), 'utf8').includes(`/${file}'`)
  const words = new Set(wordsOf(test))
  const isSlow = SLOW.some((start) => test.startsWith(start))
  return wordsOf(file).filter((word) => words.has(word)).length + (isImported ? 4 : 0) - (isSlow ? 3 : 0)
}

const wordsOf = (path: string): string[] => path.toLowerCase().split(/[^a-z]+/)
