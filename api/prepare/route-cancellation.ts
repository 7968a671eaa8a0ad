/** Prepares the cancellation of every route that a wallet signed and that is not executed. */
import { type Address, encodeFunctionData } from 'viem'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { readRouterNonce } from '../chain/nonce.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import type { PrepareDeps } from './deps.ts'
import { type PreparedTransaction, toPrepared, unsigned } from './transaction.ts'

export type PreparedCancellation = PreparedTransaction & {
  /** The nonce that the transaction uses up, if no execution of a route is mined first. */
  nonce: bigint
}

/** @throws `CHAIN_UNAVAILABLE` */
export async function prepareRouteCancellation(
  { chain, deployment }: PrepareDeps,
  user: Address,
  pinBlock: PinBlock,
): Promise<PreparedCancellation> {
  const { financingRouter } = deployment.contracts
  const block = await pinBlock()
  const nonce = await readRouterNonce(chain, financingRouter, user)
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'cancelRoutes' })
  const prepared = await toPrepared(chain, block, {
    transaction: unsigned(deployment, { from: user, to: financingRouter, data }),
    description: `Cancel every route of ${user} that is signed and not executed, by using up nonce ${nonce} of the router. A route that is mined first is not cancelled.`,
  })
  return { ...prepared, nonce }
}
