/** Reports the status of a transaction until every read shows it, and which events are mined and not final. */
import { graphql, type RunOptions, type Transaction } from '../packages/client/src/index.ts'
import type { Actor } from './accounts.ts'
import { type Reporter, short } from './reporter.ts'

/** Options of a run that ends when the transaction is mined. Polls often enough to see most of the states. */
export function following(report: Reporter): RunOptions {
  return {
    until: 'MINED',
    pollMs: 500,
    onSent: (hash) => report.got({ transaction: short(hash) }),
    onStatus: (transaction) => report.got({ [transaction.status]: WORDS[transaction.status](transaction) }),
  }
}

const WORDS: Record<Transaction['status'], (transaction: Transaction) => string> = {
  NOT_FOUND: () => 'no node knows it yet',
  PENDING: () => 'it waits to be mined',
  MINED: ({ block, expectedFinalAt }) =>
    `in block ${block?.number}, which ${expectedFinalAt ? `should be final at ${timeOf(expectedFinalAt)}` : 'is not final yet'}`,
  FINALIZED: ({ block }) => `block ${block?.number} is final`,
  PROJECTED: () => 'every read shows it',
  REVERTED: () => 'it failed',
}

/** Reports the events of a wallet that are not final, then waits until reads show the mined transaction. */
export async function finish(
  report: Reporter,
  { gateway, address: wallet }: Actor,
  { hash }: Transaction,
): Promise<Transaction> {
  const { unfinalized } = await gateway.ask(PENDING, { wallet })
  const rows = (unfinalized?.events ?? []).map(({ name, block, confirmations, expectedFinalAt }) => [
    name,
    String(block.number),
    String(confirmations),
    timeOf(expectedFinalAt),
  ])
  if (rows.length > 0)
    report.table([['not final, in no figure', 'block', 'confirmations', 'final at'], ...rows])
  const { onStatus, ...options } = following(report)
  return gateway.follow(hash, {
    ...options,
    until: 'PROJECTED',
    onStatus: (transaction) => {
      if (transaction.status !== 'MINED') onStatus?.(transaction)
    },
  })
}

const PENDING = graphql(`
  query ($wallet: Address!) {
    unfinalized(wallet: $wallet, first: 8) {
      events { name confirmations expectedFinalAt block { number } }
    }
  }
`)

/** Returns the time of the day of a time in ISO 8601. */
function timeOf(time: string): string {
  return `${time.slice(11, 19)} UTC`
}
