import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Each worker and each process of a test loads the same modules.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile')

// Each time is in UTC, whatever the zone of a machine. In this zone, the day and the minute differ from those in UTC.
process.env.TZ = 'Pacific/Chatham'

const POSTGRES = 'test/support/postgres.global.ts'
const BROWSER = 'test/support/browser.global.ts'
/** Read one seeded, indexed world that is shared by all of them (test/support/world.ts). */
const WORLD_TESTS = [
  'test/rest/**/*.test.ts',
  'test/graphql/**/*.test.ts',
  'test/projection/**/*.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/limits/**/*.test.ts',
  'test/pages/**/*.test.ts',
  'test/docs/**/*.test.ts',
  'test/explorer/{desk,pages}.test.ts',
  'test/explorer/figures/*.test.ts',
  'test/snapshot/**/*.test.ts',
]

/** Longer runs: `npm run test:faults`. The runner of planted faults has all of them, too. */
const LONG_TESTS =
  process.env.FAULTS === 'all' || process.env.TEST_ISOLATED === 'yes'
    ? []
    : [
        'test/auditor/{extremes,live,missing-logs,planted,service}.test.ts',
        'test/database/upgrade.test.ts',
        'test/deploy/{faults,lies}.test.ts',
        'test/devnet/dev-interrupted.test.ts',
        'test/faults/gateway/{clocks,database,killed-flows,replicas,replicated,slow-readers,stops-behind-nginx}.test.ts',
        'test/faults/indexer/{bad-restart,connections,missing-logs,publication,random,restart,standby}.test.ts',
        'test/flow/{demo,live-load,route-contention,route-killed,route-recovery,sign-in-storm}.test.ts',
        'test/head/{history,lying-nodes}.test.ts',
        'test/indexer/{crash,faulty-backfill,faulty-nodes,new-chain,node-secrets,nodes-start-later}.test.ts',
        'test/operations/port.test.ts',
        'test/optimizer/{large,rules-off,wide}.test.ts',
        'test/react/minutes-to-final.test.ts',
        'test/scripts/{audit,help}.test.ts',
      ]

/** Installs from the registry: `npm run test:packages`. */
const PACKAGE_TESTS = process.env.PACKAGES === 'yes' ? [] : ['test/packages/**/*.test.ts']

/**
 * Limits that end a test that hangs, milliseconds. They are far above what a test needs on a busy machine, so none
 * measures its speed. The runner of planted faults sets a lower one: it waits for many tests that hang.
 */
const LIMIT_MS = Number(process.env.TEST_LIMIT_MS ?? 600_000)
const shared = {
  setupFiles: ['test/support/fast-check.setup.ts'],
  testTimeout: LIMIT_MS,
  // Files share the modules of a worker: loading them again for each costs a third of the time of short files. The
  // runner of planted faults changes modules between files, so each has a process of its own there.
  isolate: process.env.TEST_ISOLATED === 'yes',
  hookTimeout: LIMIT_MS * 1.5,
  expect: { poll: { timeout: LIMIT_MS / 2 } },
}

const resolve = {
  alias: [
    // Vite would load graphql as ES modules for us, and Node loads it as CommonJS for our libraries: two copies that
    // refuse each other.
    { find: /^graphql$/, replacement: 'graphql/index.js' },
    // Modules that Ponder makes up for the handlers.
    { find: 'ponder:registry', replacement: join(import.meta.dirname, 'test/support/ponder-registry.ts') },
    { find: 'ponder:schema', replacement: join(import.meta.dirname, 'ponder.schema.ts') },
    // Samples of the documentation import the package, which is not built here.
    {
      find: /^claim-financing-client$/,
      replacement: join(import.meta.dirname, 'packages/client/src/index.ts'),
    },
  ],
}

export default defineConfig({
  test: {
    // More than cores, since tests wait for chains and databases half of their time. A percentage means at most one for
    // each core.
    maxWorkers: 2 * availableParallelism(),
    projects: [
      {
        resolve,
        test: {
          ...shared,
          name: 'own',
          include: ['test/**/*.test.ts'],
          exclude: [...WORLD_TESTS, ...LONG_TESTS, ...PACKAGE_TESTS],
          globalSetup: [POSTGRES, BROWSER],
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'world',
          include: WORLD_TESTS,
          globalSetup: [POSTGRES, BROWSER, 'test/support/world.global.ts'],
        },
      },
    ],
  },
})
