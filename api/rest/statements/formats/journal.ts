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
  keyOf,
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
type Write = (balance: StatementBalance, posting: Posting) => string

async function* write(statement: Statement, pages: EntryPages) {
  const post = postingsIn(commoditiesOf(statement))
  const { balances, through } = statement
  yield `; ${titleOf(statement)}, finalized through block ${through.blockNumber}\n\ndecimal-mark .\n`
  yield opening(statement, post)
  const balanceOf = balanceFinder(statement)
  for await (const entries of transactionsOf(pages))
    yield transaction(statement, entries, { post, balanceOf })
  for (const { account, unit, entryCount, hash } of balances) {
    yield `; ${account} ${unit}: ${entryCount} entries, SHA-256 ${hash}\n`
  }
}

function opening(statement: Statement, post: Write): string {
  const lines = statement.balances.flatMap((balance) => {
    const { name: account, sign } = ACCOUNTS[balance.account]
    const amount = sign * balance.opening
    return amount === 0n
      ? []
      : [
          post(balance, { account, amount, after: amount }),
          post(balance, { account: OPENING, amount: -amount }),
        ]
  })
  return lines.length > 0 ? `\n${dayIn(statement, statement.from)} opening balances\n${lines.join('')}` : ''
}

const OPENING = 'equity:opening balances'

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

type Parts = { readonly post: Write; readonly balanceOf: (entry: StatementEntry) => StatementBalance }

function transaction(
  statement: Statement,
  entries: readonly StatementEntry[],
  { post, balanceOf }: Parts,
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

function postingsIn(commodities: ReadonlyMap<string, string>): Write {
  return (balance, { account, amount, after }) => {
    const commodity = commodities.get(keyOf(balance)) ?? balance.unit
    const text = (value: bigint) => `${unitsOf(value, balance)} "${commodity}"`
    return `    ${account}  ${text(amount)}${after === undefined ? '' : ` = ${text(after)}`}\n`
  }
}

/**
 * Returns the name of the commodity of each balance: the letters and digits of the symbol. Anyone can name a token as
 * another one, so a symbol of two units is not the name of either: the address is.
 */
function commoditiesOf({ balances }: Statement): ReadonlyMap<string, string> {
  const names = new Map(balances.map(({ unit, symbol }) => [unit, symbol.replace(/[^\p{L}\p{N}]/gu, '')]))
  const texts = [...names.values()]
  const isUnique = (name: string) => name !== '' && texts.filter((other) => other === name).length === 1
  return new Map(
    balances.map((balance) => {
      const name = names.get(balance.unit) ?? ''
      return [keyOf(balance), isUnique(name) ? name : balance.unit]
    }),
  )
}
