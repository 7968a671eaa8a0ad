/**
 * A statement as a plain-text journal, which hledger and similar programs read. Each posting asserts the balance after
 * it, so that the program finds a difference of one base unit.
 */
import type { StatementAccount, StatementKind } from '../../../domain/statement.ts'
import { formatTime } from '../../../domain/time.ts'
import type { StatementBalance, StatementEntry } from '../../../projection/statements/statement.ts'
import {
  balanceFinder,
  dayIn,
  type EntryPages,
  type Statement,
  type StatementFormat,
  titleOf,
  unitsOf,
} from '../statement.ts'

export const journal: StatementFormat = { mediaType: 'text/plain; charset=utf-8', write }

/** Accounts of the journal. Equity and liabilities are negative there, as double entry has them. */
const ACCOUNTS: Readonly<Record<StatementAccount, { readonly name: string; readonly sign: 1n | -1n }>> = {
  CASH: { name: 'assets:cash', sign: 1n },
  RECEIVABLE: { name: 'assets:receivable', sign: 1n },
  CREDIT: { name: 'assets:credit', sign: 1n },
  SHARES: { name: 'assets:shares', sign: 1n },
  IDLE: { name: 'assets:idle', sign: 1n },
  ADVANCED: { name: 'assets:advanced', sign: 1n },
  ISSUED: { name: 'equity:issued', sign: -1n },
  OWED: { name: 'liabilities:owed', sign: -1n },
}

/** Accounts of the rest of a transaction: its gain, its loss, or the other side of an exchange. */
const CONTRA: Readonly<Record<StatementKind, string>> = {
  CLAIM_REGISTERED: 'equity:claims',
  CLAIM_REVOKED: 'equity:claims',
  FINANCED: 'expenses:discount',
  CLAIM_PAID: 'equity:payments',
  PAYMENT_MADE: 'expenses:payments',
  REPAYMENT: 'income:discount',
  CREDITED: 'equity:conversion',
  CREDIT_WITHDRAWN: 'equity:conversion',
  DEPOSIT: 'equity:conversion',
  WITHDRAWAL: 'equity:conversion',
  SHARES_SENT: 'equity:transfers',
  SHARES_RECEIVED: 'equity:transfers',
}

type Posting = { readonly account: string; readonly amount: bigint; readonly after?: bigint }

async function* write(statement: Statement, pages: EntryPages) {
  const { balances, through, isComplete } = statement
  const end = isComplete ? 'The period is complete.' : 'The period is not complete: entries can follow.'
  yield `; ${titleOf(statement)}\n; Finalized through block ${through.blockNumber}. ${end}\n\ndecimal-mark .\n`
  yield opening(statement)
  const balanceOf = balanceFinder(statement)
  for await (const entries of transactionsOf(pages)) yield transaction(statement, entries, balanceOf)
  for (const { account, unit, entryCount, hash } of balances) {
    yield `; ${account} ${unit}: ${entryCount} entries, SHA-256 ${hash}\n`
  }
}

/**
 * Assigns the opening balances. After the journal of the period before, in one file, an assignment changes nothing, so
 * journals can be joined.
 */
function opening(statement: Statement): string {
  const lines = statement.balances.flatMap((balance) => {
    const { name, sign } = ACCOUNTS[balance.account]
    return balance.opening === 0n ? [] : [`    ${name}  = ${amountText(sign * balance.opening, balance)}\n`]
  })
  return lines.length > 0
    ? `\n${dayIn(statement, statement.from)} opening balances\n${lines.join('')}    equity:opening balances\n`
    : ''
}

/** Groups the entries of one event, which can be in two pages. */
async function* transactionsOf(pages: EntryPages) {
  let group: StatementEntry[] = []
  for await (const entries of pages) {
    for (const entry of entries) {
      if (group[0] && group[0].id !== entry.id) {
        yield group
        group = []
      }
      group.push(entry)
    }
  }
  if (group.length > 0) yield group
}

function transaction(
  statement: Statement,
  entries: readonly StatementEntry[],
  balanceOf: (entry: StatementEntry) => StatementBalance,
): string {
  const [first] = entries
  if (!first) return ''
  const rests = new Map<string, { balance: StatementBalance; rest: bigint }>()
  const lines = entries.map((entry) => {
    const balance = balanceOf(entry)
    const { name: account, sign } = ACCOUNTS[entry.account]
    const amount = sign * entry.amount
    const rest = (rests.get(entry.unit)?.rest ?? 0n) - amount
    rests.set(entry.unit, { balance, rest })
    return post(balance, { account, amount, after: sign * entry.balanceAfter })
  })
  const contra = [...rests.values()].map(({ balance, rest }) =>
    rest === 0n ? '' : post(balance, { account: CONTRA[first.kind], amount: rest }),
  )
  const tags = [
    `at: ${formatTime(first.at)}`,
    `transaction: ${first.tx}`,
    `event: ${first.id}`,
    ...entries.flatMap(({ claimId, counterparty }) => [
      ...(claimId ? [`claim: ${claimId}`] : []),
      ...(counterparty ? [`counterparty: ${counterparty}`] : []),
    ]),
  ]
  const comments = [...new Set(tags)].map((tag) => `    ; ${tag}\n`)
  return `\n${dayIn(statement, first.at)} ${first.kind}\n${[...comments, ...lines, ...contra].join('')}`
}

function post(balance: StatementBalance, { account, amount, after }: Posting): string {
  const asserted = after === undefined ? '' : ` = ${amountText(after, balance)}`
  return `    ${account}  ${amountText(amount, balance)}${asserted}\n`
}

/**
 * An amount and its commodity: the letters and digits of the symbol, and the address, since any contract can take the
 * symbol of another.
 */
function amountText(amount: bigint, balance: StatementBalance): string {
  const symbol = balance.symbol.replace(/[^\p{L}\p{N}]/gu, '')
  return `${unitsOf(amount, balance)} "${`${symbol} ${balance.unit}`.trim()}"`
}
