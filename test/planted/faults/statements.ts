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
]
