import { z } from '@hono/zod-openapi'
import { time } from '../domain/time.ts'
import { DIFFERENCES_SHOWN } from '../projection/audit.ts'
import { defineRoute } from './define-route.ts'
import { finalizedThrough, noQuery, okJson, orNull, problems } from './wire.ts'

export const getHealth = defineRoute(
  { access: 'public', limit: 'none' },
  {
    method: 'get',
    path: '/health',
    tags: ['Health'],
    operationId: 'getHealth',
    summary: 'Whether the gateway runs; restart it when it does not answer',
    request: { query: noQuery },
    responses: {
      ...okJson('It runs.', z.object({ status: z.literal('ok') }).openapi('Health')),
      ...problems('VALIDATION_FAILED', 'INTERNAL'),
    },
  },
)

const difference = z
  .object({
    kind: z.enum(['MISSING_LOGS', 'WRONG_VALUE']).openapi({
      description:
        '`MISSING_LOGS`: the chain proves events that the projection lacks. `WRONG_VALUE`: a row says something else than the chain.',
    }),
    entity: z.string(),
    key: z.string(),
    field: z.string(),
    projected: z.string().nullable(),
    onChain: z.string().nullable(),
    block: z.int(),
    firstSeen: time,
  })
  .openapi('AuditDifference', {
    description: 'A value of the projection that differs from the chain.',
  })

const audit = z
  .object({
    state: z.enum(['RUNNING', 'STOPPED', 'ABSENT']),
    through: orNull(finalizedThrough),
    at: time.nullable(),
    differenceCount: z.int(),
    missingLogCount: z.int(),
    differences: z.array(difference).max(DIFFERENCES_SHOWN),
  })
  .openapi('Audit', {
    description:
      'What the comparison of the projection with the chain has found; `ABSENT` where it never ran.',
  })

const readiness = z
  .object({
    status: z.literal('ready'),
    finalizedThrough,
    blocksBehind: z
      .int()
      .nullable()
      .openapi({ description: 'Finalized blocks not projected yet; null when the chain does not answer.' }),
    secondsBehind: z.int().nullable().openapi({
      description:
        "Seconds between the time of the last projected block and that of the chain's finalized block; null when the chain does not answer.",
    }),
    unchangedSince: z.iso.datetime().openapi({
      description: 'When this gateway first saw the projection at its block: no block was projected since.',
    }),
    audit,
    database: z.string(),
    projection: z.string(),
    chain: z.string(),
    auditor: z.string(),
  })
  .openapi('Readiness', { description: 'Whether it is ready, and the state of each part in plain words.' })

export const getReadiness = defineRoute(
  { access: 'public', limit: 'none' },
  {
    method: 'get',
    path: '/health/ready',
    tags: ['Health'],
    operationId: 'getReadiness',
    summary:
      'Whether reads can be relied on: not before the first index is complete, without the database, too far behind the chain, or with events proven missing',
    request: { query: noQuery },
    responses: {
      ...okJson('It can.', readiness),
      ...problems(
        'VALIDATION_FAILED',
        'INTERNAL',
        'NOT_READY',
        'PROJECTION_BEHIND',
        'PROJECTION_DIFFERS',
        'DATABASE_UNAVAILABLE',
      ),
    },
  },
)
