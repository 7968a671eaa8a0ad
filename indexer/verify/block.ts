/** Holds a block that a node gives against its own hash. */
import { z } from 'zod'
import { Refusal } from '../../nodes/refusal.ts'
import { hashOfHeader, headerShape } from './header.ts'
import { bytes, quantity } from './hex.ts'

/** A block as the node gave it; of its fields only these are looked at. */
const blockShape = z.looseObject({ hash: bytes, parentHash: bytes, number: quantity })

export type Block = z.output<typeof blockShape>

/** @throws Refusal when the answer is no block */
export function parseBlock(answer: unknown): Block {
  const block = blockShape.safeParse(answer)
  if (!block.success) throw new Refusal('gives a block that is not well-formed')
  return block.data
}

/**
 * Requires that the block's hash is that of its header, so that no field of the header was changed or is from another block.
 * @throws Refusal
 */
export function requireOwnHash(block: Block): void {
  const header = headerShape.safeParse(block)
  if (header.success && hashOfHeader(header.data) === block.hash) return
  throw new Refusal(`gives block ${Number(block.number)} with a hash that its header does not have`)
}

export function heightOf(block: Block): bigint {
  return BigInt(block.number)
}
