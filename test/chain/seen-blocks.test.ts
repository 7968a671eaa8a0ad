/** The finalized blocks that a process has seen are those of one chain, whichever node answers. */
import { type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createSeenBlocks } from '../../api/chain/seen-blocks.ts'
import type { Ask } from '../../nodes/connect.ts'
import type { Identity } from '../../nodes/identity.ts'

const hashOf = (chain: string, height: number): Hex => `0x${chain}${String(height).padStart(62, '0')}`

/** A node of a chain, which branches off from `aa` at a height. */
function nodeOf(chain: string, finalized: number, branchesAt = 0): Ask {
  const block = (height: number) => {
    const hash = (at: number) => hashOf(at < branchesAt ? 'aa' : chain, at)
    return { number: numberToHex(height), hash: hash(height), parentHash: hash(height - 1) }
  }
  return async ({ params }) => {
    const [name] = Array.isArray(params) ? params : []
    return block(name === 'finalized' ? finalized : Number(name))
  }
}

/** A node that has its finalized block, and in place of the earlier ones what a test gives. */
function nodeWithout(finalized: number, earlier: unknown): Ask {
  const node = nodeOf('aa', finalized)
  return async (request) => {
    const [name] = Array.isArray(request.params) ? request.params : []
    return name === 'finalized' ? node(request) : earlier
  }
}

const REQUEST = { method: 'eth_getBlockByNumber', params: ['finalized', false] }

async function seen(...heights: number[]) {
  const identity: Identity = {}
  const read = createSeenBlocks(identity)
  for (const height of heights) await read(nodeOf('aa', height), REQUEST)
  return { identity, readFrom: (node: Ask) => read(node, REQUEST) }
}

describe('a finalized block', () => {
  it('is read again, with children and later descendants', async () => {
    const { readFrom } = await seen(10, 10, 11, 50)
    expect(await readFrom(nodeOf('aa', 11))).toMatchObject({ hash: hashOf('aa', 11) })
    expect(await readFrom(nodeOf('aa', 30))).toMatchObject({ hash: hashOf('aa', 30) })
  })

  it.each([
    ['at a height that was seen', 50],
    ['at an earlier height that was seen', 11],
    ['after the newest one', 51],
    ['later', 90],
    ['between two', 30],
  ])('of another chain is refused: %s', async (_, height) => {
    const { readFrom } = await seen(10, 11, 50)
    await expect(readFrom(nodeOf('bb', height))).rejects.toThrow('serves another chain')
    // The chain that was seen is served as before.
    expect(await readFrom(nodeOf('aa', 50))).toMatchObject({ hash: hashOf('aa', 50) })
  })

  it('of a chain that branched off below the last one that was seen is refused', async () => {
    const { readFrom } = await seen(10, 50)
    await expect(readFrom(nodeOf('bb', 50, 40))).rejects.toThrow('does not contain finalized block 50')
    await expect(readFrom(nodeOf('bb', 60, 40))).rejects.toThrow('does not contain finalized block 50')
    expect(await readFrom(nodeOf('bb', 60, 55))).toMatchObject({ hash: hashOf('bb', 60) })
  })

  it.each([null, undefined, {}, { number: '0x32', parentHash: hashOf('aa', 49) }])(
    'of a node that answers %j for the block before it is refused',
    async (earlier) => {
      const { readFrom } = await seen(10, 50)
      await expect(readFrom(nodeWithout(60, earlier))).rejects.toThrow(
        `does not contain finalized block 50 with hash ${hashOf('aa', 50)}`,
      )
      expect(await readFrom(nodeOf('aa', 60))).toMatchObject({ hash: hashOf('aa', 60) })
    },
  )

  it.each([null, undefined, {}, { number: '0x33', parentHash: hashOf('aa', 50) }])(
    'is missing where a node answers %j for it',
    async (answer) => {
      const { readFrom } = await seen(50)
      await expect(readFrom(async () => answer)).rejects.toThrow('has no finalized block')
    },
  )

  it('below all that were seen proves nothing, and is refused', async () => {
    const { readFrom } = await seen(10, 50)
    await expect(readFrom(nodeOf('aa', 9))).rejects.toThrow('has only finalized block 9')
    const { readFrom: readAfterOne } = await seen(10)
    await expect(readAfterOne(nodeOf('aa', 9))).rejects.toThrow('has only finalized block 9')
  })

  it('is the known block of all nodes from the first of the last 64 on', async () => {
    const heights = Array.from({ length: 70 }, (_, index) => index + 1)
    const { identity } = await seen(...heights)
    expect(identity.known).toEqual({ number: 7n, hash: hashOf('aa', 7) })
  })
})
