/** Reports the status of a transaction until every read shows it. */
import type { RunOptions, Transaction } from '../packages/client/src/index.ts'
import { type Reporter, short } from './reporter.ts'

/** Polls often enough to see most of the states. */
export function following(report: Reporter): RunOptions {
  return {
    pollMs: 500,
    onSent: (hash) => report.got({ transaction: short(hash) }),
    onStatus: ({ status, block }) => report.got({ [status]: WORDS[status](block?.number) }),
  }
}

const WORDS: Record<Transaction['status'], (block?: number) => string> = {
  NOT_FOUND: () => 'no node knows it yet',
  PENDING: () => 'it waits to be mined',
  MINED: (block) => `in block ${block}, which is not final yet`,
  FINALIZED: (block) => `block ${block} is final`,
  PROJECTED: () => 'every read shows it',
  REVERTED: () => 'it failed',
}
