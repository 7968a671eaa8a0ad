/** Whether what a prepared execution would use up, a nonce of the router or a slice of a claim, was used up by another one. */
import { type Address, getAbiItem, type Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import type { FinalizedThrough } from '../projection/snapshot.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/** Each is a position in a sequence that the contracts count up by one for every execution. */
export type UsedUp = { user: Address; nonce: bigint } | { claimId: Hex; sliceIndex: number }

const executedEvent = getAbiItem({ abi: financingRouterAbi, name: 'Executed' })
const legExecutedEvent = getAbiItem({ abi: financingRouterAbi, name: 'LegExecuted' })
/** `ExecutionKind.ROUTE` of contracts/Types.sol: a direct execution uses no nonce. */
const ROUTE = 0

/**
 * Returns true only on proof, because nodes behind one address can be at different blocks: the count at the final block `through` plus the
 * executions seen after it must be beyond the position, and none of them may be the execution itself. A node that lags
 * shows fewer of them, which proves nothing.
 *
 * @param through of the projection, which does not have the execution
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export function isSuperseded(
  chain: Chain,
  contracts: Manifest['contracts'],
  executionId: Hex,
  used: UsedUp,
  through: FinalizedThrough,
): Promise<boolean> {
  return readChain(`what execution ${executionId} would use`, async () => {
    const position = 'nonce' in used ? used.nonce : BigInt(used.sliceIndex)
    if ((await count(chain, contracts, used)) <= position) return false
    const [before, since] = await Promise.all([
      count(chain, contracts, used, through.blockNumber),
      executionsSince(chain, contracts.financingRouter, used, through.blockNumber),
    ])
    return before + BigInt(since.length) > position && !since.includes(executionId)
  })
}

/** How much of the sequence is used up, at the latest block unless another is given. */
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

/** The executions after a block that used something of the sequence, in their order. */
async function executionsSince(chain: Chain, address: Address, used: UsedUp, block: bigint): Promise<Hex[]> {
  const range = { address, fromBlock: block + 1n, toBlock: 'latest', strict: true } as const
  if ('nonce' in used) {
    const logs = await chain.getLogs({ ...range, event: executedEvent, args: { user: used.user } })
    return logs.filter(({ args }) => args.kind === ROUTE).map(({ args }) => args.executionId)
  }
  const logs = await chain.getLogs({ ...range, event: legExecutedEvent, args: { claimId: used.claimId } })
  return logs.map(({ args }) => args.executionId)
}
