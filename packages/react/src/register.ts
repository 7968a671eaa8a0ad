'use client'
/** Registration of a claim that its issuer has attested. */
import type { components, Gateway } from 'claim-financing-client'
import { useRun } from './run.ts'
import { reporting, type Step } from './steps.ts'

export type RegisterInput = components['schemas']['RegistrationRequest']

/**
 * `mutate({ attestation, signature })` registers the claim, and succeeds when reads show it. Requires a session. Until
 * its block is final, `useUnfinalized` shows the claim.
 */
export function useRegister() {
  return useRun(register)
}

async function register(gateway: Gateway, body: RegisterInput, report: (step: Step) => void) {
  report({ name: 'preparing' })
  const plan = await gateway.post('/api/v1/claims/registration/prepare', { body })
  return gateway.run(plan, reporting(report))
}
