/** Logs that are proven block by block are those that a correct node returns for the range. */
import { setTimeout as pause } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { finalizedTransport } from '../../indexer/finalized-transport.ts'
import { keepLogs } from '../../indexer/kept-logs.ts'
import { createNodes } from '../../indexer/nodes.ts'
import { createProvenRanges, isNearHead } from '../../indexer/proven-ranges.ts'
import { blockByNumber } from '../../indexer/verified-reads.ts'
import { parseRangeFilter } from '../../indexer/verify/filter.ts'
import { logShape } from '../../indexer/verify/log.ts'
import type { Ask } from '../../nodes/connect.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { startWorld } from '../support/protocol.ts'
import { createFundedVault, deposit, registerClaim } from '../support/scenario.ts'
import { nodeAt } from './verify/anvil-block.ts'

const logsShape = z.array(logShape)

let world: Awaited<ReturnType<typeof startWorld>>
let vault: Awaited<ReturnType<typeof createFundedVault>>
let head: bigint
/** First topics that occur. */
let topics: string[]
beforeAll(async () => {
  world = await startWorld()
  const { issuer, beneficiary, provider } = world.parties
  vault = await createFundedVault(world, { token: world.usd, capital: 1000n })
  await deposit(world, { provider, vault, assets: 5n })
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1_000_000n }
  for (let i = 0; i < 15; i++) await registerClaim(world, terms)
  head = await world.chain.getBlockNumber()
  const logs = await world.chain.getLogs({ fromBlock: 0n, toBlock: head })
  topics = [...new Set(logs.flatMap((log) => log.topics[0] ?? []))]
})
afterAll(() => world?.stop())

const parsed = (filter: object) => {
  const range = parseRangeFilter({ fromBlock: '0x1', toBlock: numberToHex(head), ...filter })
  if (!range) throw new Error('the filter has another form')
  return range
}
/** Blocks that are read at once. */
const CONCURRENT_BLOCKS = 10n

const newReader = () => createProvenRanges((ask, height) => blockByNumber(ask, height, false, true))

