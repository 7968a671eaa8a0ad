import { findObstacle } from '../../head/obstacle.ts'
import { findPending } from '../../head/pending.ts'
import { requireSession } from '../../http/authenticate.ts'
import type { PrepareDeps } from '../../prepare/deps.ts'
import { prepareRevocation } from '../../prepare/revocation.ts'
import { presentPreparedTransaction } from '../shared/prepared.ts'
import { createRouter } from '../shared/router.ts'
import { prepareRevocationRoute } from './revocations.routes.ts'

export function revocations(deps: PrepareDeps) {
  return createRouter().openapi(prepareRevocationRoute, async (c) => {
    const request = { issuer: requireSession(c).wallet, claimId: c.req.valid('param').claimId }
    const prepared = await prepareRevocation(deps, request, c.get('pinBlock'))
    return c.json(
      {
        ...presentPreparedTransaction(
          prepared,
          findPending(deps.head, prepared.block.number, { claims: [request.claimId] }),
          findObstacle(deps.head, prepared.block.number, { revokes: request.claimId }),
        ),
        claimId: request.claimId,
      },
      200,
    )
  })
}
