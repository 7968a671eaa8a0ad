/** The gateway follows one chain, independently of which node answers and of which chain is behind its URL. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AroundCall, createChain } from '../../api/chain/client.ts'
import { pinFinalizedBlock } from '../../api/chain/pin-block.ts'
import { fromChain, startLyingNode } from '../indexer/lying-node.ts'
import { startAnvil } from '../support/anvil.ts'
import { rejection } from '../support/coded.ts'
import { until } from '../support/indexer.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'

type Anvil = Awaited<ReturnType<typeof startAnvil>>

let home: Anvil
/** Has the chain id and the genesis block of `home`, and other blocks. */
let twin: Anvil
let other: Anvil
let node: Awaited<ReturnType<typeof startLyingNode>>
let reports: string[]
beforeAll(async () => {
  const timestamp = Math.floor(Date.now() / 1000) - 1_000
  ;[home, twin, other] = await Promise.all([
    startAnvil({ timestamp }),
    startAnvil({ timestamp }),
    startAnvil({ timestamp: timestamp - 1_000 }),
  ])
  await home.client.mine({ blocks: 10 })
  await twin.client.mine({ blocks: 20, interval: 5 })
  await other.client.mine({ blocks: 20 })
})
afterAll(async () => {
  for (const anvil of [home, twin, other]) await anvil.stop()
})
beforeEach(async () => {
  reports = []
  node = await startLyingNode(home.rpcUrl)
})
afterEach(() => node.stop())

const chainOf = (...urls: string[]) =>
  createChain({ urls, timeout: NODE_TIMEOUT_MS, report: (message) => void reports.push(message) })

const finalizedAtHome = async () => (await home.client.getBlock({ blockTag: 'finalized' })).hash

describe('a node of the gateway', () => {
  it('that comes back from a failure with another chain is not used, and the next one is', async () => {
    const chain = chainOf(node.url, home.rpcUrl)
    await chain.getGasPrice()
    node.lieWith(() => ({ status: 502 }))
    await chain.getGasPrice()
    node.lieWith(fromChain(other.rpcUrl))
    expect((await pinFinalizedBlock(chain)).hash).toBe(await finalizedAtHome())
    expect(reports).toEqual([
      expect.stringMatching(/^node 1 of 2 serves the genesis block 0x\w+, not 0x\w+; it is not used$/),
    ])
  })

  it('that was down at the start and then serves another chain is not used', async () => {
    node.lieWith(() => ({ status: 502 }))
    const chain = chainOf(node.url, home.rpcUrl)
    await chain.getGasPrice()
    node.lieWith(fromChain(other.rpcUrl))
    expect(await chain.getBlockNumber()).toBe(await home.client.getBlockNumber())
  })

  it('that becomes another chain without a failure pins no block, though chain id and genesis block are the same', async () => {
    const chain = chainOf(node.url)
    const before = await pinFinalizedBlock(chain)
    node.lieWith(fromChain(twin.rpcUrl))
    expect(await rejection(pinFinalizedBlock(chain))).toBe('CHAIN_UNAVAILABLE')
    expect(reports.join()).toContain(
      `it does not contain finalized block ${before.number} with hash ${before.hash}`,
    )
  })

  it('that becomes another chain without a failure is passed over for the next one', async () => {
    const chain = chainOf(node.url, home.rpcUrl)
    await pinFinalizedBlock(chain)
    node.lieWith(fromChain(twin.rpcUrl))
    await home.client.mine({ blocks: 1 })
    expect((await pinFinalizedBlock(chain)).hash).toBe(await finalizedAtHome())
  })

  it('is used again once it is right', async () => {
    const chain = chainOf(node.url)
    await pinFinalizedBlock(chain)
    node.lieWith(fromChain(twin.rpcUrl))
    expect(await rejection(pinFinalizedBlock(chain))).toBe('CHAIN_UNAVAILABLE')
    node.lieWith(undefined)
    await until(() =>
      pinFinalizedBlock(chain).then(
        () => true,
        () => false,
      ),
    )
    expect(reports.at(-1)).toBe('node 1 of 1 is used again')
  })

  it('is asked once more where it fails, and not again where it fails twice', async () => {
    const chain = chainOf(node.url)
    let asked = 0
    const failing = (times: number) => {
      asked = 0
      node.lieWith(({ method }) => {
        if (method !== 'eth_gasPrice') return undefined
        asked += 1
        return asked <= times ? { status: 502 } : undefined
      })
    }
    failing(1)
    expect(await chain.getGasPrice()).toBeGreaterThan(0n)
    failing(9)
    await expect(chain.getGasPrice()).rejects.toThrow('502')
    expect(asked).toBe(2)
  })

  it('is asked within the functions around each request, of which the last one is outermost', async () => {
    const order: string[] = []
    const named = (name: string): AroundCall => {
      return (method, call) => {
        order.push(`${name} ${method}`)
        return call()
      }
    }
    const around = [named('inner'), named('outer')]
    await createChain({ urls: [home.rpcUrl], timeout: NODE_TIMEOUT_MS, around }).getGasPrice()
    const ofPrice = order.filter((entry) => entry.endsWith('eth_gasPrice'))
    expect(ofPrice).toEqual(['outer eth_gasPrice', 'inner eth_gasPrice'])
  })

  it('may lag by some blocks that were seen', async () => {
    const chain = chainOf(node.url)
    await pinFinalizedBlock(chain)
    const lagging = await pinFinalizedBlock(chain)
    await home.client.mine({ blocks: 5 })
    await pinFinalizedBlock(chain)
    const block = await home.client.getBlock({ blockNumber: lagging.number })
    node.lieWith(({ params }) =>
      params[0] === 'finalized'
        ? {
            result: {
              number: `0x${block.number.toString(16)}`,
              hash: block.hash,
              parentHash: block.parentHash,
              timestamp: '0x1',
            },
          }
        : undefined,
    )
    expect((await pinFinalizedBlock(chain)).hash).toBe(lagging.hash)
  })

  it('does not decide how long the gateway waits before it asks again', async () => {
    node.lieWith(() => ({ status: 503, headers: { 'Retry-After': '86400' } }))
    expect(await rejection(pinFinalizedBlock(chainOf(node.url)))).toBe('CHAIN_UNAVAILABLE')
  })
})
