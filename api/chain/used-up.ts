/**
 * Uses of the nonce of the router or the slice of a claim that a prepared execution needs: whether it was used, and by
 * which execution.
 */
import { type Address, encodeEventTopics, getAbiItem, type Hex, numberToHex, parseEventLogs } from 'viem'
import { formatLog } from 'viem/utils'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import type { FinalizedThrough } from '../projection/session/state.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/** A nonce or a slice is a position in a sequence, which the contracts count up by one for every use. */
export type UsedUp = { user: Address; nonce: bigint } | { claimId: Hex; sliceIndex: number }

/** `EARLIER`: the use is in a block that the projection has. */
export type Use = 'EXECUTION' | 'CANCELLATION' | 'EARLIER'

/** Null for a cancellation, which has no id. */
type UseOnChain = { executionId: Hex | null }

const legExecutedEvent = getAbiItem({ abi: financingRouterAbi, name: 'LegExecuted' })
/** `ExecutionKind.ROUTE` of contracts/Types.sol: a direct execution uses no nonce. */
const ROUTE = 0

/**
 * Returns a use only on proof, because nodes behind one address can be at different blocks: the count at the final
 * block `through` plus the uses seen after it must be beyond the position, and none of these uses may be the execution
 * itself. A node that lags shows fewer uses, which proves nothing.
 *
 * @param through the block of the projection, which does not have the execution
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export function findUse(
  chain: Chain,
  contracts: Manifest['contracts'],
  executionId: Hex,
  used: UsedUp,
  through: FinalizedThrough,
): Promise<Use | undefined> {
  return readChain(`what execution ${executionId} would use`, async () => {
    const position = 'nonce' in used ? used.nonce : BigInt(used.sliceIndex)
    if ((await count(chain, contracts, used)) <= position) return undefined
    const [before, since] = await Promise.all([
      count(chain, contracts, used, through.blockNumber),
      usesSince(chain, contracts.financingRouter, used, through.blockNumber),
    ])
    if (since.some((use) => use.executionId === executionId)) return undefined
    if (before > position) return 'EARLIER'
    const use = since[Number(position - before)]
    return use && (use.executionId === null ? 'CANCELLATION' : 'EXECUTION')
  })
}

/** Reads the number of uses of the sequence, by default at the latest block. */
async function count(
  chain: Chain,
  { financingRouter, claimRegistry }: Manifest['contracts'],
  used: UsedUp,
  blockNumber?: bigint,
): Promise<bigint> {
  const at = blockNumber === undefined ? ({ blockTag: 'latest' } as const) : { blockNumber }
  if ('nonce' in used) {
    const router = { address: financingRouter, abi: financingRouterAbi } as const
    return chain.readContract({ ...router, functionName: 'nonces', args: [used.user], ...at })
  }
  const registry = { address: claimRegistry, abi: claimRegistryAbi } as const
  const claim = await chain.readContract({ ...registry, functionName: 'claim', args: [used.claimId], ...at })
  return BigInt(claim.sliceCount)
}

/** Reads the uses of the sequence after a block, in their order. */
async function usesSince(chain: Chain, address: Address, used: UsedUp, block: bigint): Promise<UseOnChain[]> {
  if ('nonce' in used) return usesOfNonces(chain, address, used.user, block)
  const range = { address, fromBlock: block + 1n, toBlock: 'latest', strict: true } as const
  const logs = await chain.getLogs({ ...range, event: legExecutedEvent, args: { claimId: used.claimId } })
  return logs.map(({ args }) => args)
}

/**
 * Both events are read in one request, because two requests could be answered at different blocks. The user is the
 * second indexed argument of both events.
 */
async function usesOfNonces(
  chain: Chain,
  address: Address,
  user: Address,
  block: bigint,
): Promise<UseOnChain[]> {
  const [executed, , ofUser] = encodeEventTopics({
    abi: financingRouterAbi,
    eventName: 'Executed',
    args: { user },
  })
  const [cancelled] = encodeEventTopics({ abi: financingRouterAbi, eventName: 'RoutesCancelled' })
  const topics = [[executed, cancelled].flatMap((topic) => topic ?? []), null, ofUser ?? null]
  const range = { fromBlock: numberToHex(block + 1n), toBlock: 'latest' } as const
  const found = await chain.request({ method: 'eth_getLogs', params: [{ address, topics, ...range }] })
  const logs = parseEventLogs({
    abi: financingRouterAbi,
    eventName: ['Executed', 'RoutesCancelled'],
    logs: found.map((log) => formatLog(log)),
  })
  return logs.flatMap((log) => {
    if (log.eventName === 'RoutesCancelled') return { executionId: null }
    return log.args.kind === ROUTE ? { executionId: log.args.executionId } : []
  })
}
