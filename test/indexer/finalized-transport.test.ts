import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { http, numberToHex, type RpcBlock, type Transport } from 'viem'
import * as knownChains from 'viem/chains'
import { afterEach, describe, expect, it } from 'vitest'
import { assumedFinalityDepth, finalizedTransport } from '../../indexer/finalized-transport.ts'
import { type RpcRequest, startNodeProxy } from './node-proxy.ts'

const UNKNOWN_CHAIN = 31337

describe('the finalized transport', () => {
  const nodes: Awaited<ReturnType<typeof startNodeProxy>>[] = []
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.stop()
  })

  /** A transport over a node whose finalized block is each of `heights` in turn, the last one from then on. */
  async function over(heights: readonly (number | null)[], chainId = UNKNOWN_CHAIN) {
    const asked: RpcRequest[] = []
    const node = await startNodeProxy((request) => {
      asked.push(request)
      const height = heights[Math.min(asked.length, heights.length) - 1]
      return { result: typeof height === 'number' ? blockAt(height) : null }
    })
    nodes.push(node)
    return { asked, request: requestOf(finalizedTransport(http(node.url)({}).request, chainId)) }
  }

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

  it('passes every other request on as it is', async () => {
    const { asked, request } = await over([7])
    await request('eth_getBlockByNumber', ['0x5', false])
    await request('eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x5' }])
    await request('eth_chainId', undefined)
    expect(asked.map(({ method, params }) => [method, params])).toEqual([
      ['eth_getBlockByNumber', ['0x5', false]],
      ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x5' }]],
      ['eth_chainId', []],
    ])
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
  return { number: numberToHex(height), hash: numberToHex(height, { size: 32 }), transactions: [] }
}

function heightOf(block: RpcBlock | null): number {
  return Number(block?.number)
}

function requestOf(transport: Transport) {
  const { request } = transport({ retryCount: 0 })
  return (method: string, params: unknown): Promise<RpcBlock | null> => request({ method, params })
}
