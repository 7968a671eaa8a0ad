/**
 * Files that mutation testing changes, and the tests that must notice: those that need a second or less for each
 * change. Planted faults (test/planted) check the tests that need the chain and the index.
 */
export type Part = {
  /** Source files, as globs. */
  readonly mutate: readonly string[]
  /** Test files, as globs. */
  readonly tests: readonly string[]
  /** Global setups of Vitest that the tests need. */
  readonly setup?: readonly string[]
}

const OPTIMIZER_TESTS = [
  'test/optimizer/{claim-order,cost-table,cuts,greedy,issuer-limit-rules,large-amounts,shape,split}.test.ts',
]
const POSTGRES = 'test/support/postgres.global.ts'

export const parts: Readonly<Record<string, Part>> = {
  domain: {
    mutate: ['api/domain/*.ts'],
    tests: [
      'test/domain/*.test.ts',
      'test/prepare/judge-attestation.test.ts',
      'test/projection/cursor.test.ts',
    ],
  },
  auth: {
    mutate: ['api/auth/{nonce,siwe,token,secrets}.ts'],
    tests: ['test/auth/{config,nonce,secrets,siwe,token}.test.ts'],
  },
  routing: {
    mutate: [
      'api/eligibility/*.ts',
      'api/routing/{bind-route,planning-window,prepared-route,reserve,revalidate,route-id}.ts',
    ],
    tests: ['test/routing/*.test.ts'],
  },
  'optimizer-greedy': {
    mutate: ['api/optimizer/greedy.ts'],
    tests: OPTIMIZER_TESTS,
  },
  'optimizer-model': {
    mutate: ['api/optimizer/model/*.ts'],
    tests: OPTIMIZER_TESTS,
  },
  'optimizer-split': {
    mutate: ['api/optimizer/split/*.ts'],
    // With the others, 859 changes take hours.
    tests: ['test/optimizer/{cost-table,split}.test.ts'],
  },
  intents: {
    mutate: ['api/store/{prepared-executions,prune,route-intent-row,route-intents}.ts'],
    tests: ['test/store/*.test.ts'],
    setup: [POSTGRES],
  },
  client: {
    mutate: ['packages/client/src/{errors,session}.ts'],
    tests: ['test/client/{errors,session-changes}.test.ts'],
    setup: [POSTGRES],
  },
}
