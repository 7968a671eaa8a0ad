import { requireSession } from '../middleware/authenticate.ts'
import { listClaims } from '../projection/claim.ts'
import { answer } from './answer.ts'
import { presentClaim } from './claims.ts'
import { listIssuedClaims } from './issued-claims.routes.ts'
import { readPageAnswer } from './pagination.ts'
import { createRouter } from './router.ts'

export function issuedClaims() {
  return createRouter().openapi(listIssuedClaims, async (c) => {
    const { wallet } = requireSession(c)
    const { limit, cursor } = c.req.valid('query')
    const { through, body } = await readPageAnswer(
      c,
      (snapshot) =>
        listClaims(snapshot, {
          filter: { column: 'issuer', is: 'eq', value: wallet },
          orderBy: 'registeredAt',
          direction: 'desc',
          limit,
          after: cursor,
          cursorPath: 'cursor',
        }),
      (row, { timestamp }) => presentClaim(row, timestamp),
    )
    return answer(c, through, body)
  })
}
