import type { Hex } from 'viem'
import type { Deps } from '../deps.ts'
import { effectiveDiscountBps, formatMoney } from '../domain/money.ts'
import { formatTime } from '../domain/time.ts'
import { CodedError } from '../errors.ts'
import {
  type ExecutionLegRow,
  type ExecutionRow,
  readExecution,
  readLegsOfExecutions,
} from '../projection/execution.ts'
import { readSnapshot, type Snapshot } from '../projection/snapshot.ts'
import { getExecution } from './executions.routes.ts'
import { createRouter } from './router.ts'
import { answer } from './wire.ts'

export function executions({ db }: Deps) {
  return createRouter().openapi(getExecution, async (c) => {
    const { executionId } = c.req.valid('param')
    const read = await readSnapshot(db, (snapshot) => readExecutionWithLegs(snapshot, executionId))
    return answer(c, read.finalizedThrough, presentExecution(read.execution, read.legs))
  })
}

async function readExecutionWithLegs(snapshot: Snapshot, executionId: Hex) {
  const execution = await readExecution(snapshot, executionId)
  if (!execution) throw executionNotFound(snapshot, executionId)
  const [legs = []] = await readLegsOfExecutions(snapshot, [executionId])
  return { execution, legs, finalizedThrough: snapshot.finalizedThrough }
}

function executionNotFound({ finalizedThrough: { blockNumber } }: Snapshot, executionId: Hex): CodedError {
  return new CodedError(
    'EXECUTION_NOT_FOUND',
    `No execution ${executionId} is known at finalized block ${blockNumber}. One appears once its block is final.`,
    { facts: { executionId, blockNumber: Number(blockNumber) } },
  )
}

function presentExecution(row: ExecutionRow, legs: readonly ExecutionLegRow[]) {
  const totalCost = row.totalFace - row.totalAdvance
  return {
    executionId: row.id,
    status: 'EXECUTED' as const,
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
    legIndex: row.legIndex,
    claimId: row.claimId,
    vault: row.vault,
    sliceIndex: row.sliceIndex,
    faceAmount: formatMoney(row.faceAmount),
    advanceAmount: formatMoney(row.advanceAmount),
  }
}
