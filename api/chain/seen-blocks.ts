import { BaseError, type Hex } from 'viem'
import { z } from 'zod'
import type { Ask, Request } from '../../nodes/connect.ts'
import type { Identity } from '../../nodes/identity.ts'
import { Refusal } from '../../nodes/refusal.ts'

const REMEMBERED = 64
const hex = z.templateLiteral(['0x', z.string()])
const blockShape = z.object({ number: hex, hash: hex, parentHash: hex })
type Block = z.output<typeof blockShape>

/** Reads the finalized block, and checks it against those that were read before. */
export type ReadFinalized = (ask: Ask, request: Request) => Promise<unknown>

/** Whether a request is for the last finalized block. */
export function asksForFinalized({ method, params }: Request): boolean {
  return method === 'eth_getBlockByNumber' && Array.isArray(params) && params[0] === 'finalized'
}

/**
 * One chain of finalized blocks for the whole process and all nodes: the chain behind a URL can be replaced by another
 * chain of the same id without a failure. Costs one request for each new block that is not the child of the one before.
 * The first of these blocks is the known block of `identity`, so that reads of other kinds are refused too. The read
 * throws a Refusal when the node's chain does not contain what was read before, and another error when it has no
 * finalized block.
 */
export function createSeenBlocks(identity: Identity): ReadFinalized {
  const seen = new Map<bigint, Hex>()

  function remember({ number, hash }: Block): void {
    seen.set(BigInt(number), hash)
    const [oldest] = seen.keys()
    if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest)
    const [first] = seen
    identity.known = first && { number: first[0], hash: first[1] }
  }

  return async (ask, request) => {
    const answer = await ask(request)
    const block = blockShape.safeParse(answer).data
    // The answer of a node that has finalized nothing is no failure to viem: without an error, no other node would be
    // asked.
    if (!block) throw new BaseError('The node has no finalized block.')
    if (!seen.has(BigInt(block.number))) await requireDescendant(ask, block, seen)
    else requireHash(BigInt(block.number), block.hash, seen)
    remember(block)
    return answer
  }
}

async function requireDescendant(ask: Ask, block: Block, seen: ReadonlyMap<bigint, Hex>): Promise<void> {
  const height = BigInt(block.number)
  const [nearest] = [...seen.keys()].filter((each) => each < height).sort((a, b) => (a < b ? 1 : -1))
  if (nearest === undefined) return requireFirst(height, seen)
  requireHash(nearest, nearest === height - 1n ? block.parentHash : await hashAt(ask, nearest), seen)
}

/** A node whose finalized block is below all known blocks cannot prove that it serves the same chain. */
function requireFirst(height: bigint, seen: ReadonlyMap<bigint, Hex>): void {
  if (seen.size > 0)
    throw new Refusal(`has only finalized block ${height}, below those that were read before`)
}

function requireHash(height: bigint, hash: Hex | undefined, seen: ReadonlyMap<bigint, Hex>): void {
  const known = seen.get(height)
  if (hash !== known) {
    throw new Refusal(
      `serves another chain: it does not contain finalized block ${height} with hash ${known}`,
    )
  }
}

async function hashAt(ask: Ask, height: bigint): Promise<Hex | undefined> {
  const answer = await ask({ method: 'eth_getBlockByNumber', params: [`0x${height.toString(16)}`, false] })
  return blockShape.safeParse(answer).data?.hash
}
