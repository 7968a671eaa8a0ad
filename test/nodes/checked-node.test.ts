/** A node is asked only while it serves the right chain. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkedNode } from '../../nodes/checked-node.ts'
import { connectNodes } from '../../nodes/connect.ts'
import type { Identity, KnownBlock } from '../../nodes/identity.ts'
import { until } from '../support/indexer.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { type Answer, type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'

const GENESIS = `0x${'ab'.repeat(32)}` as const
const ANOTHER = `0x${'cd'.repeat(32)}` as const

let now: number
let asked: string[]
let reports: string[]
let chainId: string
let genesis: string
/** Blocks above it are missing. */
let highest: bigint
let fault: Answer
let proxy: Awaited<ReturnType<typeof startNodeProxy>>
beforeEach(async () => {
  now = 0
  asked = []
  reports = []
  chainId = '0xa'
  genesis = GENESIS
  highest = 100n
  fault = undefined
  proxy = await startNodeProxy(answer)
})
afterEach(() => proxy.stop())

function answer({ method, params }: RpcRequest): Answer {
  asked.push(method)
  if (fault) return fault
  if (method === 'eth_chainId') return { result: chainId }
  if (method === 'eth_getBlockByNumber') return { result: blockAt(BigInt(String(params[0]))) }
  return { result: '0x1' }
}

/** All blocks have the same hash. */
function blockAt(height: bigint) {
  return height > highest ? null : { hash: genesis }
}

function nodeFor(identity: Identity, timeout = NODE_TIMEOUT_MS) {
  const [connection] = connectNodes([proxy.url], { timeout })
  if (!connection) throw new Error('there is no node')
  const report = (message: string) => void reports.push(message)
  const node = checkedNode(connection, { identity, clock: () => now, report })
  return () => node.use((ask) => ask({ method: 'eth_gasPrice' }))
}

