/**
 * Filters of `eth_getLogs` that select a range of blocks, in the form that Ponder uses: addresses and the first topic.
 */
import type { Hex } from 'viem'
import { z } from 'zod'
import { bloomBits } from './bloom.ts'
import { bytes, quantity } from './hex.ts'
import type { Log } from './log.ts'

const oneOrSome = z.union([bytes.transform((one) => [one]), z.array(bytes).min(1)])

const filterShape = z.strictObject({
  address: oneOrSome.optional(),
  topics: z.array(oneOrSome.nullable()).max(1).default([]),
  fromBlock: quantity,
  toBlock: quantity,
})

export type RangeFilter = {
  /** Inclusive. */
  first: bigint
  /** Inclusive. */
  last: bigint
  /** Undefined selects all. */
  addresses: readonly Hex[] | undefined
  /** First topics. Undefined selects all. */
  topics: readonly Hex[] | undefined
  /** Bits that each address, and each topic, sets in a bloom filter: computed once, for all blocks of the range. */
  bits: readonly (readonly bigint[])[]
}

/** Undefined if the filter has another form. */
export function parseRangeFilter(filter: unknown): RangeFilter | undefined {
  const { data } = filterShape.safeParse(filter)
  if (!data) return undefined
  const addresses = data.address
  const topics = data.topics[0] ?? undefined
  return {
    first: BigInt(data.fromBlock),
    last: BigInt(data.toBlock),
    addresses,
    topics,
    bits: [addresses, topics].flatMap((values) => (values ? [values.map(bloomBits)] : [])),
  }
}

/** Whether the filter selects a log. */
export function selects({ addresses, topics }: RangeFilter, { address, topics: [first] }: Log): boolean {
  if (addresses && !addresses.includes(address)) return false
  return !topics || (first !== undefined && topics.includes(first))
}

/** Whether a block with this bloom filter can have a log that the filter selects. */
export function maySelectFrom(bloom: Hex, { bits }: RangeFilter): boolean {
  const set = BigInt(bloom)
  return bits.every((values) => values.some((each) => (set & each) === each))
}
