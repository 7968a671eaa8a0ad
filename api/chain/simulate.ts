/** Runs at the latest block what a wallet has not signed yet. */
import {
  type Abi,
  type Address,
  BaseError,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  isHex,
  type StateOverride,
} from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import type { ExecutionRouteMessage } from '../typed-data/execution-route.ts'
import type { Chain } from './client.ts'

/** Why a transaction would revert, in the contracts' own words; arguments as text. */
export type Revert = { errorName: string; args: readonly string[] }

/** Nobody in particular calls unless `from` is given. */
type Call = { from?: Address; to: Address; data: Hex; stateOverride?: StateOverride }

/** Code that answers `isValidSignature` of ERC-1271 with yes, whatever the signature: return 0x1626ba7e. */
const SIGNS_EVERYTHING: Hex = '0x631626ba7e60e01b60005260206000f3'

const EVERY_ERROR: Abi = [...financingRouterAbi, ...claimRegistryAbi, ...financingVaultAbi]

/**
 * Executes a route that nobody signed: for this one call the user is a contract wallet that agrees to everything. Nothing else of
 * the user's account matters to the router, so a signed route fares the same in the next block if nothing changes.
 *
 * @returns undefined when it would pass, or when no node can tell
 */
export function simulateRoute(
  chain: Chain,
  router: Address,
  route: ExecutionRouteMessage,
): Promise<Revert | undefined> {
  return simulate(chain, {
    to: router,
    data: encodeFunctionData({ abi: financingRouterAbi, functionName: 'executeRoute', args: [route, '0x'] }),
    stateOverride: [{ address: route.user, code: SIGNS_EVERYTHING }],
  })
}

/** @returns undefined when the call would pass, or when no node can tell */
export async function simulate(
  chain: Chain,
  { from, to, data, stateOverride }: Call,
): Promise<Revert | undefined> {
  try {
    await chain.call({ account: from, to, data, stateOverride, blockTag: 'latest' })
    return undefined
  } catch (error) {
    return error instanceof BaseError ? revertOf(error) : Promise.reject(error)
  }
}

function revertOf(error: BaseError): Revert | undefined {
  const source = error.walk((cause) => cause instanceof Error && 'data' in cause && isHex(cause.data))
  if (!source || !('data' in source) || !isHex(source.data) || source.data === '0x') return undefined
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: EVERY_ERROR, data: source.data })
    return { errorName, args: args.map((arg) => String(arg).toLowerCase()) }
  } catch {
    return { errorName: 'UnknownError', args: [source.data] }
  }
}
