/** Checks a block that a node returned against its own hash. */
import { z } from 'zod'
import { Refusal } from '../../nodes/refusal.ts'
import { hashOfHeader, headerShape } from './header.ts'
import { bytes, quantity } from './hex.ts'

/** A block as the node returned it; only these fields are checked. */
const blockShape = z.looseObject({ hash: bytes, parentHash: bytes, number: quantity })

export type Block = z.output<typeof blockShape>

/** @throws Refusal when the answer is not a block */
export function parseBlock(answer: unknown): Block {
  const block = blockShape.safeParse(answer)
  if (!block.success) throw new Refusal('gives a block that is not well-formed')
  return block.data
}

/**
 * Requires that the block's hash is the hash of its header, so no field of the header was changed or belongs to another
 * block.
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
