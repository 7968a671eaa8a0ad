import type { Deps } from '../deps.ts'
import { effectiveDiscountBps } from '../domain/discount.ts'
import { safeNumber } from '../domain/integer.ts'
import { formatMoney } from '../domain/money.ts'
import { formatTime } from '../domain/time.ts'
import type { ExecutionLegRow, ExecutionRow } from '../projection/execution.ts'
import { type ExecutionState, findExecution } from '../transactions/find-execution.ts'
import { answer } from './answer.ts'
import { getExecution } from './executions.routes.ts'
import { createRouter } from './router.ts'
import { findNames } from './vault-names.ts'

export function executions(deps: Pick<Deps, 'store' | 'chain' | 'deployment'>) {
  return createRouter().openapi(getExecution, async (c) => {
    const { executionId } = c.req.valid('param')
    const { state, through } = await findExecution(deps, c.get('openSnapshot'), executionId)
    if (!('execution' in state)) return answer(c, through, presentPrepared(state))
    const { token } = await findNames(c, state.execution.token)
    const { status, execution, legs } = state
    return answer(c, through, { status, ...presentExecution(execution, legs), tokenInfo: token })
  })
}

function presentPrepared(state: Exclude<ExecutionState, { execution: unknown }>) {
  const { executionId, status, userAddress, preparedAt, deadline } = state
  return {
    executionId,
    status,
    user: userAddress,
    preparedAt: formatDate(preparedAt),
    deadline: formatDate(deadline),
  }
}

function formatDate(date: Date): string {
  return formatTime(BigInt(Math.floor(date.getTime() / 1000)))
}

function presentExecution(row: ExecutionRow, legs: readonly ExecutionLegRow[]) {
  const totalCost = row.totalFace - row.totalAdvance
  return {
    executionId: row.id,
    kind: row.kind,
    user: row.user,
    submitter: row.submitter,
    token: row.token,
    legs: legs.map(presentLeg),
    totalFace: formatMoney(row.totalFace),
    totalAdvance: formatMoney(row.totalAdvance),
    totalCost: formatMoney(totalCost),
    effectiveDiscountBps: Number(effectiveDiscountBps(totalCost, row.totalFace)),
    executedAt: formatTime(row.at),
    blockNumber: Number(row.block),
    transactionHash: row.tx,
  }
}

function presentLeg(row: ExecutionLegRow) {
  return {
    legIndex: safeNumber(row.legIndex),
    claimId: row.claimId,
    vault: row.vault,
    sliceIndex: row.sliceIndex,
    faceAmount: formatMoney(row.faceAmount),
    advanceAmount: formatMoney(row.advanceAmount),
  }
}
