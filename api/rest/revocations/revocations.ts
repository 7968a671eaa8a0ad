import { formatMoney } from '../../domain/money.ts'
import { requireSession } from '../../http/authenticate.ts'
import type { PrepareDeps } from '../../prepare/deps.ts'
import { prepareRevocation } from '../../prepare/revocation.ts'
import { presentPreparedTransaction } from '../shared/prepared.ts'
import { presentRepayments } from '../shared/repayments.ts'
import { createRouter } from '../shared/router.ts'
import { findNames } from '../shared/vault-names.ts'
import { prepareRevocationRoute } from './revocations.routes.ts'

export function revocations(deps: PrepareDeps) {
  return createRouter().openapi(prepareRevocationRoute, async (c) => {
    const { claimId } = c.req.valid('param')
    const { maxAmount } = c.req.valid('json')
    const request = { issuer: requireSession(c).wallet, claimId, maxAmount }
    const prepared = await prepareRevocation(deps, request, c.get('pinBlock'))
    const { claim, repayments } = prepared
    const names = await findNames(
      c,
      claim.token,
      repayments.map(({ vault }) => vault),
    )
    const answer = {
      ...presentPreparedTransaction(prepared),
      claimId,
      token: claim.token,
      tokenInfo: names.token,
      repayments: presentRepayments(repayments, names.nameOf),
      maxAmount: formatMoney(prepared.maxAmount),
    }
    return c.json(answer, 200)
  })
}
