/** Balances, totals and entries of statements. */
import { sql } from 'kysely'
import {
  STATEMENT_ACCOUNTS,
  STATEMENT_KINDS,
  type StatementAccount,
  type StatementKind,
} from '../../../domain/statement.ts'
import { claims } from '../../../projection/tables/claim.ts'
import { executions } from '../../../projection/tables/execution.ts'
import { tokens } from '../../../projection/tables/token.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { builder } from '../../kit/builder.ts'
import { accountAt, computed, refersTo } from '../../kit/reads.ts'
import { Account, Claim, Execution, Token, Vault } from '../shared/refs.ts'

const { wallet, vault, issuer } = STATEMENT_ACCOUNTS
const AccountType = builder.enumType('StatementAccount', {
  description: 'Balance of a statement. Each kind of subject has its own.',
  values: { ...wallet, ...vault, ...issuer } satisfies Record<StatementAccount, object>,
})

const KindType = builder.enumType('StatementKind', {
  description: 'Kind of an entry of a statement.',
  values: STATEMENT_KINDS,
})

/** Token of the amounts, or vault whose shares they count. */
type Unit = { readonly account: StatementAccount; readonly unit: string }

const unitOf = {
  token: {
    type: Token,
    nullable: true as const,
    description: 'Token of the amounts; null for shares.',
    ...refersTo('unit', tokens),
  },
  vault: {
    type: Vault,
    nullable: true as const,
    description: 'Vault whose shares the amounts count; null for tokens.',
    ...refersTo('unit', vaults),
  },
}
const ACCOUNT = { type: AccountType, description: 'The balance.' }

type BalanceShape = Unit & {
  readonly [Name in 'opening' | 'increases' | 'decreases' | 'closing']: bigint
} & { readonly entryCount: number; readonly hash: string }

export const Balance = builder.objectRef<BalanceShape>('StatementBalance').implement({
  description: 'One balance of a statement, base units. `opening + increases - decreases = closing`.',
  fields: (t) => ({
    account: t.expose('account', ACCOUNT),
    tokenInfo: t.field(unitOf.token),
    vault: t.field(unitOf.vault),
    opening: t.expose('opening', {
      type: 'SignedAmount',
      description: 'Balance at the start of the period.',
    }),
    increases: t.expose('increases', {
      type: 'AmountSum',
      description: 'Sum of the positive amounts of the period.',
    }),
    decreases: t.expose('decreases', {
      type: 'AmountSum',
      description: 'Sum of the negative amounts of the period, without their sign.',
    }),
    closing: t.expose('closing', { type: 'SignedAmount', description: 'Balance at the end of the period.' }),
    entryCount: t.exposeInt('entryCount', { description: 'Number of entries.' }),
    hash: t.exposeString('hash', {
      description:
        'SHA-256 of one line `id:part:amount` for each entry, each with a line feed, in the order of the chain. Hexadecimal.',
    }),
  }),
})

type TotalShape = Unit & {
  readonly kind: StatementKind
  readonly amount: bigint
  readonly entryCount: number
}

export const Total = builder.objectRef<TotalShape>('StatementTotal').implement({
  description: 'The entries of one kind on one balance.',
  fields: (t) => ({
    account: t.expose('account', ACCOUNT),
    tokenInfo: t.field(unitOf.token),
    vault: t.field(unitOf.vault),
    kind: t.expose('kind', { type: KindType, description: 'The kind.' }),
    amount: t.expose('amount', { type: 'SignedAmount', description: 'Sum of the amounts, base units.' }),
    entryCount: t.exposeInt('entryCount', { description: 'Number of entries.' }),
  }),
})

type EntryShape = Unit & {
  readonly id: string
  readonly kind: StatementKind
  readonly amount: bigint
  readonly balanceAfter: bigint
  readonly at: bigint
  readonly block: bigint
  readonly tx: `0x${string}`
}

export const Entry = builder.objectRef<EntryShape>('StatementEntry').implement({
  description: 'One change of one balance. An event can have several.',
  fields: (t) => ({
    position: t.string({
      description: 'Id of the entry, `id:part`, as in the lines that `hash` is made of.',
      ...computed((entry) => sql`concat(${entry.column('id')}, ':', ${entry.column('part')})`),
    }),
    account: t.expose('account', ACCOUNT),
    tokenInfo: t.field(unitOf.token),
    vault: t.field(unitOf.vault),
    kind: t.expose('kind', { type: KindType, description: 'The kind.' }),
    amount: t.expose('amount', {
      type: 'SignedAmount',
      description: 'Change of the balance, base units. Negative for a decrease.',
    }),
    balanceAfter: t.expose('balanceAfter', {
      type: 'SignedAmount',
      description: 'The balance after the entry, base units.',
    }),
    counterparty: t.field({
      type: Account,
      nullable: true,
      description:
        'Vault, issuer, payer, beneficiary or holder of shares at the other end; null for credits, which the router holds.',
      ...accountAt('counterparty'),
    }),
    claim: t.field({
      type: Claim,
      nullable: true,
      description: 'The claim; null for an entry without one.',
      ...refersTo('claimId', claims),
    }),
    execution: t.field({
      type: Execution,
      nullable: true,
      description: 'The execution that financed the claim; null for an entry without one.',
      ...refersTo('executionId', executions),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Block time of the event.' }),
    blockNumber: t.expose('block', { type: 'SafeInt', description: 'Block number of the event.' }),
    transactionHash: t.expose('tx', { type: 'Hash', description: 'Transaction of the event.' }),
  }),
})
