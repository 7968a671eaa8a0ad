/** Errors in the OpenAPI document, from the catalogue. */
import { z } from '@hono/zod-openapi'
import { catalogue, type ErrorCode } from '../errors.ts'

const fieldError = z.object({ path: z.string(), message: z.string() })

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(catalogue)),
    requestId: z.string(),
    errors: z.array(fieldError).optional(),
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
  'READS_BUSY',
] as const satisfies readonly ErrorCode[]

/** The errors any route that requires a token can meet. */
export const tokenProblems = [
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'INTERNAL',
  'DATABASE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]
