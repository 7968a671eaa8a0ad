/** Variables with the name of no setting: those that look like one are reported, all others are somebody else's. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { names } from '../../settings/processes.ts'
import { unknownSettings } from '../../settings/unknown.ts'
import { INHERITED } from '../support/inherited.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('a variable', () => {
  it.each([
    ['RPC_URL', 'RPC_URLS'],
    ['SITE_ORIGIN', 'SITE_ORIGINS'],
    ['CHAINID', 'CHAIN_ID'],
    ['RATE_LIMT_DEFAULT', 'RATE_LIMIT_DEFAULT'],
    ['READY_BLOCKS_BEHIND', 'READY_BLOCKS_BEHIND_MAX'],
    ['DATABASE_TIMEOUT', 'DATABASE_TIMEOUT_MS'],
    ['RATE_LIMIT_WINDOW_MS', 'RATE_LIMIT_WINDOW_SECONDS'],
    ['AUDIT_METRICS_ADDRESS', 'AUDIT_METRICS_HOST'],
    ['DEPLOYER_PRIVATE_KEYS', 'DEPLOYER_PRIVATE_KEY'],
  ])('%s is likely meant for %s', (name, nearest) => {
    expect(unknownSettings({ [name]: 'hunter2' })).toEqual([
      `${name} is not a setting: the nearest one is ${nearest}`,
    ])
  })

  it('that is blank, or a setting of any process, is none of these', () => {
    const settings = Object.fromEntries([...names].map((name) => [name, '1']))
    expect(unknownSettings({ ...settings, RPC_URL: ' ', SITE_ORIGIN: undefined })).toEqual([])
  })

  it('is reported beside all others, in the order of their names', () => {
    expect(unknownSettings({ SITE_ORIGIN: 'a', CHAINID: '1', RPC_URL: 'b' })).toEqual(
      [
        ['CHAINID', 'CHAIN_ID'],
        ['RPC_URL', 'RPC_URLS'],
        ['SITE_ORIGIN', 'SITE_ORIGINS'],
      ].map(([name, nearest]) => `${name} is not a setting: the nearest one is ${nearest}`),
    )
  })

  it.each([
    ...[
      'HOME',
      'HOSTNAME',
      'HOSTS',
      'PATH',
      'POST',
      'PWD',
      'TERM',
      'USER',
      'LOGNAME',
      'SHLVL',
      'DEBUG',
      'CI',
    ],
    ...[
      'NODE_VERSION',
      'NODE_OPTIONS',
      'NODE_PATH',
      'NODE_EXTRA_CA_CERTS',
      'NODE_COMPILE_CACHE',
      'npm_config_cache',
    ],
    ...['PGHOST', 'PGPORT', 'PGUSER', 'PGPASSWORD', 'POSTGRES_DB', 'DATABASE_SCHEMA', 'REDIS_URL'],
    ...[
      'KUBERNETES_PORT',
      'KUBERNETES_SERVICE_HOST',
      'GATEWAY_PORT',
      'GATEWAY_SERVICE_HOST',
      'INVOCATION_ID',
    ],
    ...[
      'OTEL_SERVICE_NAME',
      'OTEL_TRACES_SAMPLER',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
    ],
    ...['PONDER_LOG_LEVEL', 'UV_THREADPOOL_SIZE', 'HTTP_PROXY', 'https_proxy', 'CLOCK_SKEW_MS'],
  ])('%s is of something else', (name) => {
    expect(unknownSettings({ [name]: '1' })).toEqual([])
  })
})

const SETTINGS = {
  NODE_ENV: 'test',
  CHAIN_ID: '31337',
  // Nothing listens there: no process comes further than its warnings.
  RPC_URLS: 'http://127.0.0.1:1',
  DATABASE_URL: 'postgres://gateway@127.0.0.1:1/none',
}

/**
 * Starts a process and stops it at the first line that contains a text. @returns what it wrote until then, or until it
 * ended
 */
async function outputOf(script: string, env: Record<string, string>, awaited: string): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, script)], {
    env: { ...INHERITED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (line.includes(awaited)) child.kill('SIGKILL')
    })
  }
  await new Promise((resolve) => child.once('close', resolve))
  return lines.join('\n')
}

describe.each([
  ['the gateway', 'api/server.ts'],
  ['the indexer', 'scripts/start-indexer.ts'],
  ['the auditor', 'auditor/main.ts'],
  ['the deployment', 'deploy/main.ts'],
  ['the snapshot', 'snapshot/main.ts'],
])('%s', (_, script) => {
  it('warns of such a variable at its start, and keeps the value to itself', async () => {
    const warning = 'RATE_LIMT_DEFAULT is not a setting: the nearest one is RATE_LIMIT_DEFAULT'
    const output = await outputOf(script, { ...SETTINGS, RATE_LIMT_DEFAULT: 'hunter2' }, warning)
    expect(output).toContain(warning)
    expect(output).not.toContain('hunter2')
  })
})

describe.each([
  ['the gateway', 'api/server.ts', 'The gateway did not start'],
  ['the indexer', 'scripts/start-indexer.ts', 'The indexer did not start'],
  ['the auditor', 'auditor/main.ts', 'The audit failed'],
])('%s without a setting', (_, script, beginning) => {
  it('names the variable that was likely meant for it', async () => {
    const { RPC_URLS, ...others } = SETTINGS
    const output = await outputOf(script, { ...others, RPC_URL: RPC_URLS }, beginning)
    expect(output).toContain(
      `${beginning}: RPC_URLS must list at least one node; RPC_URL is not a setting: the nearest one is RPC_URLS.`,
    )
  })
})
