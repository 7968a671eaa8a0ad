/** The blocks that Ponder is given are those of one chain, whichever node answers. */
import { type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createChainPath } from '../../indexer/chain-path.ts'
import { blockByNumber } from '../../indexer/verified-reads.ts'
import type { Ask } from '../../nodes/connect.ts'
import { Refusal } from '../../nodes/refusal.ts'

const hashOf = (chain: string, height: number): Hex => `0x${chain}${String(height).padStart(62, '0')}`

/** A node of a chain, which branches off from `aa` at a height. */
function nodeOf(chain: string, finalized: number, branchesAt = 0): Ask {
  const hash = (height: number) => hashOf(height < branchesAt ? 'aa' : chain, height)
  return async ({ params }) => {
    const [name] = Array.isArray(params) ? params : []
    const height = name === 'finalized' ? finalized : Number(name)
    return { number: numberToHex(height), hash: hash(height), parentHash: hash(height - 1) }
  }
}

/** @param clock milliseconds */
const newPath = (clock = () => 0, depth = 0) =>
  createChainPath((ask, block, transactions) => blockByNumber(ask, block, transactions, false), depth, clock)

describe('the head', () => {
  it.each([
    ['at the height that was read before', 10],
    ['above it', 20],
  ])('of another chain is refused: %s', async (_, height) => {
    const path = newPath()
    await path.head(nodeOf('aa', 10))
    await expect(path.head(nodeOf('bb', height))).rejects.toThrow('does not contain block 10')
    expect(await path.head(nodeOf('aa', height))).toMatchObject({ hash: hashOf('aa', height) })
  })

  it('of a node that lacks the block that was read before is refused', async () => {
    const path = newPath()
    await path.head(nodeOf('aa', 10))
    const pruned: Ask = (request) => {
      const asksForHead = Array.isArray(request.params) && request.params[0] === 'finalized'
      return asksForHead ? nodeOf('bb', 20)(request) : Promise.resolve(null)
    }
    await expect(path.head(pruned)).rejects.toThrow('does not contain block 10')
  })

  it('of a node that is behind is none', async () => {
    const path = newPath()
    await path.head(nodeOf('aa', 10))
    expect(await path.head(nodeOf('aa', 9))).toBeNull()
  })

  it.each([
    ['at the assumed depth above the last block is ignored by Ponder, which goes on from that one', 15, 10],
    ['one block above that is where Ponder goes on', 16, 16],
  ])('%s', async (_, height, last) => {
    const path = newPath(() => 0, 5)
    await path.head(nodeOf('aa', 10))
    await path.head(nodeOf('aa', height))
    expect(path.highest()).toMatchObject({ hash: hashOf('aa', height) })
    expect(path.again()).toMatchObject({ hash: hashOf('aa', last) })
  })

  it('stays the highest block while Ponder reaches it by a node that is behind', async () => {
    const path = newPath(() => 0, 5)
    await path.head(nodeOf('aa', 10))
    await path.head(nodeOf('aa', 14))
    expect(await path.next(nodeOf('aa', 12))).toMatchObject({ hash: hashOf('aa', 12) })
    expect(path.highest()).toMatchObject({ hash: hashOf('aa', 14) })
    await path.next(nodeOf('aa', 16))
    expect(path.highest()).toMatchObject({ hash: hashOf('aa', 16) })
  })
})

describe('the head of a chain that has moved', () => {
  it('is where Ponder continues once it is more blocks above than Ponder assumes not to be final', async () => {
    const path = newPath(() => 0, 5)
    for (const [height, continues] of [
      [10, 10],
      [15, 10],
      [16, 16],
    ] as const) {
      await path.head(nodeOf('aa', height))
      expect(path.again()).toMatchObject({ hash: hashOf('aa', continues) })
    }
  })

  it('is not below a block that Ponder has followed the chain to', async () => {
    const path = newPath()
    await path.head(nodeOf('aa', 10))
    await path.next(nodeOf('aa', 20))
    expect(path.highest()).toMatchObject({ hash: hashOf('aa', 20) })
    expect(await path.head(nodeOf('aa', 19))).toBeNull()
  })
})

