/**
 * The order in which nodes are asked, how long a request waits for one that can be used, and the error when there is
 * none.
 */
import { numberToHex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blockHashes } from '../../indexer/block-hashes.ts'
import { createNodes } from '../../indexer/nodes.ts'
import type { Ask } from '../../nodes/connect.ts'
import { Refusal } from '../../nodes/refusal.ts'
import { startAnvil } from '../support/anvil.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { type Answer, startNodeProxy } from '../support/node-proxy.ts'

const GENESIS = numberToHex(1, { size: 32 })
const WRONG_CHAIN = (chainId: number): Answer => ({ result: numberToHex(chainId) })

let now: number
const proxies: Awaited<ReturnType<typeof startNodeProxy>>[] = []
beforeEach(() => {
  now = 0
})
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.stop()
})

type Overrides = Readonly<Record<string, Answer>>

/** Nodes of chain 10 with block 1, but for what is overridden; `during` sees each pause of a request that waits. */
async function nodesWith(overrides: readonly Overrides[], during: () => void = () => {}, genesis = GENESIS) {
  const started = await Promise.all(
    overrides.map((override) => startNodeProxy(({ method }) => override[method] ?? answers[method])),
  )
  proxies.push(...started)
  return createNodes({
    urls: started.map(({ url }) => url),
    chainId: 10,
    genesis,
    limits: { timeout: NODE_TIMEOUT_MS },
    clock: () => now,
    pause: async (ms) => {
      now += ms
      during()
    },
    report: () => {},
  })
}

const answers: Overrides = {
  eth_chainId: { result: '0xa' },
  eth_getBlockByNumber: { result: { hash: GENESIS } },
  eth_gasPrice: { result: 'good' },
}

const gasPrice = async (ask: Ask) => (await ask({ method: 'eth_gasPrice' })) ?? null

describe('nodes', () => {
  it('are asked in their order until one has an answer', async () => {
    const nodes = await nodesWith([{ eth_gasPrice: { result: null } }, { eth_gasPrice: { status: 502 } }, {}])
    expect(await nodes.use(gasPrice)).toBe('good')
  })

  it('have no answer when none of those that answer has one', async () => {
    const nodes = await nodesWith([{ eth_gasPrice: { status: 502 } }, { eth_gasPrice: { result: null } }])
    expect(await nodes.use(gasPrice)).toBeNull()
  })

  it('pass on the error of a node at once, so that Ponder can split a range', async () => {
    const error = { code: -32005, message: 'query returned more than 10000 results' }
    const nodes = await nodesWith([{ eth_gasPrice: { error } }])
    await expect(nodes.use(gasPrice)).rejects.toMatchObject({ code: -32005, details: error.message })
    expect(now).toBe(0)
  })

  it.each([400, 413, 429])('pass on HTTP %i at once, after which Ponder asks for less', async (status) => {
    const nodes = await nodesWith([{ eth_gasPrice: { status } }])
    await expect(nodes.use(gasPrice)).rejects.toMatchObject({ status })
    expect(now).toBe(0)
  })

  it('pass on the error of a node rather than the failures of those before and after', async () => {
    const error = { code: -32005, message: 'query returned more than 10000 results' }
    const dead = { eth_gasPrice: { status: 502 } }
    const nodes = await nodesWith([{ eth_chainId: WRONG_CHAIN(11) }, dead, { eth_gasPrice: { error } }, dead])
    await expect(nodes.use(gasPrice)).rejects.toMatchObject({ code: -32005 })
    await expect(nodes.useAll(gasPrice, ([answer]) => answer ?? null)).rejects.toMatchObject({ code: -32005 })
    expect(now).toBe(0)
  })

  it('name the failure of a node of the chain rather than a node of another chain', async () => {
    const nodes = await nodesWith([{ eth_chainId: WRONG_CHAIN(11) }, { eth_gasPrice: { status: 502 } }])
    await expect(nodes.use(gasPrice)).rejects.toMatchObject({ status: 502 })
  })

  it('are all asked again while their answers contradict each other', async () => {
    const second: Record<string, Answer> = { eth_gasPrice: { result: 'bad' } }
    const nodes = await nodesWith([{}, second], () => {
      if (now >= 3_000) delete second.eth_gasPrice
    })
    const agreed = (answers: readonly unknown[]) => {
      if (new Set(answers).size > 1) throw new Refusal('contradicts another node')
      return answers[0]
    }
    expect(await nodes.useAll(gasPrice, agreed)).toBe('good')
    expect(now).toBe(3_000)
  })

  it('hold a request until one of them can be used again', async () => {
    const first: Record<string, Answer> = { eth_chainId: WRONG_CHAIN(11) }
    const nodes = await nodesWith([first], () => {
      if (now >= 3_000) delete first.eth_chainId
    })
    expect(await nodes.use(gasPrice)).toBe('good')
    expect(now).toBeLessThan(5_000)
  })

  it('hold a request for 12 seconds at most, then name each node and its fault', async () => {
    const nodes = await nodesWith([{ eth_chainId: WRONG_CHAIN(11) }, { eth_chainId: WRONG_CHAIN(12) }])
    await expect(nodes.use(gasPrice)).rejects.toThrow(
      'no node of RPC_URLS can be used: node 1 of 2 serves chain 11, not 10; node 2 of 2 serves chain 12, not 10',
    )
    expect(now).toBe(12_000)
  })

  it('stop a start when none of them serves the chain', async () => {
    const wrong = { eth_chainId: WRONG_CHAIN(11) }
    const dead = { eth_chainId: { status: 502 } }
    await expect((await nodesWith([wrong, dead])).check()).rejects.toThrow(
      'node 1 of 2 serves chain 11, not 10',
    )
    await (await nodesWith([wrong, {}])).check()
    await (await nodesWith([dead])).check()
    const otherGenesis = numberToHex(2, { size: 32 })
    await expect((await nodesWith([{}], () => {}, otherGenesis)).check()).rejects.toThrow('the genesis block')
  })
})

