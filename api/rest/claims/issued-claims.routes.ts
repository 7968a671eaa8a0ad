import { okRead } from '../shared/answer.ts'
import { asOfProblems } from '../shared/as-of.ts'
import { defineRoute } from '../shared/define-route.ts'
import { pageOf, pageQuery } from '../shared/pagination.ts'
import { problems, readProblems, tokenProblems } from '../shared/problems.ts'
import { claim } from './claims.routes.ts'

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
      ...okRead('A page of claims.', pageOf(claim)),
      ...problems(...readProblems, ...asOfProblems, ...tokenProblems),
    },
  },
)
