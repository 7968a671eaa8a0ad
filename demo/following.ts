/** How a transaction on its way is told. */
import type { RunOptions, Transaction } from '../client/index.ts'
import { short, type Teller } from './teller.ts'

/** Asks often enough to see most of it. */
export function following(tell: Teller): RunOptions {
  return {
    pollMs: 500,
    onSent: (hash) => tell.got({ transaction: short(hash) }),
    onStatus: ({ status, block }) => tell.got({ [status]: WORDS[status](block?.number) }),
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
