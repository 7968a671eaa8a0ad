import { z } from '@hono/zod-openapi'
import { wholeNumber } from '../../domain/integer.ts'
import { clockTime, time } from '../../domain/time.ts'
import { DIFFERENCES_SHOWN } from '../../projection/tables/audit.ts'
import { finalizedThrough, okJson, orNull } from '../shared/answer.ts'
import { defineRoute } from '../shared/define-route.ts'
import { problems } from '../shared/problems.ts'
import { label } from '../shared/texts.ts'

export const getHealth = defineRoute(
  { access: 'public', limit: 'none' },
  {
    method: 'get',
    path: '/health',
    tags: ['Health'],
    operationId: 'getHealth',
    summary: 'Check liveness: restart a gateway that does not answer',
    responses: {
      ...okJson('The gateway runs.', z.object({ status: z.literal('ok') }).openapi('Health')),
      ...problems('VALIDATION_FAILED', 'INTERNAL'),
    },
  },
)

const difference = z
  .object({
    kind: z.enum(['MISSING_LOGS', 'WRONG_VALUE']).openapi({
      description:
        '`MISSING_LOGS`: the chain proves events that the projection lacks. `WRONG_VALUE`: a row differs from the chain.',
    }),
    entity: label,
    key: label,
    field: label,
    projected: z.string().nullable(),
    onChain: z.string().nullable(),
    block: wholeNumber,
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
    differenceCount: wholeNumber,
    missingLogCount: wholeNumber,
    differences: z.array(difference).max(DIFFERENCES_SHOWN),
  })
  .openapi('Audit', {
    description: 'Results of the auditor; `ABSENT` if it has never run.',
  })

const readiness = z
  .object({
    status: z.literal('ready'),
    finalizedThrough,
    blocksBehind: wholeNumber.nullable().openapi({
      description:
        'Number of finalized blocks that are not projected yet; null while the chain does not answer.',
    }),
    secondsBehind: wholeNumber.nullable().openapi({
      description:
        "Seconds between the last projected block and the chain's finalized block; null while the chain does not answer.",
    }),
    unchangedSince: clockTime.openapi({
      description: 'Time at which this gateway first read the projection at its current block.',
    }),
    audit,
    database: label,
    projection: label,
    chain: label,
    auditor: label,
  })
  .openapi('Readiness', { description: 'Whether the gateway is ready, and the state of each part.' })

export const getReadiness = defineRoute(
  { access: 'public', limit: 'none' },
  {
    method: 'get',
    path: '/health/ready',
    tags: ['Health'],
    operationId: 'getReadiness',
    summary:
      'Check readiness: 503 before the first index is complete, without the database, too far behind the chain, with events proven missing, or while the gateway shuts down',
    responses: {
      ...okJson('Ready.', readiness),
      ...problems(
        'VALIDATION_FAILED',
        'INTERNAL',
        'SHUTTING_DOWN',
        'NOT_READY',
        'PROJECTION_BEHIND',
        'PROJECTION_DIFFERS',
        'DATABASE_UNAVAILABLE',
      ),
    },
  },
)
