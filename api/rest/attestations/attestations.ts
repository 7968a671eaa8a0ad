import type { z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { ATTESTATION_LIFETIME_SECONDS } from '../../domain/limits.ts'
import { formatTime } from '../../domain/time.ts'
import { CodedError } from '../../errors.ts'
import { findPending } from '../../head/pending.ts'
import { requireSession } from '../../http/authenticate.ts'
import { type PreparedAttestation, prepareAttestation } from '../../prepare/attestation.ts'
import type { PrepareDeps } from '../../prepare/deps.ts'
import { createRouter } from '../shared/router.ts'
import { presentPending } from '../shared/unfinalized.ts'
import { prepareAttestationRoute, type preparedAttestation } from './attestations.routes.ts'

export function attestations(deps: PrepareDeps) {
  return createRouter().openapi(prepareAttestationRoute, async (c) => {
    const { issuer: named, validUntil = tomorrow(deps.clock()), ...terms } = c.req.valid('json')
    const issuer = requireSession(c).wallet
    if (named !== undefined && named !== issuer) throw issuerMismatch(named, issuer)
    const prepared = await prepareAttestation(deps, { ...terms, issuer, validUntil }, c.get('pinBlock'))
    const pending = findPending(deps.head, prepared.block.number, { claims: [prepared.claimId] })
    return c.json({ ...presentAttestation(prepared), pendingChanges: presentPending(pending) }, 200)
  })
}

function tomorrow(clockMs: number): bigint {
  return BigInt(Math.floor(clockMs / 1000) + ATTESTATION_LIFETIME_SECONDS)
}

export function issuerMismatch(issuer: Address, wallet: Address): CodedError {
  const detail = `issuer is ${issuer}; it must be the signed-in wallet ${wallet}. Sign in with ${issuer}, or omit issuer.`
  return new CodedError('ISSUER_MISMATCH', detail, { facts: { issuer, wallet } })
}

function presentAttestation(
  prepared: PreparedAttestation,
): Omit<z.output<typeof preparedAttestation>, 'pendingChanges'> {
  const { claimId, typedData, digest, description, attestation, block } = prepared
  return {
    claimId,
    typedData,
    digest,
    description,
    validUntil: formatTime(attestation.validUntil),
    blockNumber: Number(block.number),
  }
}
