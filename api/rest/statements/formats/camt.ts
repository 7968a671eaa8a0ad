/**
 * A statement as ISO 20022 camt.053.001.13: one `Stmt` for each balance, in whole units of the currency `XXX`, since
 * tokens have no code of ISO 4217. `AddtlNtryInf` has the base units of each entry.
 */
import { createHash } from 'node:crypto'
import { formatTime, type UnixSeconds } from '../../../domain/time.ts'
import { validationFailed } from '../../../errors.ts'
import type { StatementBalance, StatementEntry } from '../../../projection/statements/statement.ts'
import { type EntryPages, type Statement, type StatementFormat, titleOf } from '../statement.ts'
import { type Rounded, roundedFor } from './camt-amount.ts'
import { element, text } from './xml.ts'

export const camt: StatementFormat = { mediaType: 'application/xml', order: 'balance', write }

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.13'
const CURRENCY = 'XXX'

/** Characters of texts: `Max35Text`, `Max70Text`, `Max140Text`, `Max500Text`. */
const [ID, NAME, OWNER, INFORMATION] = [35, 70, 140, 500]

async function* write(statement: Statement, pages: EntryPages) {
  const { balances, through } = statement
  if (balances.length === 0) throw noBalance()
  const amounts = balances.map((balance) => [balance, roundedFor(balance)] as const)
  const entries = entriesOf(pages)
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>${element(
    'GrpHdr',
    element('MsgId', idOf(statement)),
    element('CreDtTm', formatTime(through.timestamp)),
    element('AddtlInf', text(titleOf(statement), INFORMATION)),
  )}`
  for (const [balance, rounded] of amounts) {
    yield `<Stmt>${heading(statement, balance, rounded)}`
    yield* entriesText(entries, balance, rounded)
    yield `${rest(statement, balance, rounded)}${element('AddtlStmtInf', text(controlOf(balance), INFORMATION))}</Stmt>`
  }
  yield '</BkToCstmrStmt></Document>\n'
}

function noBalance(): Error {
  const message = 'must not be XML: the period has no balance, and a message of ISO 20022 has one or more'
  return validationFailed([{ path: 'file', message }])
}

async function* entriesOf(pages: EntryPages) {
  for await (const page of pages) yield* page
}

/** The entries of one balance, which follow those of the balance before. */
async function* entriesText(
  entries: AsyncGenerator<StatementEntry, void, undefined>,
  { entryCount }: StatementBalance,
  rounded: Rounded,
) {
  for (let i = 0; i < entryCount; i++) {
    const { value: entry } = await entries.next()
    if (!entry) throw new Error('a statement has fewer entries than it states')
    yield entryText(entry, rounded)
  }
}

function heading(statement: Statement, balance: StatementBalance, rounded: Rounded): string {
  const { chainId, subject, address, from, to, through, isComplete } = statement
  const { account, unit, symbol, opening, closing } = balance
  return [
    element('Id', idOf(statement, account, unit)),
    element('CreDtTm', formatTime(through.timestamp)),
    element('FrToDt', element('FrDtTm', formatTime(from)), element('ToDtTm', formatTime(to))),
    element(
      'Acct',
      element('Id', element('Othr', element('Id', shortHash(String(chainId), address, account, unit)))),
      element('Tp', element('Prtry', account)),
      element('Ccy', CURRENCY),
      element('Nm', text(`${unit} ${symbol}`, NAME)),
      element('Ownr', element('Nm', text(`${subject} ${address}`, OWNER))),
      // The chain by its CAIP-2 id keeps the account.
      element('Svcr', element('FinInstnId', element('Othr', element('Id', `eip155:${chainId}`)))),
    ),
    balanceText('OPBD', rounded.whole(opening), formatTime(from)),
    balanceText(isComplete ? 'CLBD' : 'ITBD', rounded.whole(closing), formatTime(lastSecond(statement))),
  ].join('')
}

/** @param code `OPBD`: opening; `CLBD`: closing; `ITBD`: at the finalized block, within the period */
function balanceText(code: string, amount: string, at: string): string {
  return element(
    'Bal',
    element('Tp', element('CdOrPrtry', element('Cd', code))),
    amountText(amount),
    element('Dt', element('DtTm', at)),
  )
}

function entryText({ id, part, kind, amount, at, ...of }: StatementEntry, rounded: Rounded): string {
  const { counterparty, claimId, executionId, tx } = of
  const facts = { counterparty, claim: claimId, execution: executionId, transaction: tx }
  const stated = Object.entries(facts).flatMap(([name, value]) => (value ? [`${name} ${value}`] : []))
  return entry({
    reference: `${id}-${part}`,
    amount: rounded.add(amount),
    at: formatTime(at),
    kind,
    information: [`${amount} base units`, ...stated].join(', '),
  })
}

/** The entry that makes the sums right. */
function rest(statement: Statement, { closing }: StatementBalance, rounded: Rounded): string {
  const amount = rounded.rest(closing)
  return amount === undefined
    ? ''
    : entry({
        reference: ROUNDING,
        amount,
        at: formatTime(lastSecond(statement)),
        kind: ROUNDING,
        information: '0 base units',
      })
}

const ROUNDING = 'ROUNDING'

type EntryTexts = Readonly<Record<'reference' | 'amount' | 'at' | 'kind' | 'information', string>>

function entry({ reference, amount, at, kind, information }: EntryTexts): string {
  return element(
    'Ntry',
    element('NtryRef', text(reference, ID)),
    amountText(amount),
    element('Sts', element('Cd', 'BOOK')),
    element('BookgDt', element('DtTm', at)),
    element('ValDt', element('DtTm', at)),
    element('BkTxCd', element('Prtry', element('Cd', kind))),
    element('AddtlNtryInf', text(information, INFORMATION)),
  )
}

/** An amount without its sign, and the sign. */
function amountText(amount: string): string {
  const isNegative = amount.startsWith('-')
  const digits = isNegative ? amount.slice(1) : amount
  return `<Amt Ccy="${CURRENCY}">${digits}</Amt>${element('CdtDbtInd', isNegative ? 'DBIT' : 'CRDT')}`
}

/** Control totals of one balance, base units. */
function controlOf({ entryCount, opening, increases, decreases, closing, hash }: StatementBalance): string {
  return `${entryCount} entries; base units: opening ${opening}, increases ${increases}, decreases ${decreases}, closing ${closing}; SHA-256 ${hash}`
}

/** Time of the closing balance: the last second of the period, or that of the finalized block within it. */
function lastSecond({ to, through, isComplete }: Statement): UnixSeconds {
  return isComplete ? to - 1n : through.timestamp
}

/** Identifies a statement, or one of its balances. */
function idOf(
  { chainId, subject, address, from, to, through }: Statement,
  ...parts: readonly string[]
): string {
  return shortHash(String(chainId), subject, address, `${from}`, `${to}`, `${through.blockNumber}`, ...parts)
}

/** 32 digits, since the message has no room for addresses. */
function shortHash(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, ID_DIGITS)
}

const ID_DIGITS = 32
