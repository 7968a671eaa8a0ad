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
import { findNames, type NameOf } from './vault-names.ts'

export function executions(deps: Pick<Deps, 'store' | 'chain' | 'deployment'>) {
  return createRouter().openapi(getExecution, async (c) => {
    const { executionId } = c.req.valid('param')
    const { state, through } = await findExecution(deps, c.get('openSnapshot'), executionId)
    if (!('execution' in state)) return answer(c, through, presentPrepared(state))
    const { status, execution, legs } = state
    const vaults = legs.map(({ vault }) => vault)
    const { nameOf, token } = await findNames(c, execution.token, vaults)
    return answer(c, through, { status, ...presentExecution(execution, legs, nameOf), tokenInfo: token })
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

function presentExecution(row: ExecutionRow, legs: readonly ExecutionLegRow[], nameOf: NameOf) {
  const totalCost = row.totalFace - row.totalAdvance
  return {
    executionId: row.id,
    kind: row.kind,
    user: row.user,
    submitter: row.submitter,
    token: row.token,
    legs: legs.map((leg) => presentLeg(leg, nameOf)),
    totalFace: formatMoney(row.totalFace),
    totalAdvance: formatMoney(row.totalAdvance),
    totalCost: formatMoney(totalCost),
    effectiveDiscountBps: Number(effectiveDiscountBps(totalCost, row.totalFace)),
    executedAt: formatTime(row.at),
    blockNumber: Number(row.block),
    transactionHash: row.tx,
  }
}

function presentLeg(row: ExecutionLegRow, nameOf: NameOf) {
  const discountAmount = row.faceAmount - row.advanceAmount
  return {
    legIndex: safeNumber(row.legIndex),
    claimId: row.claimId,
    vault: row.vault,
    vaultName: nameOf(row.vault),
    sliceIndex: row.sliceIndex,
    faceAmount: formatMoney(row.faceAmount),
    advanceAmount: formatMoney(row.advanceAmount),
    discountAmount: formatMoney(discountAmount),
    effectiveDiscountBps: Number(effectiveDiscountBps(discountAmount, row.faceAmount)),
  }
}
