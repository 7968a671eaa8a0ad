import { findPending } from '../../head/pending.ts'
import { requireSession } from '../../http/authenticate.ts'
import { prepareAttestationCancellation } from '../../prepare/attestation-cancellation.ts'
import type { PrepareDeps } from '../../prepare/deps.ts'
import { presentPreparedTransaction } from '../shared/prepared.ts'
import { createRouter } from '../shared/router.ts'
import { prepareAttestationCancellationRoute } from './attestation-cancellation.routes.ts'
import { issuerMismatch } from './attestations.ts'

export function attestationCancellation(deps: PrepareDeps) {
  return createRouter().openapi(prepareAttestationCancellationRoute, async (c) => {
    const { attestation } = c.req.valid('json')
    const { wallet } = requireSession(c)
    if (attestation.issuer !== wallet) throw issuerMismatch(attestation.issuer, wallet)
    const prepared = await prepareAttestationCancellation(deps, attestation, c.get('pinBlock'))
    const { claimId } = prepared
    return c.json(
      {
        ...presentPreparedTransaction(
          prepared,
          findPending(deps.head, prepared.block.number, { claims: [claimId] }),
        ),
        claimId,
      },
      200,
    )
  })
}
