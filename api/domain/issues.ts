/**
 * Reasons for which a prepared transaction would fail now and which the wallet or time can remove. A request that
 * cannot succeed is an error instead.
 */
import type { BaseUnits } from './money.ts'

/** Every code with its meaning. Codes are stable. */
export const issueCatalogue = {
  BALANCE_TOO_LOW: 'The wallet holds less of the token than the transaction takes.',
  ALLOWANCE_TOO_LOW:
    'The wallet has approved less of the token than the transaction takes: send `approvals` first, in order, or sign `permit` where the answer has one.',
  SHARES_TOO_LOW: 'The wallet holds fewer shares of the vault than the transaction takes.',
  LIQUIDITY_TOO_LOW:
    'The vault has fewer idle assets than the transaction withdraws: the rest is lent, and comes back by repayments.',
  ACCOUNT_NOT_DEPLOYED:
    'The wallet signed in by a contract that is not on the chain. The router refuses its signature until the contract is deployed, or delegated to (EIP-7702).',
  EXECUTION_WOULD_REVERT:
    'Tried at the latest block, it reverts with the error that `errorName` and `arguments` name.',
  CHANGE_NOT_FINAL:
    'An event that is mined and not final has made it impossible. `pendingChanges` has the event, and the time at which it should be final.',
  SIMULATION_UNAVAILABLE: 'No node could simulate it at the latest block. The outcome is unknown.',
} as const satisfies Record<string, string>

export type IssueCode = keyof typeof issueCatalogue

export const issueCodes: readonly IssueCode[] = Object.keys(issueCatalogue).filter(
  (name): name is IssueCode => name in issueCatalogue,
)

/** `have` and `need` in base units, of token or shares; `errorName` and `arguments` as the contract gives them. */
export type Issue = {
  code: IssueCode
  message: string
  have?: BaseUnits
  need?: BaseUnits
  errorName?: string
  arguments?: readonly string[]
}
