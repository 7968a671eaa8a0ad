/** Alerts and dashboard: each metric that they name exists, and each alert and metric is explained. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { createMetrics } from '../../api/metrics/metrics.ts'
import { exposeProcess } from '../../api/operations/process.ts'
import { exposeState } from '../../api/operations/state.ts'
import { createOptimizerPool } from '../../api/optimizer-pool/index.ts'
import { createMetrics as createAuditorMetrics } from '../../auditor/metrics.ts'
import { createGatewayWithDeps } from '../support/gateway.ts'
import { createTestStore } from '../support/store.ts'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const rulesShape = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
})
const testsShape = z.object({
  tests: z.array(
    z.object({
      alert_rule_test: z.array(z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()) })),
    }),
  ),
})
const dashboardShape = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
})

const alerts = rulesShape
  .parse(parse(textOf('ops/prometheus/alerts.yml')))
  .groups.flatMap(({ rules }) => rules)
const panels = dashboardShape
  .parse(JSON.parse(textOf('ops/grafana/dashboard.json')))
  .panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
const operations = textOf('docs/operations.md')

/** Names of series. */
const existing = new Set(['up'])
/** Names of the gateway's metrics. */
const ofGateway: string[] = []
const ends: (() => unknown)[] = []

beforeAll(async () => {
  const store = await createTestStore()
  const metrics = createMetrics([])
  const { deps } = createGatewayWithDeps(store, { metrics })
  const optimizer = createOptimizerPool({ threads: 1, maxQueue: 0, onFault: () => {} })
  ends.push(
    exposeProcess(metrics),
    exposeState(metrics, { ...deps, pool: store.pool, replicas: [], optimizer }),
  )
  ends.push(optimizer.close, store.stop)
  ofGateway.push(...metrics.registry.getMetricsAsArray().map(({ name }) => name))
  const described = [
    ...(await metrics.registry.getMetricsAsJSON()),
    ...(await createAuditorMetrics().registry.getMetricsAsJSON()),
    ...metricsOfPonder(),
  ]
  for (const { name, type } of described) {
    const isHistogram = `${type}` === 'histogram'
    for (const suffix of isHistogram ? ['_bucket', '_count', '_sum'] : ['']) existing.add(`${name}${suffix}`)
  }
})
afterAll(async () => {
  for (const end of ends) await end()
})

/** As the installed Ponder declares them. */
function metricsOfPonder(): { name: string; type: string }[] {
  const declared = textOf('node_modules/ponder/src/internal/metrics.ts').matchAll(
    /new prometheus\.(\w+)(?:<[^>]*>)?\(\{\s*name: "(\w+)"/g,
  )
  return [...declared].map(([, type = '', name = '']) => ({ name, type: type.toLowerCase() }))
}

/** The names of series in an expression: what is neither a function nor a word of the language. */
function seriesOf(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replace(/\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, ' ')
  return [...bare.matchAll(/\b([a-z_]\w*)\b(?!\s*\()/gi)]
    .map(([, name = '']) => name)
    .filter((name) => !['and', 'or', 'unless', 'bool'].includes(name))
}

describe('the alerts', () => {
  it('name series that exist', () => {
    const named = alerts.flatMap(({ expr }) => seriesOf(expr))
    expect(named.length).toBeGreaterThan(alerts.length)
    expect(named.filter((name) => !existing.has(name))).toEqual([])
  })

  it.each(alerts)('$alert states in docs/operations.md what it means and what to do', ({ alert }) => {
    const row = operations.split('\n').find((line) => line.startsWith(`| \`${alert}\` |`))
    const [meaning, action] = (row ?? '').split('|').slice(2)
    expect(meaning?.trim().length).toBeGreaterThan(20)
    expect(action?.trim().length).toBeGreaterThan(20)
  })

  it('have a test with an alert, and one without', () => {
    const { tests } = testsShape.parse(parse(textOf('ops/prometheus/alerts.test.yml')))
    const cases = tests.flatMap((test) => test.alert_rule_test)
    const tested = (expected: boolean) => [
      ...new Set(
        cases
          .filter(({ exp_alerts }) => exp_alerts.length > 0 === expected)
          .map(({ alertname }) => alertname),
      ),
    ]
    const names = alerts.map(({ alert }) => alert).sort()
    expect([tested(true).sort(), tested(false).sort()]).toEqual([names, names])
  })

  it('are refused in one sentence where promtool is missing', () => {
    const script = join(ROOT, 'scripts/check-alerts.ts')
    const { status, stderr } = spawnSync(process.execPath, [script], {
      env: { PATH: '/nowhere' },
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^promtool could not be run .*Install Prometheus/),
    ])
  })
})

describe('the dashboard', () => {
  it('names series that exist', () => {
    const named = panels.flatMap(seriesOf)
    expect(named.length).toBeGreaterThan(panels.length)
    expect(named.filter((name) => !existing.has(name))).toEqual([])
  })
})

describe('the list of metrics', () => {
  it('has each one of the gateway', () => {
    expect(ofGateway.length).toBeGreaterThan(20)
    expect(ofGateway.filter((name) => !operations.includes(`| \`${name}\``))).toEqual([])
  })
})
