'use client'
/** Settlement of a claim at its due date. */
import type { components, Gateway, Hash, Transaction } from 'claim-financing-client'
import { type ReviewOptions, usePrepared } from './review.ts'
import type { Running } from './run.ts'

/** A claim and the most that is paid of it, base units; by default all that is unpaid. */
export type Payment = { claimId: Hash; amount?: bigint }

/** `faceAmount` is what is paid, `settles` whether nothing is unpaid afterwards. */
export type PreparedSettlement = components['schemas']['PreparedSettlement']

/**
 * `mutate({ claimId })` approves the token where needed, pays the claim, or a part, and succeeds when reads show it.
 * Requires a session.
 */
export function useSettle(options: ReviewOptions<PreparedSettlement> = {}): Running<Payment, Transaction> {
  return usePrepared(prepareSettlement, options)
}

function prepareSettlement(gateway: Gateway, { claimId, amount }: Payment): Promise<PreparedSettlement> {
  const params = { path: { claimId } }
  const body = amount === undefined ? {} : { amount: `${amount}` as const }
  return gateway.post('/api/v1/settlements/{claimId}/prepare', { params, body })
}
