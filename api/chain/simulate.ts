/** Runs transactions that a wallet has not signed yet, or that have failed, without sending them. */
import {
  type Address,
  BaseError,
  ExecutionRevertedError,
  encodeFunctionData,
  type Hex,
  isHex,
  type StateOverride,
} from 'viem'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import type { ExecutionRouteMessage } from '../typed-data/execution-route.ts'
import { CALL_GAS_MAX } from './call-limits.ts'
import type { Chain } from './client.ts'
import { decodeRevert, type Revert } from './revert.ts'

/** `UNKNOWN`: no node gave a result. `UNKNOWN` never counts as `PASSES`. */
export type Simulation = { outcome: 'PASSES' } | { outcome: 'UNKNOWN' } | ({ outcome: 'REVERTS' } & Revert)

export type Call = { from: Address; to: Address; data: Hex }

/** Code whose `isValidSignature` (ERC-1271) accepts every signature: it returns 0x1626ba7e. */
const SIGNS_EVERYTHING: Hex = '0x631626ba7e60e01b60005260206000f3'

/**
 * Simulates a route without its signature: for this call the user is a contract wallet that accepts every signature.
 * The router uses nothing else of the user's account, so a signed route has the same outcome in the next block if
 * nothing changes. The simulation does not show that the account can sign: a contract that is not deployed cannot.
 */
export async function simulateRoute(
  chain: Chain,
  router: Address,
  route: ExecutionRouteMessage,
): Promise<Simulation> {
  const data = encodeFunctionData({
    abi: financingRouterAbi,
    functionName: 'executeRoute',
    args: [route, '0x'],
  })
  const stateOverride = [{ address: route.user, code: SIGNS_EVERYTHING }]
  const simulation = await callLatest(chain, { to: router, data, stateOverride })
  // The node does not support overrides and has ignored this override.
  const ignored = simulation.outcome === 'REVERTS' && simulation.errorName === 'InvalidRouteSignature'
  return ignored ? { outcome: 'UNKNOWN' } : simulation
}

/**
 * Runs a call on the latest state after the calls in `before`, and returns the outcome of the first call that does not
 * pass, else of the last one. If `before` is not empty, the node needs `eth_simulateV1`, which not every node has.
 */
export function simulate(chain: Chain, call: Call, before: readonly Call[] = []): Promise<Simulation> {
  return before.length === 0 ? callLatest(chain, call) : callInOrder(chain, [...before, call])
}

/** Runs a call again on the state after a block, at that block's time. */
export function replay(chain: Chain, call: DetailedCall, blockNumber: bigint): Promise<Simulation> {
  return callAt(chain, call, { blockNumber })
}

/** `from` is absent by default. */
type DetailedCall = Omit<Call, 'from'> & {
  from?: Address
  value?: bigint
  gas?: bigint
  stateOverride?: StateOverride
}

function callLatest(chain: Chain, call: DetailedCall): Promise<Simulation> {
  return callAt(chain, call, { blockTag: 'latest' })
}

async function callAt(
  chain: Chain,
  { from, ...call }: DetailedCall,
  at: { blockTag: 'latest' } | { blockNumber: bigint },
): Promise<Simulation> {
  try {
    await chain.call({ account: from, ...call, ...at })
    return { outcome: 'PASSES' }
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const revert = revertData(error)
    return revert === undefined ? { outcome: 'UNKNOWN' } : { outcome: 'REVERTS', ...decodeRevert(revert) }
  }
}

async function callInOrder(chain: Chain, calls: readonly Call[]): Promise<Simulation> {
  try {
    const [block] = await chain.simulateBlocks({
      blocks: [
        { calls: calls.map(({ from, to, data }) => ({ account: from, to, data, gas: CALL_GAS_MAX })) },
      ],
      blockTag: 'latest',
    })
    if (block?.calls.length !== calls.length) return { outcome: 'UNKNOWN' }
    const failed = block.calls.find(({ status }) => status === 'failure')
    return failed ? { outcome: 'REVERTS', ...decodeRevert(failed.data) } : { outcome: 'PASSES' }
  } catch (error) {
    if (error instanceof BaseError) return { outcome: 'UNKNOWN' }
    throw error
  }
}

/** Revert data of a call: `0x` for a call without data, undefined for a call that was not run. */
function revertData(error: BaseError): Hex | undefined {
  const source = error.walk((cause) => cause instanceof Error && 'data' in cause && isHex(cause.data))
  if (source && 'data' in source && isHex(source.data)) return source.data
  return error.walk((cause) => cause instanceof ExecutionRevertedError) ? '0x' : undefined
}
