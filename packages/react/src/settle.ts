'use client'
/** Settlement of a claim at its due date. */
import type { Gateway, Hash } from 'claim-financing-client'
import { useRun } from './run.ts'
import { reporting, type Step } from './steps.ts'

/** A claim and the most that is paid of it, base units; by default all that is unpaid. */
export type Payment = { claimId: Hash; amount?: bigint }

/**
 * `mutate({ claimId })` approves the token where needed, pays the claim, or a part, and succeeds when reads show it.
 * Requires a session.
 */
export function useSettle() {
  return useRun(settle)
}

async function settle(gateway: Gateway, { claimId, amount }: Payment, report: (step: Step) => void) {
  report({ name: 'preparing' })
  const params = { path: { claimId } }
  const body = amount === undefined ? {} : { amount: `${amount}` as const }
  const plan = await gateway.post('/api/v1/settlements/{claimId}/prepare', { params, body })
  return gateway.run(plan, reporting(report))
}
