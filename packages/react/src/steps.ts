/** The steps of what a wallet does, as a page shows them. */
import type { Hash, RunOptions, Transaction } from 'claim-financing-client'

/**
 * `prompt`: the wallet asks its user; `description` names what for. `sent`: the transaction is sent, and reads do not
 * show it yet. While its block is not final, `expectedFinalAt` is the time at which it should be; null if that is not
 * known.
 */
export type Step =
  | { name: 'preparing' }
  | { name: 'prompt'; description: string; index: number; count: number }
  | { name: 'sent'; hash: Hash; status?: Transaction['status']; expectedFinalAt?: string | null }
  | { name: 'done' }

/** Options of a run that report its steps. */
export function reporting(report: (step: Step) => void): RunOptions {
  return {
    onStep: (prompt) => report({ name: 'prompt', ...prompt }),
    onSent: (hash) => report({ name: 'sent', hash }),
    onStatus: ({ hash, status, expectedFinalAt }) => report({ name: 'sent', hash, status, expectedFinalAt }),
  }
}
