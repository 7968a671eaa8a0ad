import type { Deps } from '../deps.ts'
import { requireSession } from '../middleware/authenticate.ts'
import { listClaims } from '../projection/claim.ts'
import { answer } from './answer.ts'
import { presentClaim } from './claims.ts'
import { listIssuedClaims } from './issued-claims.routes.ts'
import { readPageAnswer } from './pagination.ts'
import { createRouter } from './router.ts'
import { pageWithTokens } from './token-info.ts'

export function issuedClaims({ labels }: Pick<Deps, 'labels'>) {
  return createRouter().openapi(listIssuedClaims, async (c) => {
    const { wallet } = requireSession(c)
    const { limit, cursor } = c.req.valid('query')
    const { through, body } = await readPageAnswer(
      c,
      async (snapshot) => {
        const page = await listClaims(snapshot, {
          filter: { column: 'issuer', is: 'eq', value: wallet },
          orderBy: 'registeredAt',
          direction: 'desc',
          limit,
          after: cursor,
          cursorPath: 'cursor',
        })
        return pageWithTokens(snapshot, page)
      },
      (row, { timestamp }) => presentClaim(row, timestamp, labels),
    )
    return answer(c, through, body)
  })
}
