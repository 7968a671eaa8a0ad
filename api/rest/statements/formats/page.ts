/** A statement as a page to print. */
import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { STATEMENT_ACCOUNTS } from '../../../domain/statement.ts'
import { formatTime } from '../../../domain/time.ts'
import { pagePolicy } from '../../../http/security-headers.ts'
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

const STYLE = `
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem }
h1 { font-size: 1.3rem; overflow-wrap: anywhere }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem }
.table { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid #8884 }
th { white-space: nowrap }
.amount { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td, code { white-space: nowrap }
code { font: .85em ui-monospace, monospace }
thead { display: table-header-group }
tr { break-inside: avoid }
@page { size: A4 landscape; margin: 12mm }
@media print { :root { color-scheme: light; font-size: 9pt } body { max-width: none; padding: 0 } .table { overflow: visible } }
`

const POLICY = pagePolicy(
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
)

export const page: StatementFormat = {
  mediaType: 'text/html; charset=utf-8',
  headers: { 'Content-Disposition': 'inline', 'Content-Security-Policy': POLICY },
  write,
}

async function* write(statement: Statement, pages: EntryPages) {
  yield head(statement)
  const balanceOf = balanceFinder(statement)
  for await (const entries of pages) {
    yield entries.map((entry) => row(statement, entry, balanceOf(entry))).join('')
  }
  yield '</tbody></table></div></body></html>\n'
}

function head(statement: Statement): string {
  const { balances, through, isComplete } = statement
  const title = titleOf(statement)
  const meanings: Readonly<Record<string, { description: string }>> = STATEMENT_ACCOUNTS[statement.subject]
  return String(html`<!doctype html>
<html lang="en"><head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title><link rel="icon" href="data:,"><style>${raw(STYLE)}</style>
</head><body>
<h1>${title}</h1>
<p>Finalized through block ${through.blockNumber.toString()}, ${formatTime(through.timestamp)}.
${isComplete ? 'The period is complete.' : 'The period is not complete: entries can follow.'}</p>
<h2>Balances</h2>
<div class="table"><table><thead><tr><th>Balance</th><th>Unit</th><th class="amount">Opening</th><th class="amount">Increases</th>
<th class="amount">Decreases</th><th class="amount">Closing</th><th class="amount">Entries</th></tr></thead><tbody>
${balances.map((balance) => balanceRow(balance, meanings[balance.account]?.description))}</tbody></table></div>
<p>${balances.length === 0 ? 'No balance and no entry in this period.' : ''}</p>
<h2>Entries</h2>
<div class="table"><table><thead><tr><th>Day</th><th>Entry</th><th>Balance</th><th class="amount">Amount</th>
<th class="amount">Balance after</th><th>Unit</th><th>Details</th></tr></thead><tbody>`)
}

function balanceRow(balance: StatementBalance, meaning = '') {
  const { account, unit, symbol, opening, increases, decreases, closing, entryCount } = balance
  const amounts = [opening, increases, decreases, closing].map(
    (amount) => html`<td class="amount">${grouped(unitsOf(amount, balance))}</td>`,
  )
  return html`<tr><td title="${meaning}">${account}</td><td><bdi>${symbol}</bdi> <code>${unit}</code></td>${amounts}<td class="amount">${entryCount}</td></tr>
`
}

function row(statement: Statement, entry: StatementEntry, balance: StatementBalance): string {
  const { kind, account, amount, balanceAfter, at, counterparty, claimId, tx } = entry
  const facts = { counterparty, claim: claimId, transaction: tx }
  const details = Object.entries(facts).flatMap(([name, value]) =>
    value ? [html`<div>${name} <code>${value}</code></div>`] : [],
  )
  return String(html`<tr><td title="${formatTime(at)}">${dayIn(statement, at)}</td><td>${kind}</td><td>${account}</td>
<td class="amount">${grouped(unitsOf(amount, balance))}</td><td class="amount">${grouped(unitsOf(balanceAfter, balance))}</td><td><bdi>${balance.symbol}</bdi></td><td>${details}</td></tr>
`)
}

/** With a comma between each three digits before the decimal point. */
function grouped(units: string): string {
  const [whole = '', decimals] = units.split('.')
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return decimals === undefined ? groups : `${groups}.${decimals}`
}
