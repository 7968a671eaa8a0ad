import type { z } from '@hono/zod-openapi'
import type { Issue } from '../../domain/issues.ts'
import { formatMoney } from '../../domain/money.ts'
import { formatTime } from '../../domain/time.ts'
import { findObstacle } from '../../head/obstacle.ts'
import { findPending } from '../../head/pending.ts'
import type { ShownEvents } from '../../head/unfinalized.ts'
import { requireSession } from '../../http/authenticate.ts'
import type { PrepareDeps } from '../../prepare/deps.ts'
import { type PreparedSettlement, prepareSettlement } from '../../prepare/settlement.ts'
import { presentPreparedTransaction } from '../shared/prepared.ts'
import { presentRepayments } from '../shared/repayments.ts'
import { createRouter } from '../shared/router.ts'
import { type FoundNames, findNames } from '../shared/vault-names.ts'
import { type preparedSettlement, prepareSettlementRoute } from './settlements.routes.ts'

export function settlements(deps: PrepareDeps) {
  return createRouter().openapi(prepareSettlementRoute, async (c) => {
    const { claimId } = c.req.valid('param')
    const { amount } = c.req.valid('json')
    const request = { payer: requireSession(c).wallet, claimId, amount }
    const prepared = await prepareSettlement(deps, request, c.get('pinBlock'))
    const { claim, repayments } = prepared
    const names = await findNames(
      c,
      claim.token,
      repayments.map(({ vault }) => vault),
    )
    const pending = findPending(deps.head, prepared.block.number, { claims: [claimId] })
    const obstacles = findObstacle(deps.head, prepared.block.number, { settles: claimId })
    return c.json(presentSettlement(prepared, names, pending, obstacles), 200)
  })
}

function presentSettlement(
  prepared: PreparedSettlement,
  { nameOf, token }: FoundNames,
  pending: ShownEvents | undefined,
  obstacles: readonly Issue[],
): z.output<typeof preparedSettlement> {
  const { claim, faceAmount, settles, repayments, beneficiaryAmount } = prepared
  return {
    ...presentPreparedTransaction(prepared, pending, obstacles),
    claimId: claim.claimId,
    token: claim.token,
    tokenInfo: token,
    faceValue: formatMoney(claim.faceValue),
    faceAmount: formatMoney(faceAmount),
    settles,
    dueDate: formatTime(claim.dueAt),
    repayments: presentRepayments(repayments, nameOf),
    beneficiary: claim.beneficiary,
    beneficiaryAmount: formatMoney(beneficiaryAmount),
  }
}
