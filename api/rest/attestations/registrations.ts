import { findObstacle } from '../../head/obstacle.ts'
import { findPending } from '../../head/pending.ts'
import { requireSession } from '../../http/authenticate.ts'
import type { PrepareDeps } from '../../prepare/deps.ts'
import { prepareRegistration } from '../../prepare/registration.ts'
import { presentPreparedTransaction } from '../shared/prepared.ts'
import { createRouter } from '../shared/router.ts'
import { prepareRegistrationRoute } from './registrations.routes.ts'

export function registrations(deps: PrepareDeps) {
  return createRouter().openapi(prepareRegistrationRoute, async (c) => {
    const registration = { ...c.req.valid('json'), submitter: requireSession(c).wallet }
    const prepared = await prepareRegistration(deps, registration, c.get('pinBlock'))
    const { claimId } = prepared
    return c.json(
      {
        ...presentPreparedTransaction(
          prepared,
          findPending(deps.head, prepared.block.number, { claims: [claimId] }),
          findObstacle(deps.head, prepared.block.number, { registers: claimId }),
        ),
        claimId,
      },
      200,
    )
  })
}
