import type { z } from '@hono/zod-openapi'
import type { Issue } from '../../domain/issues.ts'
import { formatTime } from '../../domain/time.ts'
import { findObstacle } from '../../head/obstacle.ts'
import { findPending } from '../../head/pending.ts'
import type { ShownEvents } from '../../head/unfinalized.ts'
import { requireSession } from '../../http/authenticate.ts'
import type { FinancingDeps } from '../../prepare/deps.ts'
import { type PreparedFinancing, prepareFinancing } from '../../prepare/financing.ts'
import { presentBoundLeg, presentPreparedTransaction, presentTotals } from '../shared/prepared.ts'
import { createRouter } from '../shared/router.ts'
import { type FoundNames, findNames } from '../shared/vault-names.ts'
import { type preparedFinancing, prepareExecutionRoute } from './executions-prepare.routes.ts'

export function executionsPrepare(deps: FinancingDeps) {
  return createRouter().openapi(prepareExecutionRoute, async (c) => {
    const { deadlineSeconds, minimumAdvanceAmount, ...leg } = c.req.valid('json')
    const asked = { ...leg, minimumAdvanceAmount, user: requireSession(c).wallet }
    const prepared = await prepareFinancing(deps, { asked, deadlineSeconds }, c.get('pinBlock'))
    const names = await findNames(c, prepared.token, [prepared.leg.vault])
    const parts = { claims: [prepared.leg.claimId], vaults: [prepared.leg.vault] }
    const pending = findPending(deps.head, prepared.block.number, parts)
    const needs = { legs: [{ ...prepared.leg, faceValue: prepared.faceValue }] }
    const obstacles = findObstacle(deps.head, prepared.block.number, needs)
    return c.json(presentFinancing(prepared, names, pending, obstacles), 200)
  })
}

function presentFinancing(
  prepared: PreparedFinancing,
  { nameOf, token }: FoundNames,
  pending: ShownEvents | undefined,
  obstacles: readonly Issue[],
): z.output<typeof preparedFinancing> {
  const { executionId, leg, advanceAmount, deadline } = prepared
  return {
    ...presentPreparedTransaction(prepared, pending, obstacles),
    executionId,
    deadline: formatTime(deadline),
    tokenInfo: token,
    legs: [presentBoundLeg(leg, advanceAmount, nameOf)],
    totals: presentTotals({ totalFace: leg.faceAmount, totalAdvance: advanceAmount }),
  }
}
