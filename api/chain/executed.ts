/** Reads executions in blocks that the projection has not reached, from the events of the router. */
import { type Address, type GetLogsReturnType, getAbiItem, type Hex } from 'viem'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { lowercaseAddress } from '../domain/address.ts'
import { executionKinds } from '../domain/execution.ts'
import type { UnixSeconds } from '../domain/time.ts'
import type { FinalizedThrough } from '../projection/session/state.ts'
import type { ExecutionLegRow, ExecutionRow } from '../projection/tables/execution.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/** An execution as the projection will have it, unless a reorganization reverts it. */
export type SeenExecution = {
  execution: Omit<ExecutionRow, 'ordinal'>
  legs: Omit<ExecutionLegRow, 'ordinal'>[]
}

/** `searchedUntil`: time of the last block that was searched. */
export type RecentSearch = { seen: SeenExecution | undefined; searchedUntil: UnixSeconds }

const executedEvent = getAbiItem({ abi: financingRouterAbi, name: 'Executed' })
const legExecutedEvent = getAbiItem({ abi: financingRouterAbi, name: 'LegExecuted' })

/**
 * Searches for an execution in the blocks after `through`, up to the latest. The projection has all earlier blocks, so
 * every block is covered, also if the projection advances during the search.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export function findRecentExecution(
  chain: Chain,
  router: Address,
  executionId: Hex,
  through: FinalizedThrough,
): Promise<RecentSearch> {
  return readChain(`execution ${executionId}`, async () => {
    const latest = await chain.getBlock({ blockTag: 'latest', includeTransactions: false })
    if (latest.number <= through.blockNumber) return { seen: undefined, searchedUntil: through.timestamp }
    const [executed] = await chain.getLogs({
      address: router,
      event: executedEvent,
      args: { executionId },
      fromBlock: through.blockNumber + 1n,
      toBlock: latest.number,
      strict: true,
    })
    const seen = executed && (await readExecuted(chain, executed))
    return { seen, searchedUntil: latest.timestamp }
  })
}

type Executed = GetLogsReturnType<typeof executedEvent, [typeof executedEvent], true, bigint, bigint>[number]

async function readExecuted(
  chain: Chain,
  { address, args, blockHash, blockNumber, transactionHash }: Executed,
): Promise<SeenExecution> {
  const { executionId, user, token, submitter, legCount, totalFace, totalAdvance } = args
  const [block, legs] = await Promise.all([
    chain.getBlock({ blockHash, includeTransactions: false }),
    chain.getLogs({ address, event: legExecutedEvent, args: { executionId }, blockHash, strict: true }),
  ])
  const kind = executionKinds[args.kind]
  if (!kind) throw new Error(`execution ${executionId} is of unknown kind ${args.kind}`)
  return {
    execution: {
      id: executionId,
      user: lowercaseAddress(user),
      token: lowercaseAddress(token),
      kind,
      submitter: lowercaseAddress(submitter),
      legCount,
      totalFace,
      totalAdvance,
      block: blockNumber,
      at: block.timestamp,
      tx: transactionHash,
    },
    legs: legs.map((leg) => ({
      ...leg.args,
      vault: lowercaseAddress(leg.args.vault),
      at: block.timestamp,
    })),
  }
}
