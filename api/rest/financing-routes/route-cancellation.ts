import { formatMoney } from '../../domain/money.ts'
import { findPending } from '../../head/pending.ts'
import { requireSession } from '../../http/authenticate.ts'
import type { PrepareDeps } from '../../prepare/deps.ts'
import { prepareRouteCancellation } from '../../prepare/route-cancellation.ts'
import { presentPreparedTransaction } from '../shared/prepared.ts'
import { createRouter } from '../shared/router.ts'
import { prepareRouteCancellationRoute } from './route-cancellation.routes.ts'

export function routeCancellation(deps: PrepareDeps) {
  return createRouter().openapi(prepareRouteCancellationRoute, async (c) => {
    const prepared = await prepareRouteCancellation(deps, requireSession(c).wallet, c.get('pinBlock'))
    const answer = {
      ...presentPreparedTransaction(
        prepared,
        findPending(deps.head, prepared.block.number, { routesOf: requireSession(c).wallet }),
      ),
      nonce: formatMoney(prepared.nonce),
    }
    return c.json(answer, 200)
  })
}
