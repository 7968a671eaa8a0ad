/** Additions of session cookies to the OpenAPI document of a gateway that sets them. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { catalogue, type ErrorCode } from '../errors.ts'
import { CSRF_HEADER } from '../http/csrf.ts'
import type { AppEnv } from '../http/env.ts'
import { rulesOf } from '../http/route-rules.ts'

export type Document = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>
export type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>

const COOKIE = 'sessionCookie'
const CSRF = 'csrfToken'

/** Describes the cookie, and the header that unsafe requests need with it. */
export function cookieSchemes(cookie: string) {
  const cookieDescription = 'The cookie of `POST /api/v1/auth/verify` with `cookie: true`.'
  const headerDescription = 'The `csrfToken` of the session in the cookie.'
  return [
    [COOKIE, { type: 'apiKey', in: 'cookie', name: cookie, description: cookieDescription }],
    [CSRF, { type: 'apiKey', in: 'header', name: CSRF_HEADER, description: headerDescription }],
  ] as const
}

/**
 * Adds the cookie to the ways in which requests that need a session are authenticated, and the refusals of unsafe ones.
 */
export function describeCookies({ paths = {} }: Document): void {
  for (const { get, post } of Object.values(paths)) {
    if (isGuarded(get)) get.security = [{ [COOKIE]: [] }]
    if (isGuarded(post)) {
      post.security = [{ [COOKIE]: [], [CSRF]: [] }]
      addRefusals(post, ['ORIGIN_NOT_ALLOWED', 'CSRF_TOKEN_INVALID'])
    }
    // A sign-in that asks for a cookie must come from a site, too.
    if (post?.operationId === 'verifySignIn') addRefusals(post, ['ORIGIN_NOT_ALLOWED'])
  }
}

function isGuarded(operation: Operation | undefined): operation is Operation {
  return operation !== undefined && rulesOf(operation).access === 'wallet'
}

function addRefusals(operation: Operation, codes: readonly ErrorCode[]): void {
  const { responses = {} } = operation
  const known: string[] = responses[403] ? [responses[403].description] : []
  const added = codes.map((code) => `\`${code}\`: ${catalogue[code].title}.`)
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  operation.responses = { ...responses, 403: { description: [...known, ...added].join('\n\n'), content } }
}
