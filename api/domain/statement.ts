/** Statements: the movements of a wallet, a vault or an issuer in a period, with the balances before and after. */
import type { UnixSeconds } from './time.ts'

export const STATEMENT_SUBJECTS = ['wallet', 'vault', 'issuer'] as const
export type StatementSubject = (typeof STATEMENT_SUBJECTS)[number]

/**
 * Balances of a statement, by subject, with their meanings. Each has one amount for each token, that of shares for each
 * vault.
 */
export const STATEMENT_ACCOUNTS = {
  wallet: {
    CASH: {
      description:
        'Tokens paid for claims, credits and shares of the wallet, less those that payments and deposits cost it, since the first block.',
    },
    RECEIVABLE: {
      description:
        'Face that the wallet is owed: its claims less the face that is financed, paid, credited or revoked.',
    },
    CREDIT: { description: 'Credit: tokens that the router holds for the wallet.' },
    SHARES: { description: 'Shares of a vault that the wallet holds.' },
  },
  vault: {
    IDLE: { description: 'Idle assets of the vault.' },
    ADVANCED: { description: 'Outstanding advances of the vault, at cost.' },
    ISSUED: { description: 'Shares that the vault has issued.' },
  },
  issuer: {
    OWED: { description: 'Face of the claims of the issuer that is neither paid nor revoked.' },
  },
} as const satisfies Record<StatementSubject, Record<string, { description: string }>>

type AccountsOf<S extends StatementSubject> = keyof (typeof STATEMENT_ACCOUNTS)[S] & string
export type StatementAccount = { [S in StatementSubject]: AccountsOf<S> }[StatementSubject]

/** Kinds of entries, with their meanings. */
export const STATEMENT_KINDS = {
  CLAIM_REGISTERED: { description: 'A claim was registered.' },
  CLAIM_REVOKED: { description: 'The issuer revoked a claim that nobody had financed.' },
  FINANCED: { description: 'A vault financed a part of a claim.' },
  CLAIM_PAID: {
    description:
      'A settlement paid a claim, whole or in part: the part of the wallet, or all of it for the issuer.',
  },
  PAYMENT_MADE: { description: 'The wallet paid a settlement.' },
  REPAYMENT: { description: 'A settlement repaid a vault.' },
  CREDITED: { description: 'The router kept an amount that a settlement could not pay.' },
  CREDIT_WITHDRAWN: { description: 'The router paid a credit.' },
  DEPOSIT: { description: 'Assets were deposited for shares.' },
  WITHDRAWAL: { description: 'Shares were redeemed for assets.' },
  SHARES_SENT: { description: 'The wallet transferred shares to another one.' },
  SHARES_RECEIVED: { description: 'Another wallet transferred shares to this one.' },
} as const
export type StatementKind = keyof typeof STATEMENT_KINDS

/** A period, from a time, inclusive, to another, exclusive. */
export type StatementPeriod = { readonly from: UnixSeconds; readonly to: UnixSeconds }
