/** Requirements of the code on the files with which the processes are run. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { parseConfig } from '../../api/config/config.ts'
import { KEEP_ALIVE } from '../../api/http/drain.ts'
import { describedApp } from '../../scripts/described-app.ts'
import { auditorSettings } from '../../settings/auditor.ts'
import { gatewaySettings } from '../../settings/gateway/index.ts'
import { indexerSettings } from '../../settings/indexer.ts'
import { readSettings } from '../../settings/read.ts'
import { snapshotSettings } from '../../settings/snapshot.ts'
import { TEST_SECRET } from '../support/gateway.ts'

export const ROOT = join(import.meta.dirname, '../..')
export const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

export type Env = Record<string, string>
/** Each process with the settings that it has, and its start with some of them. */
export const PROCESSES = {
  gateway: {
    script: 'start:gateway',
    settings: Object.keys(gatewaySettings.shape),
    start: (env: Env) => parseConfig(env),
  },
  indexer: {
    script: 'start:indexer',
    settings: Object.keys(indexerSettings.shape),
    start: (env: Env) => readSettings(indexerSettings, env),
  },
  auditor: {
    script: 'audit',
    settings: Object.keys(auditorSettings.shape),
    start: (env: Env) => readSettings(auditorSettings, env),
  },
}
/** The command that a timer starts, and its settings. */
export const SNAPSHOT = {
  command: ['node', 'snapshot/main.ts', '--folder'],
  settings: Object.keys(snapshotSettings.shape),
  start: (env: Env) => readSettings(snapshotSettings, env),
}

export const names = ['gateway', 'indexer', 'auditor'] as const

export const manifest = z
  .object({
    scripts: z.record(z.string(), z.string()),
    optionalDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(textOf('package.json')))
export const commandOf = (name: (typeof names)[number]) =>
  manifest.scripts[PROCESSES[name].script]?.replace(/^exec /, '').split(' ')

export const seconds = z
  .string()
  .regex(/^\d+s$/)
  .transform((text) => Number.parseInt(text, 10))
export const {
  drainLeadMs,
  drainTimeoutMs,
  port: defaultPort,
} = parseConfig({
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://db.example/x',
  RPC_URLS: 'http://node.example',
  CHAIN_ID: '1',
})
/** Duration of the drain of the slowest gateway that ends by itself. */
export const DRAIN_SECONDS =
  (drainLeadMs + Math.max(drainTimeoutMs, KEEP_ALIVE.timeoutMs + KEEP_ALIVE.marginMs)) / 1000

/** Values for what only an operator knows. */
export const OPERATOR: Env = {
  CHAIN_ID: '11155111',
  RPC_URLS: 'https://node.example',
  AUDIT_RPC_URLS: 'https://other.example',
  AUTH_SECRETS: TEST_SECRET,
  SITE_ORIGINS: 'https://app.example',
  DATABASE_URL: 'postgres://gateway:hunter2@postgres:5432/claims',
}

export const metricsPorts = new Map(
  z
    .object({
      scrape_configs: z.array(
        z.object({
          job_name: z.string(),
          static_configs: z.tuple([z.object({ targets: z.tuple([z.string()]) })]),
        }),
      ),
    })
    .parse(parse(textOf('ops/prometheus/prometheus.yml')))
    .scrape_configs.map((job) => [
      job.job_name,
      Number(new URL(`http://${job.static_configs[0].targets[0]}`).port),
    ]),
)

export const dockerfile = new Map(
  textOf('ops/docker/Dockerfile')
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => [line.split(' ')[0] ?? '', line.replace(/^[A-Z]+ /, '')]),
)

const paths = new Set(describedApp().routes.map(({ path }) => path))
export const isPath = (path: string) => paths.has(path)
