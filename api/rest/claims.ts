import type { z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { type Labels, labelOf } from '../../deployments/labels.ts'
import type { Deps } from '../deps.ts'
import { isMatured, overdueSince, remainingFace, slicesRemaining } from '../domain/claim.ts'
import { formatMoney } from '../domain/money.ts'
import { formatTime, type UnixSeconds, unixNumber } from '../domain/time.ts'
import { claimNotFound } from '../errors.ts'
import { type AllocationRow, readAllocationsOfClaims } from '../projection/allocation.ts'
import { type ClaimRow, readClaim } from '../projection/claim.ts'
import type { Snapshot } from '../projection/snapshot.ts'
import { answer, readProjection } from './answer.ts'
import { type claim, getClaim } from './claims.routes.ts'
import { createRouter } from './router.ts'
import { presentToken, type WithToken, withToken } from './token-info.ts'

export function claims({ labels }: Pick<Deps, 'labels'>) {
  return createRouter().openapi(getClaim, async (c) => {
    const { claimId } = c.req.valid('param')
    const read = await readProjection(c, (snapshot) => readClaimWithAllocations(snapshot, claimId))
    const body = {
      ...presentClaim(read.claim, read.finalizedThrough.timestamp, labels),
      allocations: read.allocations.map(presentAllocation),
    }
    return answer(c, read.finalizedThrough, body)
  })
}

async function readClaimWithAllocations(snapshot: Snapshot, claimId: Hex) {
  const found = await readClaim(snapshot, claimId)
  if (!found) throw claimNotFound(claimId, snapshot.finalizedThrough.blockNumber)
  const [allocations = []] = await readAllocationsOfClaims(snapshot, [claimId])
  const claim = await withToken(snapshot, found)
  return { claim, allocations, finalizedThrough: snapshot.finalizedThrough }
}

/** @param now time of the finalized block that was read */
export function presentClaim(
  row: WithToken<ClaimRow>,
  now: UnixSeconds,
  labels: Labels,
): z.output<typeof claim> {
  return {
    claimId: row.id,
    issuer: row.issuer,
    issuerLabel: labelOf(labels, 'issuers', row.issuer),
    beneficiary: row.beneficiary,
    token: row.token,
    tokenInfo: presentToken(row.tokenRow),
    faceValue: formatMoney(row.faceValue),
    financedFaceValue: formatMoney(row.financedFaceValue),
    remainingFace: formatMoney(remainingFace(row)),
    dueDate: formatTime(row.dueAt),
    dueDateUnix: unixNumber(row.dueAt),
    matured: isMatured(row, now),
    overdueSince: timeOrNull(overdueSince(row, now)),
    claimType: row.claimType,
    claimTypeLabel: labelOf(labels, 'claimTypes', row.claimType),
    sliceCount: row.sliceCount,
    slicesRemaining: slicesRemaining(row),
    state: row.state,
    documentHash: row.documentHash,
    registeredAt: formatTime(row.registeredAt),
    registeredBlock: Number(row.registeredBlock),
    registrationTransaction: row.registeredTx,
  }
}

function presentAllocation(row: AllocationRow) {
  return {
    sliceIndex: row.sliceIndex,
    vault: row.vault,
    executionId: row.executionId,
    faceAmount: formatMoney(row.faceAmount),
    advanceAmount: formatMoney(row.advanceAmount),
    impairment: formatMoney(row.impairment),
    impairedAt: timeOrNull(row.impairedAt),
    fundedAt: formatTime(row.fundedAt),
    fundedBlock: Number(row.fundedBlock),
    repaidAt: timeOrNull(row.repaidAt),
  }
}

function timeOrNull(at: UnixSeconds | null): string | null {
  return at === null ? null : formatTime(at)
}
