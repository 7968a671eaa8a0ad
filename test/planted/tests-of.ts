/** The tests of which at least one must fail, by the folder in which the fault is planted. */

/** Quick tests first: the first one that fails ends the run. */
const TESTS: readonly (readonly [folder: string, tests: readonly string[]])[] = [
  ['api/optimizer/', ['test/optimizer']],
  [
    'api/domain/',
    ['test/domain', 'test/optimizer', 'test/routing', 'test/rest', 'test/graphql', 'test/flow'],
  ],
  ['api/typed-data/', ['test/typed-data']],
  ['api/auth/', ['test/auth', 'test/middleware', 'test/flow']],
  ['api/middleware/', ['test/middleware', 'test/auth', 'test/rest', 'test/server.test.ts']],
  ['api/intents/', ['test/intents', 'test/transactions', 'test/flow']],
  ['api/routing/', ['test/routing', 'test/flow']],
  ['api/prepare/', ['test/prepare', 'test/flow']],
  ['api/chain/', ['test/chain', 'test/transactions', 'test/prepare', 'test/auth', 'test/flow']],
  ['api/transactions/', ['test/transactions', 'test/flow']],
  ['api/projection/', ['test/projection', 'test/graphql', 'test/rest', 'test/flow']],
  ['api/graphql/', ['test/graphql', 'test/projection', 'test/flow']],
  ['api/rest/', ['test/rest', 'test/openapi', 'test/auth', 'test/flow']],
  ['api/', ['test/config.test.ts', 'test/server.test.ts', 'test/auth', 'test/rest']],
  ['src/', ['test/indexer', 'test/auditor']],
  ['indexer/', ['test/indexer', 'test/auditor']],
  ['contracts/', ['test/contracts', 'test/flow']],
  ['client/', ['test/client', 'test/flow/demo.test.ts']],
]

/** @throws Error for a file of a folder without tests */
export function testsOf(file: string): readonly string[] {
  const [, tests] = TESTS.find(([folder]) => file.startsWith(folder)) ?? []
  if (!tests) throw new Error(`no tests are named for faults in ${file}`)
  return tests
}
