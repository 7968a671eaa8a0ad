/** The approvals that a transaction of a wallet requires. */
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import type { Manifest } from '../../deployments/manifest.ts'
import { readFunds } from '../chain/allowance.ts'
import { simulate } from '../chain/simulate.ts'
import type { Issue } from '../domain/issues.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { PrepareDeps } from './deps.ts'
import { type Prerequisites, type Step, unsigned } from './transaction.ts'
import { amountInWords } from './words.ts'

/** `spender` takes `amount` base units of `token` from `owner`, and `atMost` if its price changes. */
export type Payment = {
  owner: Address
  token: Address
  spender: Address
  amount: BaseUnits
  /** Default: `amount`. */
  atMost?: BaseUnits
}

type Context = Pick<PrepareDeps, 'chain' | 'deployment'>

/**
 * Reads the approvals to send first, and what the wallet lacks, both by the latest block. An approval is for the most
 * that is taken. Where another allowance exists, some tokens refuse to change it until it is 0 again: the approval is
 * simulated, and the reset is omitted only if it passes.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export async function readPaymentPrerequisites(context: Context, payment: Payment): Promise<Prerequisites> {
  const { balance, allowance } = await readFunds(context.chain, payment)
  const { amount, atMost = amount } = payment
  const approved = { ...payment, amount: atMost }
  const approvals = allowance < atMost ? await approvalsAfter(context, approved, allowance) : []
  const issues: Issue[] = []
  const inWords = (have: BaseUnits) => amountInWords(context.deployment.tokens, payment.token, have)
  if (balance < amount) {
    const message = `The wallet holds ${inWords(balance)}, and ${inWords(amount)} will be taken.`
    issues.push({ code: 'BALANCE_TOO_LOW', message, have: balance, need: amount })
  }
  if (allowance < atMost) {
    const message = `${payment.spender} may take ${inWords(allowance)} from the wallet, and needs ${inWords(atMost)}. Send the approvals first, in order.`
    issues.push({ code: 'ALLOWANCE_TOO_LOW', message, have: allowance, need: atMost })
  }
  return { approvals, issues }
}

async function approvalsAfter(context: Context, payment: Payment, allowance: BaseUnits): Promise<Step[]> {
  const approve = approval(context.deployment, payment)
  if (allowance === 0n) return [approve]
  const { outcome } = await simulate(context.chain, approve.transaction)
  return outcome === 'PASSES'
    ? [approve]
    : [approval(context.deployment, { ...payment, amount: 0n }), approve]
}

function approval(deployment: Manifest, { owner, token, spender, amount }: Payment): Step {
  const args = [spender, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  const inWords = amountInWords(deployment.tokens, token, amount)
  const description =
    amount === 0n
      ? `Take back what ${spender} may take of token ${token} now, which refuses to change it in one step.`
      : `Let ${spender} take ${inWords} from this wallet, and no more than that.`
  return { transaction: unsigned(deployment, { from: owner, to: token, data }), description }
}
