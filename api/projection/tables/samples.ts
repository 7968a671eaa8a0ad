/** Rows that exist, for the examples of the API reference. */
import { maxUint256 } from 'viem'
import { MAX_SLICES_PER_CLAIM } from '../../domain/limits.ts'
import type { Snapshot } from '../session/snapshot.ts'

/**
 * Finds an open claim that is not due, of an active issuer, the latest due first, with the terms of the vault that
 * finances its type at the lowest discount, may hold more of it and has no limit for an issuer; undefined where there
 * is none.
 */
export function findFinanceable({ db, finalizedThrough }: Snapshot) {
  return db
    .selectFrom('claim')
    .innerJoin('issuer', 'issuer.address', 'claim.issuer')
    .innerJoin('vaultTerms', (join) =>
      join
        .onRef('vaultTerms.token', '=', 'claim.token')
        .onRef('vaultTerms.claimType', '=', 'claim.claimType')
        .on('vaultTerms.active', '=', true)
        .onRef('vaultTerms.maxClaimFace', '>', 'claim.financedFaceValue')
        .on('vaultTerms.maxIssuerFace', '=', maxUint256),
    )
    .select([
      'claim.id as claimId',
      'claim.issuer',
      'claim.beneficiary',
      'claim.token',
      'claim.claimType',
      'claim.faceValue',
      'claim.financedFaceValue',
      'vaultTerms.vault',
    ])
    .where('claim.state', 'in', ['ELIGIBLE', 'PARTIALLY_FUNDED'])
    .where('claim.dueAt', '>', finalizedThrough.timestamp)
    .where('claim.sliceCount', '<', MAX_SLICES_PER_CLAIM)
    .where('issuer.active', '=', true)
    .orderBy('claim.dueAt', 'desc')
    .orderBy('claim.id')
    .orderBy('vaultTerms.totalBpsMonth')
    .orderBy('vaultTerms.vault')
    .limit(1)
    .executeTakeFirst()
}

/** Finds a claim that is due and not paid, the latest due first; undefined where there is none. */
export function findPayable({ db, finalizedThrough }: Snapshot) {
  return db
    .selectFrom('claim')
    .select('id')
    .where('state', 'in', ['ELIGIBLE', 'PARTIALLY_FUNDED', 'FULLY_FUNDED', 'CLOSED'])
    .where('dueAt', '<=', finalizedThrough.timestamp)
    .orderBy('dueAt', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Finds the latest execution; undefined before the first. */
export function findLatestExecution({ db }: Snapshot) {
  return db
    .selectFrom('execution')
    .select(['id', 'tx'])
    .orderBy('block', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export type FinanceableSample = NonNullable<Awaited<ReturnType<typeof findFinanceable>>>
export type ExecutionSample = NonNullable<Awaited<ReturnType<typeof findLatestExecution>>>
