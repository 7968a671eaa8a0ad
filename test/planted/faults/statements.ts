/** Faults in statements. */
import type { PlantedFault } from '../fault.ts'

export const statementFaults: readonly PlantedFault[] = [
  {
    name: 'a change of nothing is an entry',
    in: 'entriesOf',
    find: 'where amount <> 0)',
    replace: ')',
    caughtBy: ['statement-entries'],
  },
  {
    name: 'a claim that its issuer stops when it is partially financed leaves the receivables of its holder',
    in: 'walletArms',
    find: " and claim.state = 'REVOKED'",
    replace: '',
    caughtBy: ['agreement'],
  },
  {
    name: 'a repayment takes the whole face from the advances of a vault',
    in: 'vaultArms',
    find: 'own.discount - own.amount',
    replace: '-own.amount',
    caughtBy: ['agreement'],
  },
  {
    name: 'an entry of the last second before a period is one of the period',
    in: 'balancesOf',
    find: `entry.at >= \${from}`,
    replace: `entry.at >= \${from} - 1`,
    caughtBy: ['statement-entries', 'agreement'],
  },
  {
    name: 'the balance after an entry counts only the entries of the period',
    in: 'entriesWithin',
    find: `where entry.at < \${to}`,
    replace: `where entry.at < \${to} and entry.at >= \${from}`,
    caughtBy: ['agreement'],
  },
  {
    name: 'a payer who is the beneficiary, too, pays nothing in its statement',
    in: 'walletArms',
    find: "changes: [cash(minus(column('own.face_amount')))]",
    replace: "changes: [cash(minus(column('own.face_amount - own.beneficiary_amount')))]",
    caughtBy: ['agreement'],
  },
  {
    name: 'a day of a statement ends a day after its first second, also when clocks change',
    in: 'dayEnd',
    find: 'Temporal.PlainDate.from(day).add({ days: 1 }), zone)',
    replace: 'Temporal.PlainDate.from(day), zone) + 86_400n',
    caughtBy: ['statement-period'],
  },
  {
    name: 'the rounding entry of ISO 20022 forgets the opening balance',
    in: 'roundedFor',
    find: 'let sum = opening / step',
    replace: 'let sum = 0n',
    caughtBy: ['formats'],
  },
  {
    name: 'two tokens with one symbol are one commodity of a journal',
    in: 'amountText',
    find: `\${symbol} \${balance.unit}`,
    replace: `\${symbol}`,
    caughtBy: ['formats'],
  },
  {
    name: 'amounts of ISO 20022 have four decimals',
    in: 'DECIMALS_MAX',
    area: 'api/rest',
    find: '5',
    replace: '4',
    caughtBy: ['formats'],
  },
  {
    name: 'statements of two units in one message have one id',
    in: 'idOf',
    area: 'api/rest/statements',
    find: '...parts)',
    replace: '...parts.slice(2))',
    caughtBy: ['formats'],
  },
  {
    name: 'a page has decreases in the column of increases',
    in: 'balanceRow',
    area: 'api/rest',
    find: '[opening, increases, decreases, closing]',
    replace: '[opening, decreases, increases, closing]',
    caughtBy: ['formats'],
  },
  {
    name: 'the day of an entry in CSV is that of UTC',
    in: 'COLUMNS',
    area: 'api/rest/statements',
    find: '({ entry }, statement) => entry && dayIn(statement, entry.at)',
    replace: '({ entry }) => entry && formatTime(entry.at).slice(0, 10)',
    caughtBy: ['formats'],
  },
  {
    name: 'CSV has the claim of an entry as its execution',
    in: 'COLUMNS',
    area: 'api/rest/statements',
    find: 'entry?.executionId',
    replace: 'entry?.claimId',
    caughtBy: ['formats'],
  },
  {
    name: 'the gain of a repayment is booked as a payment',
    in: 'CONTRA',
    find: "REPAYMENT: 'income:discount'",
    replace: "REPAYMENT: 'equity:payments'",
    caughtBy: ['formats'],
  },
  {
    name: 'the heading of a statement names the day after its period',
    in: 'titleOf',
    area: 'api/rest',
    find: 'dayAt(to - 1n, zone)} (',
    replace: 'dayAt(to, zone)} (',
    caughtBy: ['formats'],
  },
  {
    name: 'a statement is not complete when the finalized block has the end of its period',
    in: 'readHead',
    area: 'api/rest',
    find: 'through.timestamp >= of.to',
    replace: 'through.timestamp > of.to',
    caughtBy: ['statements'],
  },
  {
    name: 'a statement that begins at the finalized block is refused',
    in: 'readHead',
    area: 'api/rest',
    find: 'of.from > through.timestamp',
    replace: 'of.from >= through.timestamp',
    caughtBy: ['statements'],
  },
  {
    name: 'the totals of a statement include the end of its period',
    in: 'totalsOf',
    area: 'api',
    find: `entry.at >= \${from} and entry.at < \${to} group by`,
    replace: `entry.at >= \${from} and entry.at <= \${to} group by`,
    caughtBy: ['statements'],
  },
  {
    name: 'a statement omits balances without entries',
    in: 'balancesOf',
    area: 'api',
    find: 'balance.opening <> 0 or balance.entry_count > 0',
    replace: 'balance.entry_count > 0',
    caughtBy: ['statements'],
  },
  {
    name: "the entries of payer and beneficiary have each other's ids",
    in: 'settlements',
    area: 'api',
    find: "role === 'beneficiary' ? 1 : 0",
    replace: "role === 'payer' ? 1 : 0",
    caughtBy: ['statements'],
  },
  {
    name: 'a text of XML is cut after it is escaped',
    in: 'text',
    area: 'api/rest/statements',
    find: `return [...allowed].slice(0, length).join('').replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')`,
    replace: `return [...allowed.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')].slice(0, length).join('')`,
    caughtBy: ['formats'],
  },
  {
    name: 'a text of XML is cut between the halves of a character',
    in: 'text',
    area: 'api/rest/statements',
    find: `[...allowed].slice(0, length).join('')`,
    replace: 'allowed.slice(0, length)',
    caughtBy: ['formats'],
  },
  {
    name: 'an event whose entries are on two pages becomes two transactions of the journal',
    in: 'transactionsOf',
    area: 'api/rest/statements',
    find: `let group: StatementEntry[] = []
  for await (const entries of pages) {
    for (const entry of entries) {
      if (group[0] && group[0].id !== entry.id) {
        yield group
        group = []
      }
      group.push(entry)
    }
  }
  if (group.length > 0) yield group`,
    replace: `for await (const entries of pages) {
    let group: StatementEntry[] = []
    for (const entry of entries) {
      if (group[0] && group[0].id !== entry.id) {
        yield group
        group = []
      }
      group.push(entry)
    }
    if (group.length > 0) yield group
  }`,
    caughtBy: ['formats'],
  },
  {
    name: 'a transaction of the journal repeats facts that its entries have in common',
    in: 'transaction',
    area: 'api/rest/statements',
    find: '[...new Set(tags)].map(',
    replace: 'tags.map(',
    caughtBy: ['formats'],
  },
  {
    name: 'a transaction of the journal has the counterparty of its first entry alone',
    in: 'transaction',
    area: 'api/rest/statements',
    find: '...entries.flatMap(({ claimId, counterparty })',
    replace: '...entries.slice(0, 1).flatMap(({ claimId, counterparty })',
    caughtBy: ['formats'],
  },
  {
    name: 'entries of the second leg of an execution have a part of the first',
    in: 'armSql',
    find: `* \${sql.lit(changes.length)} + change.place`,
    replace: '+ change.place',
    caughtBy: ['statement-entries'],
  },
]