describe('all nodes', () => {
  const joined = (answers: readonly unknown[]) => answers.join()
  const other = { eth_gasPrice: { result: 'other' } }

  it('answer together, without those that fail or serve another chain', async () => {
    const failed = { eth_gasPrice: { status: 502 } }
    const nodes = await nodesWith([failed, {}, { eth_chainId: WRONG_CHAIN(11) }, other])
    expect(await nodes.useAll(gasPrice, joined)).toBe('good,other')
  })

  it('are asked again for up to 12 seconds while no answer can be selected', async () => {
    const nodes = await nodesWith([{}, other])
    const selectedFrom = (time: number) =>
      nodes.useAll(gasPrice, (answers) => {
        if (now < time) throw new Refusal('gives different answers')
        return joined(answers)
      })
    expect(await selectedFrom(3_000)).toBe('good,other')
    expect(now).toBe(3_000)
    await expect(selectedFrom(16_000)).rejects.toThrow('different answers')
    expect(now).toBe(15_000)
  })

  it('fail with the error that one answered with, where none has an answer', async () => {
    const error = { code: -32005, message: 'query returned more than 10000 results' }
    const nodes = await nodesWith([{ eth_gasPrice: { status: 502 } }, { eth_gasPrice: { error } }])
    await expect(nodes.useAll(gasPrice, joined)).rejects.toMatchObject({ code: -32005 })
    expect(now).toBe(0)
  })
})

describe('hashes of blocks', () => {
  it('come from the nodes of the chain alone, and are undefined for a block that is not there', async () => {
    const [other, anvil] = await Promise.all([startAnvil({ chainId: 10 }), startAnvil()])
    const hashAt = blockHashes([other.rpcUrl, anvil.rpcUrl], 31_337)
    expect(await hashAt(0n)).toBe((await anvil.client.getBlock({ blockNumber: 0n })).hash)
    expect(await hashAt(1_000n)).toBeUndefined()
    await Promise.all([other.stop(), anvil.stop()])
  })
})
