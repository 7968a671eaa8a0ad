import type { z } from '@hono/zod-openapi'
import type { Address, Hex } from 'viem'
import { claimNotFound } from '../../errors.ts'
import { asOfVariable } from '../shared/as-of.ts'
import { answerRead, createDocumentReader, type ReadDeps } from '../shared/read.ts'
import { createRouter } from '../shared/router.ts'
import { TOKEN_INFO } from '../shared/token-info.ts'
import { type claim, type claimWithAllocations, getClaim } from './claims.routes.ts'

type Answer = z.output<typeof claimWithAllocations>

/** A claim as the selection `CLAIM` has it. */
export type SelectedClaim = Omit<
  z.output<typeof claim>,
  'issuer' | 'issuerLabel' | 'beneficiary' | 'token'
> & {
  readonly issuer: { readonly address: Address; readonly label: string | null }
  readonly beneficiary: { readonly address: Address }
}

type SelectedAllocation = Omit<Answer['allocations'][number], 'vault' | 'executionId'> & {
  readonly vault: { readonly address: Address }
  readonly execution: { readonly executionId: Hex }
}

/** The fields of a claim that every list and answer of REST writes. */
export const CLAIM = `
  claimId issuer { address label } beneficiary { address } ${TOKEN_INFO}
  faceValue financedFaceValue paidFaceValue remainingFace dueDate dueDateUnix matured overdueSince claimType claimTypeLabel
  sliceCount slicesRemaining state documentHash registeredAt registeredBlock registrationTransaction`

type Data = { claim: (SelectedClaim & { readonly allocations: readonly SelectedAllocation[] }) | null }

const readClaim = createDocumentReader<Data>(`query ($id: Hash!, $asOf: AsOf) {
  claim(claimId: $id, asOf: $asOf) {
    ${CLAIM}
    allocations {
      sliceIndex vault { address } execution { executionId } faceAmount advanceAmount paidFace repaidFace carryingValue fundedAt
      fundedBlock repaidAt
    }
  }
}`)

export function claims(deps: ReadDeps) {
  return createRouter().openapi(getClaim, (c) => {
    const { claimId } = c.req.valid('param')
    return answerRead(
      c,
      deps,
      (reader) => readClaim(reader, { id: claimId, asOf: asOfVariable(c.req.valid('query')) }),
      ({ claim }, { blockNumber }) => {
        if (!claim) throw claimNotFound(claimId, blockNumber)
        const { allocations, ...own } = claim
        return { ...presentClaim(own), allocations: allocations.map(presentAllocation) }
      },
    )
  })
}

export function presentClaim({ issuer, beneficiary, ...own }: SelectedClaim): z.output<typeof claim> {
  return {
    ...own,
    issuer: issuer.address,
    issuerLabel: issuer.label,
    beneficiary: beneficiary.address,
    token: own.tokenInfo.address,
  }
}

function presentAllocation({ vault, execution, ...own }: SelectedAllocation): Answer['allocations'][number] {
  return { ...own, vault: vault.address, executionId: execution.executionId }
}
