/** The events of one block that is not final yet. */
import type { Address, Hex } from 'viem'
import type { Chain } from '../chain/client.ts'
import { turnEnd } from '../turn-end.ts'
import { type Abis, type ChainEvent, type ChainLog, toEvent } from './event.ts'
import type { Header } from './header.ts'

/** Addresses of one request: some nodes refuse more than a thousand. */
const ADDRESSES_PER_REQUEST = 500
/** Events that are decoded in one turn of the event loop. */
const DECODED_PER_TURN = 50

/**
 * Reads the events of the contracts and the vaults in a block, with those of vaults that the block registers.
 *
 * @throws Error for a node that answers logs of another block or another contract
 */
export async function readBlockEvents(
  chain: Chain,
  block: Header,
  abis: Abis,
  vaults: ReadonlySet<Address>,
): Promise<readonly ChainEvent[]> {
  const logs = await readLogs(chain, block, [...abis.keys(), ...vaults])
  const events = await decodeAll(logs, abis)
  const added = registeredIn(events).filter((vault) => !vaults.has(vault))
  if (added.length === 0) return events
  const theirs = await decodeAll(await readLogs(chain, block, added), abis)
  return [...events, ...theirs].sort((a, b) => a.logIndex - b.logIndex)
}

/** The vaults that the events register. */
export function registeredIn(events: readonly ChainEvent[]): Address[] {
  return events.flatMap(({ name, vault }) => (name === 'VaultRegistered' && vault ? [vault] : []))
}

async function readLogs(chain: Chain, { hash }: Header, addresses: readonly Address[]): Promise<ChainLog[]> {
  const logs: ChainLog[] = []
  for (let start = 0; start < addresses.length; start += ADDRESSES_PER_REQUEST) {
    const address = addresses.slice(start, start + ADDRESSES_PER_REQUEST)
    const found = await chain.getLogs({ address, blockHash: hash })
    for (const log of found) requireOf(log, hash, address)
    logs.push(...found)
  }
  return logs.sort((a, b) => a.logIndex - b.logIndex)
}

function requireOf(log: ChainLog, block: Hex, addresses: readonly string[]): void {
  if (log.blockHash === block && addresses.includes(log.address.toLowerCase())) return
  throw new Error(
    `a node answers a log of contract ${log.address} in block ${log.blockHash} for block ${block}`,
  )
}

async function decodeAll(logs: readonly ChainLog[], abis: Abis): Promise<ChainEvent[]> {
  const events: ChainEvent[] = []
  for (const [place, log] of logs.entries()) {
    if (place % DECODED_PER_TURN === DECODED_PER_TURN - 1) await turnEnd()
    const event = toEvent(log, abis)
    if (event) events.push(event)
  }
  return events
}
