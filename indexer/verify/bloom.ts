/**
 * The bloom filter of a block's logs in its header (Yellow Paper, 4.4.3): 2048 bits, three for each address and topic.
 */
import { bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem'

const BYTES = 256

export function bloomOf(logs: readonly { address: Hex; topics: readonly Hex[] }[]): Hex {
  const bloom = new Uint8Array(BYTES)
  // Logs share most of their addresses and topics, and a hash takes longer than all else here.
  const values = new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))
  for (const value of values) add(bloom, value)
  return bytesToHex(bloom)
}

/** The bits that an address or a topic sets. */
export function bloomBits(value: Hex): bigint {
  const bloom = new Uint8Array(BYTES)
  add(bloom, value)
  return BigInt(bytesToHex(bloom))
}

function add(bloom: Uint8Array, value: Hex): void {
  const hash = new DataView(hexToBytes(keccak256(value)).buffer)
  for (const offset of [0, 2, 4]) {
    const bit = hash.getUint16(offset) % (BYTES * 8)
    const index = BYTES - 1 - (bit >> 3)
    bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7))
  }
}
