'use client'
/** Prepared transactions, which their user sees before the wallet is asked. */
import { type components, type Gateway, GatewayError, type Transaction } from 'claim-financing-client'
import { type Run, type Running, useRun } from './run.ts'
import { reporting } from './steps.ts'

type Schemas = components['schemas']

export type ReviewOptions<Prepared> = {
  /**
   * Called with the verified answer before the wallet is asked, to show its figures and `issues`. Nothing is sent if it
   * resolves with false. Without it, the answer is accepted.
   */
  accept?: (prepared: Prepared) => boolean | Promise<boolean>
}

/** Requests the answer of a `/prepare` endpoint. */
export type Prepare<Prepared> = (gateway: Gateway) => Promise<Prepared>

/**
 * `mutate((gateway) => gateway.post('/api/v1/credits/withdrawal/prepare', { body }))` sends the transaction that an
 * endpoint prepares, approvals first, and succeeds when reads show it. Requires a session.
 */
export function useSend<Prepared extends Schemas['PreparedTransaction']>(
  options: ReviewOptions<Prepared> = {},
): Running<Prepare<Prepared>, Transaction> {
  return usePrepared((gateway, prepare: Prepare<Prepared>) => prepare(gateway), options)
}

/** Prepares, has the answer accepted, and sends it. */
export function usePrepared<Input, Prepared extends Schemas['PreparedTransaction']>(
  prepare: (gateway: Gateway, input: Input) => Promise<Prepared>,
  { accept }: ReviewOptions<Prepared>,
): Running<Input, Transaction> {
  const run: Run<Input, Transaction> = async (gateway, input, report) => {
    report({ name: 'preparing' })
    const prepared = await prepare(gateway, input)
    if (accept && !(await accept(prepared)))
      throw new GatewayError({ code: 'USER_REJECTED', message: 'The prepared transaction was declined.' })
    return gateway.run(prepared, reporting(report))
  }
  return useRun(run)
}
