/** The objects of Kubernetes agree with the code. `npm run check:ops` checks their form. */
import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import {
  commandOf,
  DRAIN_SECONDS,
  defaultPort,
  dockerfile,
  drainLeadMs,
  isPath,
  metricsPorts,
  names,
  OPERATOR,
  PROCESSES,
  ROOT,
  SNAPSHOT,
  textOf,
} from './shipped.ts'

const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }),
  periodSeconds: z.number(),
  failureThreshold: z.number().default(3),
})
/** A container that is named by a tag alone is refused here. */
const imageByDigest = z.string().regex(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
const deployment = z.object({
  kind: z.literal('Deployment'),
  metadata: z.object({ name: z.enum(names) }),
  spec: z.object({
    replicas: z.number(),
    template: z.object({
      spec: z.object({
        automountServiceAccountToken: z.literal(false),
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.object({
          runAsNonRoot: z.literal(true),
          runAsUser: z.number(),
          runAsGroup: z.number(),
          seccompProfile: z.object({ type: z.literal('RuntimeDefault') }),
        }),
        containers: z.tuple([
          z.object({
            image: imageByDigest,
            args: z.array(z.string()),
            env: z.array(z.object({ name: z.string(), value: z.string() })),
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
            readinessProbe: probe.optional(),
            livenessProbe: probe.optional(),
            securityContext: z.object({
              allowPrivilegeEscalation: z.literal(false),
              readOnlyRootFilesystem: z.literal(true),
              capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
            }),
          }),
        ]),
      }),
    }),
  }),
})
/** The job of a command that writes files. */
const cronJob = z.object({
  spec: z.object({
    concurrencyPolicy: z.literal('Forbid'),
    jobTemplate: z.object({
      spec: z.object({
        template: z.object({
          spec: z.object({
            automountServiceAccountToken: z.literal(false),
            securityContext: z.object({
              runAsNonRoot: z.literal(true),
              runAsUser: z.number(),
              runAsGroup: z.number(),
              fsGroup: z.number(),
            }),
            containers: z.tuple([
              z.object({
                image: imageByDigest,
                args: z.array(z.string()),
                envFrom: z.tuple([z.object({ secretRef: z.object({ name: z.string() }) })]),
                volumeMounts: z.tuple([z.object({ name: z.string(), mountPath: z.string() })]),
                securityContext: z.object({
                  allowPrivilegeEscalation: z.literal(false),
                  readOnlyRootFilesystem: z.literal(true),
                }),
              }),
            ]),
            volumes: z.array(z.looseObject({ name: z.string() })),
          }),
        }),
      }),
    }),
  }),
})
const objects = globSync('ops/kubernetes/*.yaml', { cwd: ROOT }).flatMap((file) =>
  parseAllDocuments(textOf(file)).map((document): unknown => document.toJS()),
)
const ofKind = <T extends z.ZodType>(kind: string, shape: T) =>
  objects
    .filter((object) => z.looseObject({ kind: z.literal(kind) }).safeParse(object).success)
    .map((object) => shape.parse(object))
const deployments = ofKind('Deployment', deployment)
const secrets = ofKind(
  'Secret',
  z.object({
    metadata: z.object({ name: z.enum([...names, 'snapshot']) }),
    stringData: z.record(z.string(), z.literal('')),
  }),
)
const [shared] = ofKind('ConfigMap', z.object({ data: z.record(z.string(), z.string()) }))

describe('the objects of Kubernetes', () => {
  it('have one deployment and one secret for each process, and a secret for the snapshots', () => {
    expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual([...names].sort())
    expect(secrets.map(({ metadata }) => metadata.name).sort()).toEqual([...names, 'snapshot'].sort())
  })

  it('write snapshots with settings that they have, to a volume, as the user of the image', () => {
    const [job] = ofKind('CronJob', cronJob)
    const { securityContext, containers, volumes } = job?.spec.jobTemplate.spec.template.spec ?? {}
    const [{ args, envFrom, volumeMounts } = {}] = containers ?? []
    expect(args).toEqual([...SNAPSHOT.command, volumeMounts?.[0].mountPath])
    expect(volumes?.map(({ name }) => name)).toEqual([volumeMounts?.[0].name])
    const blanks = secrets.find(({ metadata }) => metadata.name === envFrom?.[0].secretRef.name)?.stringData
    expect(Object.keys(blanks ?? {})).toEqual(['DATABASE_URL'])
    expect(SNAPSHOT.settings).toContain('DATABASE_URL')
    expect(`${securityContext?.runAsUser}:${securityContext?.runAsGroup}`).toBe(dockerfile.get('USER'))
  })

  it.each(deployments)(
    '$metadata.name starts its process with settings that it has, as the user of the image',
    ({ metadata, spec }) => {
      const pod = spec.template.spec
      const [{ args, env, ports }] = pod.containers
      const { settings, start } = PROCESSES[metadata.name]
      const blanks = secrets.find((secret) => secret.metadata.name === metadata.name)?.stringData ?? {}
      const given = { ...shared?.data, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) }
      expect(args).toEqual(commandOf(metadata.name))
      expect(Object.keys({ ...given, ...blanks }).filter((variable) => !settings.includes(variable))).toEqual(
        [],
      )
      const values = Object.fromEntries(Object.keys(blanks).map((name) => [name, OPERATOR[name] ?? '']))
      expect(() => start({ ...given, ...values })).not.toThrow()
      expect(() => start({ ...given, ...blanks })).toThrow(/DATABASE_URL.*RPC_URLS|RPC_URLS.*DATABASE_URL/)
      expect(ports).toContainEqual({ name: 'metrics', containerPort: metricsPorts.get(metadata.name) })
      const { runAsUser, runAsGroup } = pod.securityContext
      expect(`${runAsUser}:${runAsGroup}`).toBe(dockerfile.get('USER'))
    },
  )

  it('take a draining gateway out of service before it stops listening, and end it after its drain', () => {
    const { spec } = z
      .object({ spec: deployment.shape.spec })
      .parse(deployments.find(({ metadata }) => metadata.name === 'gateway'))
    const [{ readinessProbe, livenessProbe, ports }] = spec.template.spec.containers
    const { periodSeconds = Infinity, failureThreshold = Infinity } = readinessProbe ?? {}
    expect(periodSeconds * failureThreshold * 1000).toBeLessThan(drainLeadMs)
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(DRAIN_SECONDS)
    expect(spec.replicas).toBeGreaterThan(1)
    expect(ports).toContainEqual({ name: 'http', containerPort: defaultPort })
    for (const { httpGet } of [readinessProbe, livenessProbe].filter((one) => one !== undefined)) {
      expect(httpGet.port).toBe('http')
      expect(isPath(httpGet.path)).toBe(true)
    }
    expect([readinessProbe?.httpGet.path, livenessProbe?.httpGet.path]).toEqual([
      expect.stringMatching(/ready$/),
      expect.not.stringMatching(/ready/),
    ])
  })

  it('open the metrics to the namespace of the monitoring alone', () => {
    const portsOf = z.object({ spec: z.object({ ports: z.array(z.object({ targetPort: z.string() })) }) })
    expect(ofKind('Service', portsOf).flatMap(({ spec }) => spec.ports)).toEqual([{ targetPort: 'http' }])
    const policy = z.object({
      metadata: z.object({ name: z.string() }),
      spec: z.object({
        podSelector: z.looseObject({}),
        policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
        egress: z.array(z.looseObject({})).default([]),
        ingress: z
          .array(
            z.object({
              from: z.array(z.looseObject({})).min(1),
              ports: z.array(z.object({ port: z.string() })).min(1),
            }),
          )
          .default([]),
      }),
    })
    const policies = ofKind('NetworkPolicy', policy)
    expect(
      policies
        .filter(({ spec }) => spec.ingress.length === 0 && spec.egress.length === 0)
        .map(({ spec }) => [spec.podSelector, spec.policyTypes]),
    ).toEqual([[{}, ['Ingress', 'Egress']]])
    const openings = policies.flatMap(({ metadata, spec }) =>
      spec.ingress.flatMap(({ ports }) => ports.map(({ port }) => [metadata.name, port])),
    )
    expect(openings.sort()).toEqual([
      ['gateway', 'http'],
      ['metrics', 'metrics'],
    ])
  })

  it('connect to names, Postgres and public addresses over TLS alone', () => {
    const egress = z.object({
      spec: z.object({
        egress: z
          .array(
            z.object({
              to: z
                .array(
                  z.looseObject({
                    ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()) }).optional(),
                  }),
                )
                .min(1),
              ports: z.array(z.object({ protocol: z.enum(['TCP', 'UDP']), port: z.number() })).min(1),
            }),
          )
          .default([]),
      }),
    })
    const rules = ofKind('NetworkPolicy', egress).flatMap(({ spec }) => spec.egress)
    expect(
      rules.flatMap(({ ports }) => ports.map(({ protocol, port }) => `${protocol} ${port}`)).sort(),
    ).toEqual(['TCP 443', 'TCP 53', 'TCP 5432', 'UDP 53'])
    const blocks = rules.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
    expect(blocks.map(({ except }) => except)).toEqual([
      expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']),
    ])
  })
})