describe('a node', () => {
  it('is checked before its first answer, and again after five seconds', async () => {
    const read = nodeFor({ chainId: 10 })
    for (const at of [0, 4_999, 5_000]) {
      now = at
      await read()
    }
    const check = ['eth_chainId', 'eth_getBlockByNumber']
    expect(asked).toEqual([...check, 'eth_gasPrice', 'eth_gasPrice', ...check, 'eth_gasPrice'])
  })

  it('is checked once for concurrent requests', async () => {
    const read = nodeFor({ chainId: 10 })
    await Promise.all([read(), read(), read()])
    expect(asked.filter((method) => method === 'eth_chainId')).toHaveLength(1)
  })

  it('of another chain is refused by its position and gets no other request, also none while it is checked', async () => {
    const read = nodeFor({ chainId: 1 })
    const reads = await Promise.allSettled([read(), read(), read()])
    const refused = expect.objectContaining({ fault: expect.stringMatching(/^serves chain 10, not 1\b/) })
    expect(reads).toEqual(reads.map(() => ({ status: 'rejected', reason: refused })))
    now = 1_000
    await expect(read()).rejects.toThrow(/^node 1 of 1 serves chain 10, not 1\b/)
    expect(asked).not.toContain('eth_gasPrice')
  })

  it('that answers its check with an error is checked again before any other request', async () => {
    const read = nodeFor({ chainId: 10 })
    fault = { error: { code: -32000, message: 'out of order' } }
    for (let i = 0; i < 2; i++) await expect(read()).rejects.toThrow('out of order')
    expect(asked).not.toContain('eth_gasPrice')
    fault = undefined
    await read()
    expect(asked.at(-1)).toBe('eth_gasPrice')
  })

  it('with another genesis block is refused', async () => {
    await expect(nodeFor({ chainId: 10, genesis: ANOTHER })()).rejects.toThrow(
      `serves the genesis block ${GENESIS}, not ${ANOTHER}`,
    )
  })

  it('without the known block, or with another one in its place, is refused', async () => {
    const known: KnownBlock = { number: 7n, hash: ANOTHER }
    await expect(nodeFor({ chainId: 10, known })()).rejects.toThrow(
      `serves another chain: it does not contain block 7 with hash ${ANOTHER}`,
    )
    known.hash = GENESIS
    await nodeFor({ chainId: 10, known })()
    highest = 6n
    await expect(nodeFor({ chainId: 10, known })()).rejects.toThrow('does not have block 7')
  })

  it('without the known block does not decide which chain the others must serve', async () => {
    const known: KnownBlock = { number: 7n, hash: GENESIS }
    const identity: Identity = { known }
    highest = 6n
    await expect(nodeFor(identity)()).rejects.toThrow('does not have block 7')
    expect(identity).toEqual({ known })
  })

  it('must serve the chain of the first node that answered if no chain is given', async () => {
    const identity: Identity = {}
    await nodeFor(identity)()
    expect(identity).toEqual({ chainId: 10, genesis: GENESIS })
    genesis = ANOTHER
    await expect(nodeFor(identity)()).rejects.toThrow(`not ${GENESIS}`)
  })

  it('is found to have become another chain without any failure', async () => {
    const read = nodeFor({ chainId: 10 })
    await read()
    genesis = ANOTHER
    now = 5_000
    await expect(read()).rejects.toThrow(`not ${GENESIS}`)
  })

  it('is checked again after it failed, and not after it answered with an error', async () => {
    const read = nodeFor({ chainId: 10 })
    await read()
    fault = { error: { code: -32000, message: 'out of order' } }
    await expect(read()).rejects.toThrow('out of order')
    fault = undefined
    asked.length = 0
    await read()
    expect(asked).toEqual(['eth_gasPrice'])
    fault = { status: 502 }
    await expect(read()).rejects.toThrow('502')
    fault = undefined
    chainId = '0xb'
    await expect(read()).rejects.toThrow('serves chain 11, not 10')
  })

  it('that was refused is not asked for a second, then is used again once it is right', async () => {
    const read = nodeFor({ chainId: 1 })
    await expect(read()).rejects.toThrow()
    asked.length = 0
    chainId = '0x1'
    now = 999
    await expect(read()).rejects.toThrow('serves chain 10, not 1')
    expect(asked).toEqual([])
    now = 1_000
    await read()
    expect(reports).toEqual([
      'node 1 of 1 serves chain 10, not 1; it is not used',
      'node 1 of 1 is used again',
    ])
  })

  it('is reported once for each reason for which it is refused, and once when it is used again', async () => {
    const read = nodeFor({ chainId: 1 })
    const refused = async (at: number) => {
      now = at
      await expect(read()).rejects.toThrow()
    }
    for (const at of [0, 1_000, 2_000]) await refused(at)
    chainId = '0xb'
    await refused(3_000)
    chainId = '0x1'
    now = 4_000
    await read()
    await read()
    chainId = '0xb'
    await refused(9_000)
    const [ten, eleven] = [10, 11].map((id) => `node 1 of 1 serves chain ${id}, not 1; it is not used`)
    expect(reports).toEqual([ten, eleven, 'node 1 of 1 is used again', eleven])
  })

  it('that does not answer a check delays no other request, and is used again once it answers one', async () => {
    fault = 'silence'
    const read = nodeFor({ chainId: 10 }, 1_000)
    await expect(read()).rejects.toThrow('took too long')
    asked.length = 0
    for (let i = 0; i < 100; i++) await expect(read()).rejects.toThrow('took too long')
    // Each check in turn takes as long as the timeout.
    expect(asked.filter((method) => method === 'eth_chainId').length).toBeLessThan(50)
    fault = undefined
    await until(() => read().then(Boolean, () => false))
    now = 5_000
    await read()
  })

  it('that answers neither chain id nor genesis block is refused', async () => {
    chainId = 'ten'
    await expect(nodeFor({})()).rejects.toThrow('answers no chain id')
    chainId = '0xa'
    genesis = 'none'
    now = 2_000
    await expect(nodeFor({})()).rejects.toThrow('has no genesis block')
  })
})
