/** Errors in the OpenAPI document, from the catalogue. */
import { z } from '@hono/zod-openapi'
import {
  catalogue,
  DETAIL_LENGTH_MAX,
  type ErrorCode,
  FIELD_ERRORS_MAX,
  QUOTED_LENGTH,
} from '../../errors.ts'

const quote = z.string().max(QUOTED_LENGTH)
const fieldError = z.object({ path: quote, message: quote })

/** As the library of the request ids limits those of callers. */
const requestId = z
  .string()
  .regex(/^[\w=-]+$/)
  .max(255)

const problem = z
  .object({
    type: z
      .string()
      .regex(/^\/docs\/errors\/[A-Z0-9_]+$/)
      .max(100),
    title: z.string().max(200),
    status: z.int().min(400).max(599),
    detail: z.string().max(DETAIL_LENGTH_MAX),
    code: z.enum(Object.keys(catalogue)),
    requestId,
    errors: z.array(fieldError).max(FIELD_ERRORS_MAX).optional(),
  })
  .openapi('Problem', { description: 'Problem details (RFC 9457); `code` is stable.' })

/** OpenAPI entries of the errors a route can answer with, by status, from the catalogue. */
export function problems(...codes: readonly ErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => catalogue[code].status))]
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: codes
          .filter((code) => catalogue[code].status === status)
          .map((code) => `\`${code}\`: ${catalogue[code].title}.`)
          .join('\n\n'),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  )
}

/** The errors any read can meet. */
export const readProblems = [
  'VALIDATION_FAILED',
  'INTERNAL',
  'NOT_READY',
  'PROJECTION_BEHIND',
  'DATABASE_UNAVAILABLE',
  'TOO_MANY_READS',
  'ANSWERS_UNREAD',
  'READS_BUSY',
] as const satisfies readonly ErrorCode[]

/** The errors any route that requires a token can meet. */
export const tokenProblems = [
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'INTERNAL',
  'DATABASE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]
