import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { numberToHex, type RpcBlock, type Transport } from 'viem'
import * as knownChains from 'viem/chains'
import { afterEach, describe, expect, it } from 'vitest'
import { assumedFinalityDepth } from '../../indexer/assumed-depth.ts'
import { finalizedTransport } from '../../indexer/finalized-transport.ts'
import { createNodes } from '../../indexer/nodes.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { type Answer, type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'

const UNKNOWN_CHAIN = 31337

describe('the finalized transport', () => {
  const proxies: Awaited<ReturnType<typeof startNodeProxy>>[] = []
  let now = 0
  afterEach(async () => {
    now = 0
    for (const proxy of proxies.splice(0)) await proxy.stop()
  })

  /** A transport over nodes that answer as given (an error by an error), and the requests of all but chain checks. */
  async function overNodes(
    chainId: number,
    answers: readonly ((request: RpcRequest) => unknown)[],
    verify = false,
  ) {
    const asked: RpcRequest[] = []
    const started = await Promise.all(
      answers.map((answer) =>
        startNodeProxy((request): Answer => {
          const { method, params } = request
          if (method === 'eth_chainId') return { result: numberToHex(chainId) }
          if (method === 'eth_getBlockByNumber' && params[0] === '0x0') return { result: blockAt(0) }
          asked.push(request)
          const result = answer(request)
          return result instanceof Error ? { error: { code: -32_000, message: result.message } } : { result }
        }),
      ),
    )
    proxies.push(...started)
    const urls = started.map(({ url }) => url)
    return { asked, request: transportOver(urls, chainId, verify) }
  }

  function transportOver(urls: readonly string[], chainId: number, verify: boolean) {
    const nodes = createNodes({
      urls,
      chainId,
      genesis: undefined,
      limits: { timeout: NODE_TIMEOUT_MS },
      clock: Date.now,
      pause,
      report: () => {},
    })
    return requestOf(finalizedTransport({ nodes, chainId, clock: () => now, verify }))
  }

  /** A node whose finalized block is each of `heights` in turn, the last one from then on. */
  function finalizing(heights: readonly (number | null)[]) {
    let looks = 0
    return ({ method, params }: RpcRequest) => {
      if (method !== 'eth_getBlockByNumber') return []
      if (params[0] !== 'finalized') return blockAt(Number(params[0]))
      const height = heights[Math.min(looks++, heights.length - 1)]
      return typeof height === 'number' ? blockAt(height) : null
    }
  }

  const over = (heights: readonly (number | null)[], chainId = UNKNOWN_CHAIN) =>
    overNodes(chainId, [finalizing(heights)])

  it('asks for the finalized block where Ponder asks for the latest', async () => {
    const { asked, request } = await over([7])
    expect(heightOf(await request('eth_getBlockByNumber', ['latest', true]))).toBe(7)
    expect(asked.map(({ method, params }) => [method, params])).toEqual([
      ['eth_getBlockByNumber', ['finalized', true]],
    ])
  })

  it('never hands out a lower block than before, whatever the node says', async () => {
    const { request } = await over([10, 12, 9, 11, 12, 3, 13])
    const heights: number[] = []
    for (let poll = 0; poll < 7; poll++) {
      heights.push(heightOf(await request('eth_getBlockByNumber', ['latest', true])))
    }
    expect(heights).toEqual([10, 12, 12, 12, 12, 12, 13])
  })

  it('withholds a lower block from polling even when the higher one was only seen at the start', async () => {
    const { request } = await over([10, 8])
    await request('eth_getBlockByNumber', ['latest', false])
    expect(await request('eth_getBlockByNumber', ['latest', true])).toEqual(blockAt(10))
  })

  it('withholds a lower block where Ponder asks again for the head', async () => {
    const { request } = await over([10, 8])
    for (const asked of ['first', 'again']) {
      expect([asked, heightOf(await request('eth_getBlockByNumber', ['latest', false]))]).toEqual([asked, 40])
    }
  })

  it('asks a node once for callers that poll at once', async () => {
    const { asked, request } = await over([10])
    const poll = () => request('eth_getBlockByNumber', ['latest', true])
    expect((await Promise.all([poll(), poll()])).map(heightOf)).toEqual([10, 10])
    expect(asked).toHaveLength(1)
    await poll()
    expect(asked).toHaveLength(2)
  })

  it('reads the finalized block once for requests that come together, and again after a failure', async () => {
    let isFailing = false
    const node = finalizing([7])
    const { asked, request } = await overNodes(UNKNOWN_CHAIN, [
      (of) => (isFailing ? new Error('no blocks now') : node(of)),
    ])
    const latest = () => request('eth_getBlockByNumber', ['latest', true])
    expect((await Promise.all([latest(), latest(), latest()])).map(heightOf)).toEqual([7, 7, 7])
    expect(asked).toHaveLength(1)
    isFailing = true
    await expect(latest()).rejects.toThrow('no blocks now')
    isFailing = false
    expect(heightOf(await latest())).toBe(7)
  })

  it('adds the depth that Ponder takes off when it asks without transactions', async () => {
    const { request } = await over([10])
    expect(heightOf(await request('eth_getBlockByNumber', ['latest', false]))).toBe(40)
    const mainnet = await over([10], 1)
    expect(heightOf(await mainnet.request('eth_getBlockByNumber', ['latest', false]))).toBe(75)
  })

  it('answers null while nothing is final, and the block before when the node forgets', async () => {
    const { request } = await over([null, 5, null])
    expect(await request('eth_getBlockByNumber', ['latest', true])).toBeNull()
    expect(heightOf(await request('eth_getBlockByNumber', ['latest', true]))).toBe(5)
    expect(heightOf(await request('eth_getBlockByNumber', ['latest', true]))).toBe(5)
  })

  it('asks the next node when the finalized block of the first is lower than before', async () => {
    const { request } = await overNodes(UNKNOWN_CHAIN, [finalizing([10, 4]), finalizing([12])])
    expect(heightOf(await request('eth_getBlockByNumber', ['latest', true]))).toBe(10)
    expect(heightOf(await request('eth_getBlockByNumber', ['latest', true]))).toBe(12)
  })

  it('asks the next node when the first has had no new block for ten seconds', async () => {
    const { request } = await overNodes(UNKNOWN_CHAIN, [finalizing([10]), finalizing([12])])
    for (const [at, height] of [
      [0, 10],
      [9_999, 10],
      [10_000, 12],
    ] as const) {
      now = at
      expect(heightOf(await request('eth_getBlockByNumber', ['latest', true]))).toBe(height)
    }
  })

  it('moves by no more than 50 blocks at a time, each the child of the one before', async () => {
    const { asked, request } = await over([10, 130])
    const heights: number[] = []
    for (let poll = 0; poll < 4; poll++) {
      heights.push(heightOf(await request('eth_getBlockByNumber', ['latest', true])))
    }
    expect(heights).toEqual([10, 60, 110, 130])
    const read = asked.map(({ params }) => params[0]).filter((block) => block !== 'finalized')
    expect(read.map(Number)).toEqual(Array.from({ length: 119 }, (_, i) => 11 + i))
  })

  it('uses the next node when blocks of the first do not descend from the block before', async () => {
    const orphan = { ...blockAt(12), parentHash: hashAt(99) }
    const first = finalizing([10, 13])
    const { request } = await overNodes(UNKNOWN_CHAIN, [
      (asked) => (asked.params[0] === '0xc' ? orphan : first(asked)),
      finalizing([11]),
    ])
    expect(heightOf(await request('eth_getBlockByNumber', ['latest', true]))).toBe(10)
    expect(heightOf(await request('eth_getBlockByNumber', ['latest', true]))).toBe(11)
  })

  it('accepts no block of a height that it knows under another hash', async () => {
    const { request } = await overNodes(UNKNOWN_CHAIN, [
      (asked) => (asked.params[0] === '0xa' ? { ...blockAt(10), hash: hashAt(99) } : finalizing([10])(asked)),
      finalizing([10]),
    ])
    await request('eth_getBlockByNumber', ['latest', true])
    await request('eth_getBlockByNumber', ['latest', false])
    expect(await request('eth_getBlockByNumber', ['0xa', true])).toEqual(blockAt(10))
  })

  it('waits for a block that it knows where the node lacks it for a moment', async () => {
    let isLacking = true
    const node = finalizing([10])
    const { request } = await overNodes(UNKNOWN_CHAIN, [
      (asked) => {
        if (asked.params[0] !== '0xa' || !isLacking) return node(asked)
        isLacking = false
        return null
      },
    ])
    await request('eth_getBlockByNumber', ['latest', false])
    expect(await request('eth_getBlockByNumber', ['0xa', true])).toEqual(blockAt(10))
  })

  it('passes every other request on as it is', async () => {
    const { asked, request } = await over([7])
    await request('eth_getBlockByNumber', ['0x5', false])
    await request('eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x5' }])
    await request('eth_gasPrice', undefined)
    expect(asked.map(({ method, params }) => [method, params])).toEqual([
      ['eth_getBlockByNumber', ['0x5', false]],
      ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x5' }]],
      ['eth_gasPrice', []],
    ])
  })

  it('asks for the transactions of a block where Ponder asks for them, by number and by hash', async () => {
    const { asked, request } = await overNodes(UNKNOWN_CHAIN, [({ params }) => blockAt(Number(params[0]))])
    const requests = [true, false].flatMap((full) => [
      ['eth_getBlockByNumber', ['0x5', full]] as const,
      ['eth_getBlockByHash', [hashAt(5), full]] as const,
    ])
    for (const [method, params] of requests) await request(method, params)
    expect(asked.map(({ method, params }) => [method, params])).toEqual(requests)
  })

  it('passes a filter of one block on that selects not all of its logs, which no header proves', async () => {
    const { asked, request } = await overNodes(UNKNOWN_CHAIN, [finalizing([7])], true)
    const filter = { blockHash: hashAt(7), address: `0x${'a1'.repeat(20)}` }
    expect(await request('eth_getLogs', [filter])).toEqual([])
    expect(asked.map(({ method, params }) => [method, params])).toEqual([['eth_getLogs', [filter]]])
  })

  it('passes a filter of one block on where headers prove nothing', async () => {
    const { asked, request } = await over([7])
    await request('eth_getLogs', [{ blockHash: hashAt(7) }])
    expect(asked.map(({ method }) => method)).toEqual(['eth_getLogs'])
  })

  it('gives the logs of a range on which two of three nodes agree', async () => {
    const log = (data: string) => ({
      ...{ address: `0x${'a1'.repeat(20)}`, topics: [], data, blockHash: hashAt(2), blockNumber: '0x2' },
      ...{ transactionHash: hashAt(3), transactionIndex: '0x0', logIndex: '0x0' },
    })
    const answers = ['0x01', '0x02', '0x02'].map((data) => () => [log(data)])
    const { asked, request } = await overNodes(UNKNOWN_CHAIN, answers)
    const filter = { fromBlock: '0x1', toBlock: '0x5' }
    expect(await request('eth_getLogs', [filter])).toEqual([log('0x02')])
    expect(asked.map(({ params }) => params)).toEqual([[filter], [filter], [filter]])
  })

  it('sends a request once that a node refuses, because Ponder repeats it itself', async () => {
    let sent = 0
    const node = await startNodeProxy(({ method }): Answer => {
      if (method === 'eth_chainId') return { result: numberToHex(UNKNOWN_CHAIN) }
      if (method === 'eth_getBlockByNumber') return { result: blockAt(0) }
      sent += 1
      return { error: { code: -32_005, message: 'query returned more than 10000 results' } }
    })
    proxies.push(node)
    const request = transportOver([node.url], UNKNOWN_CHAIN, false)
    await expect(request('eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x5' }])).rejects.toThrow(
      'more than 10000',
    )
    expect(sent).toBe(1)
  })

  it('knows the depth that Ponder assumes, for every chain that Ponder knows and for one that it does not', async () => {
    const file = join(import.meta.dirname, '../../node_modules/ponder/dist/esm/utils/finality.js')
    const { getFinalityBlockCount } = await import(pathToFileURL(file).href)
    const known = Object.values(knownChains).filter((chain) => 'id' in chain)
    for (const chain of known) {
      expect([chain.id, assumedFinalityDepth(chain.id)]).toEqual([chain.id, getFinalityBlockCount({ chain })])
    }
    // Ponder's table has these too, but looks a chain up only when viem knows it.
    for (const id of [3, 4, 421611].filter((id) => known.every((chain) => chain.id !== id))) {
      expect(assumedFinalityDepth(id)).toBe(getFinalityBlockCount({ chain: undefined }))
    }
  })
})

function blockAt(height: number) {
  const parentHash = hashAt(Math.max(height - 1, 0))
  return { number: numberToHex(height), hash: hashAt(height), parentHash, transactions: [] }
}

function hashAt(height: number) {
  return numberToHex(height, { size: 32 })
}

function heightOf(block: RpcBlock | null): number {
  return Number(block?.number)
}

function requestOf(transport: Transport) {
  const { request } = transport({ retryCount: 0 })
  return (method: string, params: unknown): Promise<RpcBlock | null> => request({ method, params })
}
