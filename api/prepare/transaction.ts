/** An unsigned transaction for a wallet, with a description of its effect. */
import type { Address, Hex } from 'viem'
import type { Manifest } from '../../deployments/manifest.ts'
import type { Chain } from '../chain/client.ts'
import type { PinnedBlock } from '../chain/pin-block.ts'
import { simulate } from '../chain/simulate.ts'
import { simulationIssues } from '../chain/simulation-issues.ts'
import type { Issue } from '../domain/issues.ts'

/** Nothing here ever moves the chain's own currency, so the value is always 0. */
export type UnsignedTransaction = { chainId: number; from: Address; to: Address; data: Hex; value: 0n }

export type Step = { transaction: UnsignedTransaction; description: string }

/**
 * Transactions to send first, in order, and issues that would make a step fail. Both are of the latest block, which is
 * not final.
 */
export type Prerequisites = { approvals: readonly Step[]; issues: readonly Issue[] }

/** Valid at `block`, which is final. */
export type PreparedTransaction = Step & Prerequisites & { block: PinnedBlock }

export function unsigned(
  { chainId }: Pick<Manifest, 'chainId'>,
  { from, to, data }: { from: Address; to: Address; data: Hex },
): UnsignedTransaction {
  return { chainId, from, to, data, value: 0n }
}

/**
 * Simulates the approvals and then the transaction at the latest block, and adds the issues found to the known ones.
 */
export async function toPrepared(
  chain: Chain,
  block: PinnedBlock,
  step: Step,
  { approvals, issues }: Prerequisites = { approvals: [], issues: [] },
): Promise<PreparedTransaction> {
  const before = approvals.map(({ transaction }) => transaction)
  const simulation = await simulate(chain, step.transaction, before)
  return { ...step, block, approvals, issues: [...issues, ...simulationIssues(simulation, issues)] }
}
