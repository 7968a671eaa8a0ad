/** A statement as one JSON object. */
import { formatTime } from '../../../domain/time.ts'
import type { StatementEntry } from '../../../projection/statements/statement.ts'
import { presentFinalizedThrough } from '../../shared/answer.ts'
import type { EntryPages, Statement, StatementFormat } from '../statement.ts'

export const json: StatementFormat = { mediaType: 'application/json', write }

async function* write(statement: Statement, pages: EntryPages) {
  const { chainId, subject, address, from, to, zone, isComplete, balances, totals, through } = statement
  const head = {
    chainId,
    subject,
    address,
    from: formatTime(from),
    to: formatTime(to),
    zone,
    isComplete,
    finalizedThrough: presentFinalizedThrough(through),
    balances: balances.map((balance) => withTexts(balance)),
    totals: totals.map((total) => withTexts(total)),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"entries":[`
  let separator = ''
  for await (const entries of pages) {
    yield separator + entries.map((entry) => JSON.stringify(present(entry))).join(',')
    separator = ','
  }
  yield ']}'
}

function present({ at, block, tx, part, ...entry }: StatementEntry) {
  return {
    ...withTexts(entry),
    part: Number(part),
    at: formatTime(at),
    blockNumber: Number(block),
    transactionHash: tx,
  }
}

/** Amounts are texts. */
function withTexts(row: object) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]),
  )
}
