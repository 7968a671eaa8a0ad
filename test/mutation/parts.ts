/** What mutation testing changes, and the tests that must notice. Postgres and the shared world start where those need them. */
export type Part = {
  /** Source files, as globs. */
  readonly mutate: readonly string[]
  /** Test files, as globs. */
  readonly tests: readonly string[]
  /** Global setups of Vitest that the tests need. */
  readonly setup?: readonly string[]
}

const POSTGRES = 'test/support/postgres.global.ts'
const WORLD = 'test/support/world.global.ts'

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
    tests: ['test/auth/{config,nonce,siwe,token}.test.ts'],
  },
  routing: {
    mutate: [
      'api/routing/{bind-route,claim-refusal,leg,reserve,revalidate,route-id,vault-refusal,window}.ts',
    ],
    tests: ['test/routing/*.test.ts'],
  },
  optimizer: {
    mutate: ['api/optimizer/{model,split}/*.ts', 'api/optimizer/greedy.ts'],
    tests: ['test/optimizer/{greedy,lots,pruning,search,shape,split}.test.ts'],
  },
  intents: {
    mutate: ['api/store/{prepared-executions,prune,route-intent-row,route-intents}.ts'],
    tests: ['test/store/*.test.ts'],
    setup: [POSTGRES],
  },
  projection: {
    mutate: ['api/projection/{count,cursor,filter,page,period,series}.ts'],
    tests: ['test/projection/{count,cursor,page}.test.ts', 'test/graphql/{operators,orders,series}.test.ts'],
    setup: [POSTGRES, WORLD],
  },
  bounds: {
    mutate: ['api/graphql/{bounds,document-rules,filter,introspection}.ts'],
    tests: ['test/graphql/{bounded-work,introspection,refusals}.test.ts'],
    setup: [POSTGRES, WORLD],
  },
  client: {
    mutate: ['client/{errors,follow,plan,session}.ts'],
    tests: ['test/client/{errors,plan,session-changes}.test.ts'],
    setup: [POSTGRES],
  },
}
