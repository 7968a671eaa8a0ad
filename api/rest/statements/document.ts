/** The JSON of a statement. */
import { z } from '@hono/zod-openapi'
import { address } from '../../domain/address.ts'
import { hash } from '../../domain/hash.ts'
import { chainIdNumber, shareDecimals, wholeNumber } from '../../domain/integer.ts'
import { money, signedMoney } from '../../domain/money.ts'
import { STATEMENT_ACCOUNTS, STATEMENT_KINDS, STATEMENT_SUBJECTS } from '../../domain/statement.ts'
import { TIME_LENGTH_MAX, time } from '../../domain/time.ts'
import { finalizedThrough, orNull } from '../shared/answer.ts'
import { tokenText } from '../shared/token-info.ts'

const ofAll = Object.entries(STATEMENT_ACCOUNTS).flatMap(([subject, accounts]) =>
  Object.entries(accounts).map(([name, { description }]) => `- \`${name}\` of a ${subject}: ${description}`),
)

const unit = {
  account: z
    .enum(Object.values(STATEMENT_ACCOUNTS).flatMap((accounts) => Object.keys(accounts)))
    .openapi('StatementAccount', { description: ['The balance.', '', ...ofAll].join('\n') }),
  unit: address.openapi({
    description: 'Token of the amounts, or vault whose shares they count (`SHARES`, `ISSUED`).',
  }),
}

const kind = z.enum(Object.keys(STATEMENT_KINDS)).openapi('StatementKind', {
  description: Object.entries(STATEMENT_KINDS)
    .map(([name, { description }]) => `- \`${name}\`: ${description}`)
    .join('\n'),
})

const balance = z
  .object({
    ...unit,
    symbol: tokenText,
    decimals: shareDecimals.openapi({ description: '10^decimals base units are one whole unit.' }),
    opening: signedMoney.openapi({ description: 'Balance at the start of the period.' }),
    increases: money.openapi({ description: 'Sum of the positive amounts of the period.' }),
    decreases: money.openapi({
      description: 'Sum of the negative amounts of the period, without their sign.',
    }),
    closing: signedMoney.openapi({ description: '`opening + increases - decreases`.' }),
    entryCount: wholeNumber,
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .max(64)
      .openapi({
        description:
          'SHA-256 of one line `id:part:amount` for each entry, each with a line feed, in their order.',
      }),
  })
  .openapi('StatementBalance')

const total = z
  .object({ ...unit, kind, amount: signedMoney, entryCount: wholeNumber })
  .openapi('StatementTotal', { description: 'The entries of one kind on one balance.' })

const entry = z
  .object({
    id: z
      .string()
      .regex(/^[0-9]+$/)
      .max(19)
      .openapi({ description: 'Id of the event, a number. Its order is the order of the chain.' }),
    part: wholeNumber.openapi({ description: 'Position among the entries with this `id`.' }),
    ...unit,
    kind,
    amount: signedMoney.openapi({ description: 'Change of the balance, base units.' }),
    balanceAfter: signedMoney,
    counterparty: orNull(address).openapi({
      description:
        'Vault, issuer, payer, beneficiary or holder of shares at the other end; null for credits, which the router holds.',
    }),
    claimId: orNull(hash),
    executionId: orNull(hash),
    at: time,
    blockNumber: wholeNumber,
    transactionHash: hash,
  })
  .openapi('StatementEntry', { description: 'One change of one balance. An event can have several.' })

export const statement = z
  .object({
    chainId: chainIdNumber,
    subject: z.enum(STATEMENT_SUBJECTS),
    address,
    from: time.openapi({ description: 'Start, inclusive.' }),
    to: time.openapi({ description: 'End, exclusive.' }),
    zone: z.string().max(TIME_LENGTH_MAX),
    isComplete: z.boolean().openapi({
      description: 'Whether the finalized block is at the end or later, so that no entry can follow.',
    }),
    finalizedThrough,
    balances: z.array(balance).openapi({
      description: 'Balances that are not zero at the start, or that have entries.',
    }),
    totals: z.array(total),
    entries: z.array(entry).openapi({ description: 'In the order of the chain.' }),
  })
  .openapi('Statement')

export const statementFile = z.string().openapi('StatementFile', {
  description: 'A statement as text: CSV, XML, a journal or HTML.',
})
