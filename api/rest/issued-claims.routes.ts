import { okJson } from './answer.ts'
import { claim } from './claims.routes.ts'
import { defineRoute } from './define-route.ts'
import { pageOf, pageQuery } from './pagination.ts'
import { problems, readProblems, tokenProblems } from './problems.ts'

export const listIssuedClaims = defineRoute(
  { access: 'wallet', limit: 'default', minBlock: 'projection', isConditional: true },
  {
    method: 'get',
    path: '/claims/issued',
    tags: ['Reads'],
    operationId: 'listIssuedClaims',
    summary: 'List the claims that the signed-in wallet issued, newest first',
    request: { query: pageQuery },
    responses: {
      ...okJson('A page of claims.', pageOf(claim)),
      ...problems(...readProblems, ...tokenProblems),
    },
  },
)
