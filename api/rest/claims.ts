import type { z } from '@hono/zod-openapi'
import type { Address, Hex } from 'viem'
import { type Labels, labelOf } from '../../deployments/labels.ts'
import type { Deps } from '../deps.ts'
import { isMatured, overdueSince, remainingFace, slicesRemaining } from '../domain/claim.ts'
import { formatMoney } from '../domain/money.ts'
import { formatTime, type UnixSeconds, unixNumber } from '../domain/time.ts'
import { claimNotFound } from '../errors.ts'
import { createDocumentReader } from '../graphql/read-document.ts'
import type { ClaimRow } from '../projection/claim.ts'
import { answer } from './answer.ts'
import { type claim, type claimWithAllocations, getClaim } from './claims.routes.ts'
import { createRouter } from './router.ts'
import { presentToken, type WithToken } from './token-info.ts'

type Answer = z.output<typeof claimWithAllocations>

type Selected = Omit<
  Answer,
  'issuer' | 'issuerLabel' | 'beneficiary' | 'allocations' | 'finalizedThrough'
> & {
  readonly issuer: { readonly address: Address; readonly label: string | null }
  readonly beneficiary: { readonly address: Address }
  readonly allocations: readonly (Omit<Answer['allocations'][number], 'vault' | 'executionId'> & {
    readonly vault: { readonly address: Address }
    readonly execution: { readonly executionId: Hex }
  })[]
}

const readClaim = createDocumentReader<{ claim: Selected | null }>(`query ($id: Hash!) {
  claim(claimId: $id) {
    claimId issuer { address label } beneficiary { address } tokenInfo { address symbol name decimals }
    faceValue financedFaceValue remainingFace dueDate dueDateUnix matured overdueSince claimType claimTypeLabel
    sliceCount slicesRemaining state documentHash registeredAt registeredBlock registrationTransaction
    allocations {
      sliceIndex vault { address } execution { executionId } faceAmount advanceAmount impairment impairedAt fundedAt fundedBlock repaidAt
    }
  }
}`)

export function claims({ labels }: Pick<Deps, 'labels'>) {
  return createRouter().openapi(getClaim, async (c) => {
    const { claimId } = c.req.valid('param')
    const { data, finalizedThrough } = await readClaim(
      { readStatement: c.get('readStatement'), labels },
      { id: claimId },
    )
    if (!data.claim) throw claimNotFound(claimId, finalizedThrough.blockNumber)
    return answer(c, finalizedThrough, presentSelected(data.claim))
  })
}

function presentSelected({ issuer, beneficiary, allocations, ...claim }: Selected) {
  return {
    ...claim,
    token: claim.tokenInfo.address,
    issuer: issuer.address,
    issuerLabel: issuer.label,
    beneficiary: beneficiary.address,
    allocations: allocations.map(({ vault, execution, ...allocation }) => ({
      ...allocation,
      vault: vault.address,
      executionId: execution.executionId,
    })),
  }
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

function timeOrNull(at: UnixSeconds | null): string | null {
  return at === null ? null : formatTime(at)
}
