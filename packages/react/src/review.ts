/** A prepared answer that its user sees before the wallet is asked. */
import { type components, type Gateway, GatewayError, type Transaction } from 'claim-financing-client'
import type { Run } from './run.ts'
import { reporting } from './steps.ts'

export type ReviewOptions<Prepared> = {
  /**
   * Called with the verified answer before the wallet is asked, to show its figures and `issues`. Nothing is sent if it
   * resolves with false. Without it, the answer is accepted.
   */
  accept?: (prepared: Prepared) => boolean | Promise<boolean>
}

/** Prepares, has the answer accepted, and runs it. */
export function runReviewed<Input, Prepared extends components['schemas']['PreparedTransaction']>(
  prepare: (gateway: Gateway, input: Input) => Promise<Prepared>,
  { accept }: ReviewOptions<Prepared>,
): Run<Input, Transaction> {
  return async (gateway, input, report) => {
    report({ name: 'preparing' })
    const prepared = await prepare(gateway, input)
    if (accept && !(await accept(prepared)))
      throw new GatewayError({ code: 'USER_REJECTED', message: 'The prepared transaction was declined.' })
    return gateway.run(prepared, reporting(report))
  }
}
