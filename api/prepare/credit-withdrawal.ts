/**
 * Prepares the withdrawal of a credit: what the router holds for the wallet because a settlement could not pay it. How
 * `withdrawCredit` of contracts/Settlements.sol can revert, and what is said here instead:
 *
 * | revert                                      | answer                                                     |
 * | ------------------------------------------- | ---------------------------------------------------------- |
 * | NoCredit                                    | 422 NO_CREDIT; an issue when that is not final yet         |
 * | SafeERC20FailedOperation, a token's own     | issue EXECUTION_WOULD_REVERT: the token does not pay yet   |
 */
import { type Address, encodeFunctionData } from 'viem'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { readCredit } from '../chain/credit.ts'
import type { PinBlock } from '../chain/pin-block.ts'
import type { BaseUnits } from '../domain/money.ts'
import { CodedError } from '../errors.ts'
import type { PrepareDeps } from './deps.ts'
import { type PreparedTransaction, toPrepared, unsigned } from './transaction.ts'
import { amountInWords } from './words.ts'

export type CreditWithdrawal = { account: Address; token: Address }
export type PreparedCreditWithdrawal = PreparedTransaction & CreditWithdrawal & { amount: BaseUnits }

/** @throws `NO_CREDIT`, `CHAIN_UNAVAILABLE` */
export async function prepareCreditWithdrawal(
  { chain, deployment }: Pick<PrepareDeps, 'chain' | 'deployment'>,
  withdrawal: CreditWithdrawal,
  pinBlock: PinBlock,
): Promise<PreparedCreditWithdrawal> {
  const { account, token } = withdrawal
  const router = deployment.contracts.financingRouter
  const block = await pinBlock()
  const amount = await readCredit(chain, block, { router, account, token })
  if (amount === 0n) throw noCredit(withdrawal, block.number)
  const data = encodeFunctionData({
    abi: financingRouterAbi,
    functionName: 'withdrawCredit',
    args: [token],
  })
  const inWords = amountInWords(deployment.tokens, token, amount)
  const step = {
    transaction: unsigned(deployment, { from: account, to: router, data }),
    description: [
      `Withdraw the whole credit of this wallet, ${inWords} at block ${block.number}, to this wallet.`,
      'The router has held it since a settlement in which the token did not pay the wallet.',
    ].join(' '),
  }
  return { ...(await toPrepared(chain, block, step)), ...withdrawal, amount }
}

function noCredit({ account, token }: CreditWithdrawal, blockNumber: bigint): CodedError {
  return new CodedError(
    'NO_CREDIT',
    `The router holds nothing of token ${token} for ${account} at finalized block ${blockNumber}. \`credits\` of the account lists what it holds.`,
    { facts: { token, blockNumber: Number(blockNumber) } },
  )
}
