/** Examples of requests that are valid at the block that is read: each names rows that exist. */
import { smaller } from '../domain/bigint.ts'
import { SECONDS_PER_DAY } from '../domain/limits.ts'
import { formatMoney } from '../domain/money.ts'
import { formatTime } from '../domain/time.ts'
import type { Snapshot } from '../projection/session/snapshot.ts'
import { readByKeys } from '../projection/sql/keys.ts'
import {
  type ExecutionSample,
  type FinanceableSample,
  findFinanceable,
  findLatestExecution,
  findPayable,
} from '../projection/tables/samples.ts'
import { type VaultRow, vaults } from '../projection/tables/vault.ts'

export type Samples = {
  now: bigint
  financeable: FinanceableSample | undefined
  /** The vault of `financeable`. */
  vault: Pick<VaultRow, 'maxFace' | 'maxClaimFace' | 'idleAssets'> | undefined
  execution: ExecutionSample | undefined
  payable: { id: string } | undefined
}

export async function readSamples(snapshot: Snapshot): Promise<Samples> {
  const financeable = await findFinanceable(snapshot)
  const keys = financeable ? [financeable.vault] : []
  const [vault] = await readByKeys(snapshot, vaults, 'address', keys)
  const execution = await findLatestExecution(snapshot)
  const payable = await findPayable(snapshot)
  return { now: snapshot.finalizedThrough.timestamp, financeable, vault, execution, payable }
}

/** A document or a route that nobody has: what it would be is the choice of the caller. */
const UNKNOWN_HASH = `0x${'ab'.repeat(32)}`
const UNKNOWN_SIGNATURE = `0x${'11'.repeat(65)}`
const MONTH = 30n * SECONDS_PER_DAY

/** Values of the required parameters of an operation by name. */
export function parameterExamples(
  { now, financeable, execution, payable }: Samples,
  operationId: string,
): Record<string, string | number> {
  return {
    ...(financeable && {
      claimId: financeable.claimId,
      wallet: financeable.beneficiary,
      vault: financeable.vault,
      claimType: financeable.claimType,
      subject: 'wallet',
      file: `${financeable.beneficiary}.json`,
    }),
    from: formatTime(now - MONTH),
    to: formatTime(now),
    ...(payable && operationId === 'prepareSettlement' && { claimId: payable.id }),
    ...(execution && { executionId: execution.id, hash: execution.tx }),
    routeId: UNKNOWN_HASH,
  }
}

/** Bodies by operation; the others take an empty one. */
export function bodyExamples({ now, financeable, vault: terms }: Samples): Record<string, object> {
  if (!financeable || !terms) return {}
  const { claimId, issuer, beneficiary, token, claimType, vault } = financeable
  const remainingFace = financeable.faceValue - financeable.financedFaceValue
  const rest = terms.maxClaimFace - financeable.financedFaceValue
  // The vault takes no larger lot. Its liquidity pays for this face: the advance is less.
  const most = [rest, terms.maxFace, terms.idleAssets].reduce(smaller, remainingFace)
  const faceAmount = formatMoney(most)
  const facts = {
    beneficiary,
    token,
    faceValue: formatMoney(financeable.faceValue),
    documentHash: UNKNOWN_HASH,
  }
  const attestation = {
    ...facts,
    issuer,
    claimType: String(claimType),
    dueDate: String(now + MONTH),
    validUntil: String(now + SECONDS_PER_DAY),
  }
  return {
    prepareDeposit: { assets: faceAmount },
    prepareWithdrawal: { assets: faceAmount },
    prepareTerms: { pricing: { baseDiscountBps: 100, durationBpsPerDay: 1, premiumBps: [] } },
    prepareAttestation: { ...facts, claimType, dueDate: formatTime(now + MONTH) },
    prepareAttestationCancellation: { attestation },
    prepareRegistration: { attestation, signature: UNKNOWN_SIGNATURE },
    prepareCreditWithdrawal: { token },
    previewQuotes: { claimId },
    prepareExecution: { claimId, vault, faceAmount },
    optimizeRoute: { claimIds: [claimId], targetAdvance: '1' },
  }
}
