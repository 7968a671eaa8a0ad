import type { ErrorCode } from '../errors.ts'

/** Security scheme of routes that want a token; `api/openapi.ts` describes it. */
export const BEARER_SCHEME = 'bearer'

export const bearer = [{ [BEARER_SCHEME]: [] }]

/** The errors any route behind a token can meet. */
export const bearerProblems = [
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'INTERNAL',
  'DATABASE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]