describe('the hash that a block must have', () => {
  it('is known of each block on the way, and of no other', async () => {
    const path = newPath()
    await path.head(nodeOf('aa', 10))
    await path.next(nodeOf('aa', 20))
    for (const height of [10, 11, 15, 19, 20]) expect(path.hashAt(BigInt(height))).toBe(hashOf('aa', height))
    for (const height of [9n, 21n]) expect(path.hashAt(height)).toBeUndefined()
  })

  it('is known of the last 10,000 heights', async () => {
    const path = newPath()
    await path.head(nodeOf('aa', 10))
    await path.head(nodeOf('aa', 10_009))
    expect(path.hashAt(10n)).toBe(hashOf('aa', 10))
    await path.head(nodeOf('aa', 10_010))
    expect(path.hashAt(10n)).toBeUndefined()
  })
})

describe('the next block', () => {
  it.each([
    ['at the height that was read before', 10],
    ['as its child', 11],
    ['above it', 20],
  ])('of another chain is refused: %s', async (_, height) => {
    const path = newPath()
    await path.head(nodeOf('aa', 10))
    await expect(path.next(nodeOf('bb', height))).rejects.toThrow('does not contain block 10')
    expect(await path.next(nodeOf('aa', height))).toMatchObject({ hash: hashOf('aa', height) })
  })

  it('is that of a chain which contains the last one, and the chain from then on', async () => {
    const path = newPath()
    await path.head(nodeOf('aa', 10))
    expect(await path.next(nodeOf('bb', 20, 15))).toMatchObject({ hash: hashOf('bb', 20) })
    await expect(path.next(nodeOf('aa', 20))).rejects.toThrow('does not contain block 20')
  })

  it('is the last one again, until there is none for ten seconds', async () => {
    let now = 0
    const path = newPath(() => now)
    await path.next(nodeOf('aa', 10))
    now = 9_000
    await path.next(nodeOf('aa', 11))
    now = 18_999
    expect(await path.next(nodeOf('aa', 11))).toMatchObject({ hash: hashOf('aa', 11) })
    now = 19_000
    expect(await path.next(nodeOf('aa', 11))).toBeNull()
    expect(path.again()).toMatchObject({ hash: hashOf('aa', 11) })
    expect(await path.next(nodeOf('aa', 11))).toMatchObject({ hash: hashOf('aa', 11) })
  })

  it('of a node that lacks a block on the way is refused', async () => {
    const path = newPath()
    await path.head(nodeOf('aa', 10))
    for (const missing of [15, 60]) {
      const lacking: Ask = (request) => {
        const [block] = Array.isArray(request.params) ? request.params : []
        return block === numberToHex(missing) ? Promise.resolve(null) : nodeOf('aa', 130)(request)
      }
      const refusal = new Refusal(`does not have block ${missing}, which is below its finalized one`)
      await expect(path.next(lacking)).rejects.toThrow(refusal)
    }
    expect(await path.next(nodeOf('aa', 130))).toMatchObject({ hash: hashOf('aa', 60) })
  })

  it('sends one request for each block on the way, at most ten at once', async () => {
    const path = newPath()
    await path.head(nodeOf('aa', 10))
    const asked: bigint[] = []
    let [running, most] = [0, 0]
    const counted: Ask = async (request) => {
      const [block] = Array.isArray(request.params) ? request.params : []
      if (block !== 'finalized') asked.push(BigInt(block))
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
      return nodeOf('aa', 43)(request)
    }
    await path.next(counted)
    expect(most).toBe(10)
    expect(asked).toEqual(Array.from({ length: 32 }, (_, index) => BigInt(11 + index)))
  })

  it('has its transactions, and the hashes of all blocks up to it are known from then on', async () => {
    const node = nodeOf('aa', 130)
    const withTransactions: unknown[] = []
    const asked: Ask = (request) => {
      const [block, isFull] = Array.isArray(request.params) ? request.params : []
      if (isFull === true) withTransactions.push(block)
      return node(request)
    }
    const path = newPath()
    await path.head(nodeOf('aa', 10))
    expect(await path.next(asked)).toMatchObject({ hash: hashOf('aa', 60) })
    expect(withTransactions).toEqual(['finalized', numberToHex(60)])
    for (const height of [10, 11, 37, 59, 60]) expect(path.hashAt(BigInt(height))).toBe(hashOf('aa', height))
    expect(path.hashAt(61n)).toBeUndefined()
  })
})
