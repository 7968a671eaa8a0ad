import { formatMoney } from '../../domain/money.ts'
import { requireSession } from '../../http/authenticate.ts'
import type { PrepareDeps } from '../../prepare/deps.ts'
import { prepareImpairment } from '../../prepare/impairment.ts'
import { presentPreparedTransaction } from '../shared/prepared.ts'
import { createRouter } from '../shared/router.ts'
import { findNames } from '../shared/vault-names.ts'
import { prepareImpairmentRoute } from './impairments.routes.ts'

export function impairments(deps: PrepareDeps) {
  return createRouter().openapi(prepareImpairmentRoute, async (c) => {
    const { claimId } = c.req.valid('param')
    const { sliceIndex, carryingValue = 0n } = c.req.valid('json')
    const request = { wallet: requireSession(c).wallet, claimId, sliceIndex, carryingValue }
    const prepared = await prepareImpairment(deps, request, c.get('pinBlock'))
    const { claim, slice, loss } = prepared
    const { nameOf, token } = await findNames(c, claim.token, [slice.vault])
    const answer = {
      ...presentPreparedTransaction(prepared),
      claimId,
      sliceIndex,
      vault: slice.vault,
      vaultName: nameOf(slice.vault),
      faceAmount: formatMoney(slice.faceAmount),
      advanceAmount: formatMoney(slice.advanceAmount),
      loss: formatMoney(loss),
      carryingValue: formatMoney(carryingValue),
      tokenInfo: token,
    }
    return c.json(answer, 200)
  })
}
