import type { Address } from 'viem'
import type { Simulation } from '../chain/simulate.ts'
import type { Issue, IssueCode } from '../domain/issues.ts'

/** Reverts of ERC-20 tokens (ERC-6093) that say once more what reading balance and allowance told. */
const TOLD_BY: Readonly<Record<string, IssueCode>> = {
  ERC20InsufficientBalance: 'BALANCE_TOO_LOW',
  ERC20InsufficientAllowance: 'ALLOWANCE_TOO_LOW',
}

/** What a simulation adds to the issues that are `known` already. That no node can tell is an issue too: it is no pass. */
export function simulationIssues(simulation: Simulation, known: readonly Issue[] = []): Issue[] {
  if (simulation.outcome === 'PASSES') return []
  if (simulation.outcome === 'UNKNOWN') {
    const message =
      'No node could try this at the latest block, so it may fail. Have the wallet estimate its gas before it is sent.'
    return [{ code: 'SIMULATION_UNAVAILABLE', message }]
  }
  const { errorName, args } = simulation
  if (known.some(({ code }) => code === TOLD_BY[errorName])) return []
  const message = `At the latest block this would revert with ${errorName}(${args.join(', ')}).`
  return [{ code: 'EXECUTION_WOULD_REVERT', message, errorName, arguments: args }]
}

/** A contract that is not there verifies no signature; a key needs none. */
export function accountNotDeployed(account: Address): Issue {
  const message = `${account} signed in by a contract, and has no code at the latest block. The router refuses its signature until the contract is deployed.`
  return { code: 'ACCOUNT_NOT_DEPLOYED', message }
}