describe('the proven logs of a range', () => {
  it('are those that the node returns, for every form of filter', async () => {
    const ask = nodeAt(world.rpcUrl)
    const { claimRegistry, vaultRegistry } = world.protocol
    const [first = '', ...others] = topics
    const filters = [
      {},
      { address: claimRegistry },
      { address: [claimRegistry, vault] },
      { address: [world.parties.stranger.address] },
      { topics: [] },
      { topics: [first] },
      { topics: [others] },
      { topics: [null] },
      { address: [vaultRegistry, vault], topics: [topics] },
      {
        address: claimRegistry,
        topics: [first],
        fromBlock: numberToHex(head - 11n),
        toBlock: numberToHex(head - 1n),
      },
    ]
    const read = newReader()
    for (const filter of filters) {
      const params = [{ fromBlock: '0x1', toBlock: numberToHex(head), ...filter }]
      const answered = await ask({ method: 'eth_getLogs', params })
      expect([filter, await read(ask, parsed(filter))]).toEqual([filter, answered])
    }
  })

  it('are requested once for all filters of a range', async () => {
    const asked: string[] = []
    const ask: Ask = (request) => {
      asked.push(JSON.stringify(request))
      return nodeAt(world.rpcUrl)(request)
    }
    const read = newReader()
    for (const topic of topics) await read(ask, parsed({ topics: [topic] }))
    expect(asked.filter((request) => request.includes('eth_getLogs')).length).toBeGreaterThan(15)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('are refused if the node omits one of them', async () => {
    const truth = nodeAt(world.rpcUrl)
    const ask: Ask = async (request) => {
      const answer = await truth(request)
      return request.method === 'eth_getLogs' && Array.isArray(answer) ? answer.slice(1) : answer
    }
    await expect(newReader()(ask, parsed({ address: vault }))).rejects.toThrow('bloom filter denies')
  })

  it('are proven by headers that are read again after a refusal, which may be of another chain', async () => {
    const truth = nodeAt(world.rpcUrl)
    const asked: string[] = []
    let isLying = true
    // Other headers that are read beside that of the lie are answered after it.
    const [lie] = await world.chain.getLogs({ address: vault, fromBlock: 1n, toBlock: head })
    const batchOf = (height: bigint) => (height - 1n) / CONCURRENT_BLOCKS
    const refused = Promise.withResolvers<void>()
    const isLate = ({ method, params }: Parameters<Ask>[0]) => {
      const height = method === 'eth_getBlockByNumber' ? BigInt(String(Object(params)[0])) : undefined
      if (!isLying || !lie || height === undefined || height === lie.blockNumber) return false
      return batchOf(height) === batchOf(lie.blockNumber)
    }
    const answerTo: Ask = async (request) => {
      if (isLate(request)) await refused.promise
      const answer = await truth(request)
      if (request.method === 'eth_getLogs') setTimeout(refused.resolve, 20)
      return isLying && request.method === 'eth_getLogs' && Array.isArray(answer) ? answer.slice(1) : answer
    }
    const answers: Promise<unknown>[] = []
    const ask: Ask = (request) => {
      asked.push(request.method)
      const answer = answerTo(request)
      answers.push(answer)
      return answer
    }
    const read = newReader()
    const range = parsed({ address: vault })
    await expect(read(ask, range)).rejects.toThrow('bloom filter denies')
    await Promise.all(answers)
    await pause(0)
    isLying = false
    asked.length = 0
    await read(ask, range)
    const headersRead = () => asked.filter((method) => method === 'eth_getBlockByNumber').length
    expect(headersRead()).toBe(Number(head))
    await read(ask, range)
    expect(headersRead()).toBe(Number(head))
  })

  it('are null while the node lacks a block', async () => {
    const range = parsed({ toBlock: numberToHex(head + 1n) })
    expect(await newReader()(nodeAt(world.rpcUrl), range)).toBeNull()
  })
})

describe('a range that Ponder requests', () => {
  it('is answered after one that failed', async () => {
    let isFailing = true
    const proxy = await startNodeProxy(({ method }) => {
      if (isFailing && method === 'eth_getLogs') return { error: { code: -32_000, message: 'no logs now' } }
    }, world.rpcUrl)
    onTestFinished(proxy.stop)
    const { chainId } = world
    const urls = [proxy.url]
    const limits = { timeout: NODE_TIMEOUT_MS }
    const clock = Date.now
    const nodes = createNodes({ urls, chainId, genesis: undefined, limits, clock, pause, report: () => {} })
    const { request } = finalizedTransport({ nodes, chainId, clock, verify: true })({ retryCount: 0 })
    await request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
    const { number } = await world.chain.getBlock({ blockTag: 'finalized' })
    const params = [{ fromBlock: '0x1', toBlock: numberToHex(number), address: vault }]
    await expect(request({ method: 'eth_getLogs', params })).rejects.toThrow('no logs now')
    isFailing = false
    expect(logsShape.parse(await request({ method: 'eth_getLogs', params })).length).toBeGreaterThan(0)
  })
})

describe('the logs of a block', () => {
  it('are all of them, or those of the address that the filter names', async () => {
    const { chainId, rpcUrl } = world
    const limits = { timeout: NODE_TIMEOUT_MS }
    const clock = Date.now
    const urls = [rpcUrl]
    const nodes = createNodes({ urls, chainId, genesis: undefined, limits, clock, pause, report: () => {} })
    const { request } = finalizedTransport({ nodes, chainId, clock, verify: true })({ retryCount: 0 })
    const all = await world.chain.getLogs({ fromBlock: 1n, toBlock: head })
    const [deposit] = all.filter(({ address }) => address === vault)
    const blockHash = deposit?.blockHash
    const inBlock = all.filter((log) => log.blockHash === blockHash)
    const addresses = async (filter: object) =>
      logsShape.parse(await request({ method: 'eth_getLogs', params: [filter] })).map((log) => log.address)
    expect(await addresses({ blockHash })).toEqual(inBlock.map(({ address }) => address))
    expect(new Set(await addresses({ blockHash })).size).toBeGreaterThan(1)
    expect(new Set(await addresses({ blockHash, address: vault }))).toEqual(new Set([vault]))
  })
})

describe('kept logs', () => {
  const log = logShape.parse({
    ...{ address: '0x', topics: [], data: '0x', blockHash: '0x', transactionHash: '0x' },
    ...{ blockNumber: '0x1', transactionIndex: '0x0', logIndex: '0x0' },
  })
  const hashes = ['0x01', '0x02', '0x03'] as const

  it('are those of the last blocks, up to the limit, and always those of the last block', () => {
    const kept = keepLogs(5)
    const keptOf = () => hashes.map((hash) => kept.of(hash)?.length)
    kept.keep('0x01', Array(2).fill(log))
    kept.keep('0x02', Array(3).fill(log))
    kept.keep('0x02', Array(3).fill(log))
    expect(keptOf()).toEqual([2, 3, undefined])
    kept.keep('0x03', [log])
    expect(keptOf()).toEqual([undefined, 3, 1])
    kept.keep('0x01', Array(7).fill(log))
    expect(keptOf()).toEqual([7, undefined, undefined])
  })
})

describe('a range', () => {
  it('is near the head if it begins within 500 blocks of it and does not exceed it', () => {
    const range = { first: 101n, last: 600n, addresses: undefined, topics: undefined, bits: [] }
    expect([599n, 600n, 601n].map((at) => isNearHead(range, at))).toEqual([false, true, false])
  })

  it.each([
    { blockHash: `0x${'ab'.repeat(32)}` },
    { fromBlock: 'latest', toBlock: '0x1' },
    { topics: [null, '0xab'] },
    { address: [] },
  ])('is not recognized in %j', (filter) => {
    expect(parseRangeFilter({ fromBlock: '0x1', toBlock: '0x2', ...filter })).toBeUndefined()
  })
})
