/** The state and events of the chain at one finalized block, in the form that the proofs of the entities use. */
import type { Address, Hex } from 'viem'
import type { Chain } from '../../api/chain/client.ts'
import { pinProjectedBlock } from '../../api/chain/pin-block.ts'
import { lowercaseAddress } from '../../api/domain/address.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import { type History, historyOf } from './history.ts'
import type { ProtocolLog } from './logs.ts'
import { type State, stateAt } from './state.ts'

/** A finalized block; `timestamp` in Unix seconds. */
export type AuditedBlock = { number: bigint; timestamp: bigint }

export type Evidence = {
  block: AuditedBlock
  chainId: number
  /** First block of the protocol. */
  startBlock: bigint
  contracts: Manifest['contracts']
  state: State
  /** Time of a block up to the audited one; undefined for any other number. */
  timestamp: (block: bigint) => Promise<bigint | undefined>
  /** Events of a block up to the audited one; none for any other number. */
  logs: (block: bigint) => Promise<readonly ProtocolLog[]>
  /** The first event that matches, in `block`; if there is none, in the block of transaction `tx`. */
  find: <Log extends ProtocolLog>(
    match: (log: ProtocolLog) => log is Log,
    block: bigint,
    tx?: Hex | undefined,
  ) => Promise<Log | undefined>
  /** The first block at or after a time in Unix seconds; the one after the audited block if there is none. */
  firstBlockAt: (time: bigint) => Promise<bigint>
  /** Events of all blocks with this time, in Unix seconds. Several blocks of a chain can have the same time. */
  logsAt: (time: bigint) => Promise<readonly ProtocolLog[]>
}

/**
 * The evidence of a block. The node must have the block with the same time; a node of another chain, or one that is
 * behind, is not used.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export type EvidenceAt = (block: AuditedBlock) => Promise<Evidence>

const TRANSACTION_HASH = /^0x[0-9a-f]{64}$/

/**
 * Evidence of any block of one chain. Past blocks and events are cached permanently, the state of the latest block
 * until the next one.
 */
export function createEvidence(chain: Chain, manifest: Manifest): EvidenceAt {
  const { chainId, contracts } = manifest
  const startBlock = BigInt(manifest.startBlock)
  let latest: Evidence | undefined
  const addresses = async () => [...Object.values(contracts), ...((await latest?.state.vaults()) ?? [])]
  const history = historyOf(chain, addresses)
  return async (block) => {
    if (latest?.block.number === block.number && latest.block.timestamp === block.timestamp) return latest
    await pinProjectedBlock(chain, { blockNumber: block.number, timestamp: block.timestamp })
    const state = guarded(stateAt(chain, contracts, block.number))
    const shared = { block, chainId, startBlock, contracts, state }
    latest = { ...shared, ...pastUpTo(block, startBlock, history) }
    return latest
  }
}

type Past = Pick<Evidence, 'timestamp' | 'logs' | 'find' | 'firstBlockAt' | 'logsAt'>

function pastUpTo(block: AuditedBlock, startBlock: bigint, history: History): Past {
  const isPast = (number: bigint) => number >= 0n && number <= block.number
  const logs = async (number: bigint) => (isPast(number) ? history.logs(number) : [])
  const timestamp = async (number: bigint) => (isPast(number) ? history.timestamp(number) : undefined)
  const firstBlockAt = (time: bigint) => history.firstAt(time, { from: startBlock, to: block.number })
  const find = async <Log extends ProtocolLog>(
    match: (log: ProtocolLog) => log is Log,
    number: bigint,
    tx?: Hex,
  ): Promise<Log | undefined> => {
    for (const log of await logs(number)) if (match(log)) return log
    const other = tx && TRANSACTION_HASH.test(tx) ? await history.blockOf(tx) : undefined
    return other === undefined || other === number ? undefined : find(match, other)
  }
  return {
    logs,
    find,
    timestamp,
    firstBlockAt,
    logsAt: async (time) => {
      const found: ProtocolLog[] = []
      for (let number = await firstBlockAt(time); (await timestamp(number)) === time; number += 1n) {
        found.push(...(await logs(number)))
      }
      return found
    },
  }
}

/** A row may contain any value, so only addresses of registered vaults are passed to the contracts. */
function guarded(state: State): State {
  const vaults = once(state.vaults)
  const isKnown = async (vault: Address) => (await vaults()).includes(vault)
  return {
    ...state,
    vaults,
    vault: async (vault) => ((await isKnown(vault)) ? state.vault(vault) : undefined),
    shares: async (of) => ((await isKnown(of.vault)) ? state.shares(of) : undefined),
  }
}

/** A failure is not kept: the next call works again. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    })
    return done
  }
}

/** An address of the chain in the form of the rows: lowercase. */
export function stored(address: Address | undefined): Address | undefined {
  return address && lowercaseAddress(address)
}
