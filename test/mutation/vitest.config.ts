/** The tests of one part, for mutation testing: `MUTATION_PART` names it. */
import { defineConfig } from 'vitest/config'
import { parts } from './parts.ts'

const part = parts[process.env.MUTATION_PART ?? '']

export default defineConfig({
  // As in vitest.config.ts at the top.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: [...(part?.tests ?? [])],
    globalSetup: (process.env.MUTATION_SETUP ?? '').split(',').filter(Boolean),
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
