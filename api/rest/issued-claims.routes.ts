import { createRoute } from '@hono/zod-openapi'
import { bearer, bearerProblems } from './bearer.ts'
import { claim } from './claims.routes.ts'
import { okJson, pageOf, pageQuery, problems, readProblems } from './wire.ts'

export const listIssuedClaims = createRoute({
  method: 'get',
  path: '/claims/issued',
  tags: ['Reads'],
  operationId: 'listIssuedClaims',
  summary: 'Claims that the caller issued, newest first',
  security: bearer,
  request: { query: pageQuery },
  responses: {
    ...okJson('A page of claims.', pageOf(claim)),
    ...problems(...readProblems, ...bearerProblems),
  },
})
