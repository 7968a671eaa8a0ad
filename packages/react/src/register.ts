'use client'
/** Registration of a claim that its issuer has attested. */
import type { components, Gateway, Transaction } from 'claim-financing-client'
import { type ReviewOptions, usePrepared } from './review.ts'
import type { Running } from './run.ts'

type Schemas = components['schemas']

export type RegisterInput = Schemas['RegistrationRequest']

/** The claim as it is registered. */
export type PreparedRegistration = Schemas['PreparedRegistration']

/**
 * `mutate({ attestation, signature })` registers the claim, and succeeds when reads show it. Requires a session. Until
 * its block is final, `useUnfinalized` shows the claim.
 */
export function useRegister(
  options: ReviewOptions<PreparedRegistration> = {},
): Running<RegisterInput, Transaction> {
  return usePrepared(prepareRegistration, options)
}

function prepareRegistration(gateway: Gateway, body: RegisterInput): Promise<PreparedRegistration> {
  return gateway.post('/api/v1/claims/registration/prepare', { body })
}
