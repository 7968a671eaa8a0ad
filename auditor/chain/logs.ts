/** Events of the protocol, read from a node. */
import { type Address, parseEventLogs } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import type { Chain } from '../../api/chain/client.ts'

const EVENTS = [
  ...claimRegistryAbi,
  ...financingRouterAbi,
  ...financingVaultAbi,
  ...issuerRegistryAbi,
  ...tokenRegistryAbi,
  ...vaultRegistryAbi,
] as const

export type BlockRange = { from: bigint; to: bigint }

export type ProtocolLog = Awaited<ReturnType<typeof readLogs>>[number]

export type LogOf<Name extends ProtocolLog['eventName']> = Extract<ProtocolLog, { eventName: Name }>

/** Matches the events of a name that satisfy a condition. */
export function event<const Name extends ProtocolLog['eventName']>(
  name: Name,
  holds: (log: LogOf<Name>) => boolean = () => true,
) {
  return (log: ProtocolLog): log is LogOf<Name> => isNamed(log, name) && holds(log)
}

function isNamed<Name extends ProtocolLog['eventName']>(log: ProtocolLog, name: Name): log is LogOf<Name> {
  return log.eventName === name
}

/** Blocks of one request. Common limits of nodes are 1,000 to 10,000 blocks; a refused range is halved. */
export const LOG_RANGE_BLOCKS = 1000n

/** Reads the events of contracts in a range of blocks, both ends included, in the order of the chain. */
export async function readLogs(chain: Chain, addresses: readonly Address[], range: BlockRange) {
  const logs = parseEventLogs({ abi: EVENTS, logs: await readRange(chain, addresses, range) })
  // viem returns no `args` for an event without parameters, against its type.
  for (const log of logs) log.args ??= []
  return logs
}

type RawLogs = Awaited<ReturnType<Chain['getLogs']>>

async function readRange(
  chain: Chain,
  addresses: readonly Address[],
  { from, to }: BlockRange,
): Promise<RawLogs> {
  try {
    return await chain.getLogs({ address: [...addresses], fromBlock: from, toBlock: to })
  } catch (error) {
    if (from === to) throw error
    const middle = (from + to) / 2n
    const first = await readRange(chain, addresses, { from, to: middle })
    return [...first, ...(await readRange(chain, addresses, { from: middle + 1n, to }))]
  }
}

/** Splits a range into parts of at most `LOG_RANGE_BLOCKS`. */
export function* partsOf({ from, to }: BlockRange): Generator<BlockRange> {
  for (let start = from; start <= to; start += LOG_RANGE_BLOCKS) {
    const end = start + LOG_RANGE_BLOCKS - 1n
    yield { from: start, to: end < to ? end : to }
  }
}
