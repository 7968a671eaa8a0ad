import type { Address } from 'viem'
import type { Issue, IssueCode } from '../domain/issues.ts'
import type { Simulation } from './simulate.ts'

/** Reverts of tokens (ERC-6093) and vaults, with the issues that the reads of balances and limits report for them. */
const REPORTED_BY: Readonly<Record<string, readonly IssueCode[]>> = {
  ERC20InsufficientBalance: ['BALANCE_TOO_LOW'],
  ERC20InsufficientAllowance: ['ALLOWANCE_TOO_LOW'],
  ERC4626ExceededMaxWithdraw: ['SHARES_TOO_LOW', 'LIQUIDITY_TOO_LOW'],
  ERC4626ExceededMaxRedeem: ['SHARES_TOO_LOW', 'LIQUIDITY_TOO_LOW'],
}

/** Returns the issues of a simulation that are not in `known`. A simulation without a result is also an issue. */
export function simulationIssues(simulation: Simulation, known: readonly Issue[] = []): Issue[] {
  if (simulation.outcome === 'PASSES') return []
  if (simulation.outcome === 'UNKNOWN') {
    const message =
      'No node could simulate this at the latest block, so it may fail. Have the wallet estimate its gas before it is sent.'
    return [{ code: 'SIMULATION_UNAVAILABLE', message }]
  }
  const { errorName, args } = simulation
  if (known.some(({ code }) => REPORTED_BY[errorName]?.includes(code))) return []
  const message = `At the latest block this would revert with ${errorName}(${args.join(', ')}).`
  return [{ code: 'EXECUTION_WOULD_REVERT', message, errorName, arguments: args }]
}

/** A contract that is not deployed cannot verify a signature. An account with a key needs no contract. */
export function accountNotDeployed(account: Address): Issue {
  const message = `${account} signed in by a contract, and has no code at the latest block. The router refuses its signature until the contract is deployed.`
  return { code: 'ACCOUNT_NOT_DEPLOYED', message }
}
