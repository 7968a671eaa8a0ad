import type { Deps } from '../deps.ts'
import { requireSession } from '../middleware/authenticate.ts'
import { listClaims } from '../projection/claim.ts'
import { readSnapshot } from '../projection/snapshot.ts'
import { presentClaim } from './claims.ts'
import { listIssuedClaims } from './issued-claims.routes.ts'
import { createRouter } from './router.ts'
import { answer } from './wire.ts'

export function issuedClaims({ db }: Deps) {
  return createRouter().openapi(listIssuedClaims, async (c) => {
    const { wallet } = requireSession(c)
    const { limit, cursor } = c.req.valid('query')
    const { page, finalizedThrough } = await readSnapshot(db, async (snapshot) => ({
      page: await listClaims(snapshot, {
        filter: { column: 'issuer', is: 'eq', value: wallet },
        orderBy: 'registeredAt',
        direction: 'desc',
        limit,
        after: cursor,
        cursorPath: 'cursor',
      }),
      finalizedThrough: snapshot.finalizedThrough,
    }))
    const items = page.items.map((row) => presentClaim(row, finalizedThrough.timestamp))
    return answer(c, finalizedThrough, { items, nextCursor: page.nextCursor })
  })
}
