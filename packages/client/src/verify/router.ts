/** Calls of the router about the wallet alone. */
import { encodeFunctionData } from 'viem'
import { financingRouterAbi } from '../generated/contracts.ts'
import { type Expected, hexAt } from './compare.ts'
import { toAddress } from './deployment.ts'
import { tokenOf, transactionOf } from './parts.ts'
import type { Prepared } from './prepared.ts'

/** `POST /credits/withdrawal/prepare`. */
export function creditWithdrawal(prepared: Prepared): Expected {
  const { request, wallet, deployment } = prepared
  const token = hexAt(request, 'body.token')
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'withdrawCredit', args: [token] })
  const to = toAddress(deployment.contracts.financingRouter)
  return {
    ...transactionOf(prepared, { to, data, words: `withdrawCredit(${token})` }),
    account: wallet,
    token,
    tokenInfo: tokenOf(prepared, token),
  }
}

/** `POST /routes/cancellation/prepare`. */
export function routeCancellation(prepared: Prepared): Expected {
  const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'cancelRoutes' })
  const to = toAddress(prepared.deployment.contracts.financingRouter)
  return transactionOf(prepared, { to, data, words: 'cancelRoutes()' })
}
