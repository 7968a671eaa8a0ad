import { createRoute, z } from '@hono/zod-openapi'
import { finalizedThrough, noQuery, okJson, problems } from './wire.ts'

export const getHealth = createRoute({
  method: 'get',
  path: '/health',
  tags: ['Health'],
  operationId: 'getHealth',
  summary: 'Whether the gateway runs; restart it when it does not answer',
  security: [],
  request: { query: noQuery },
  responses: {
    ...okJson('It runs.', z.object({ status: z.literal('ok') }).openapi('Health')),
    ...problems('VALIDATION_FAILED', 'INTERNAL'),
  },
})

const readiness = z
  .object({
    status: z.literal('ready'),
    finalizedThrough,
    blocksBehind: z
      .int()
      .nullable()
      .openapi({ description: 'Finalized blocks not projected yet; null when the chain does not answer.' }),
    database: z.string(),
    projection: z.string(),
    chain: z.string(),
  })
  .openapi('Readiness', { description: 'Whether it is ready, and the state of each part in plain words.' })

export const getReadiness = createRoute({
  method: 'get',
  path: '/health/ready',
  tags: ['Health'],
  operationId: 'getReadiness',
  summary:
    'Whether the gateway can answer reads: not before the first index is complete, nor without its database',
  security: [],
  request: { query: noQuery },
  responses: {
    ...okJson('It can.', readiness),
    ...problems('VALIDATION_FAILED', 'INTERNAL', 'NOT_READY', 'DATABASE_UNAVAILABLE'),
  },
})
