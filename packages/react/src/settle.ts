'use client'
/** Settlement of a claim at its due date. */
import type { Gateway, Hash } from 'claim-financing-client'
import { useRun } from './run.ts'
import { reporting, type Step } from './steps.ts'

/**
 * `mutate(claimId)` approves the token where needed, pays the claim, and succeeds when reads show it. Requires a
 * session.
 */
export function useSettle() {
  return useRun(settle)
}

async function settle(gateway: Gateway, claimId: Hash, report: (step: Step) => void) {
  report({ name: 'preparing' })
  const params = { path: { claimId } }
  const plan = await gateway.post('/api/v1/settlements/{claimId}/prepare', { params })
  return gateway.run(plan, reporting(report))
}
