/** Answers about blocks are checked against the hash of the header, whichever request of Ponder they are for. */
import { setTimeout as pause } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { finalizedTransport } from '../../indexer/finalized-transport.ts'
import { createNodes } from '../../indexer/nodes.ts'
import type { Request } from '../../nodes/connect.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { type Answer, startNodeProxy } from '../support/node-proxy.ts'
import { startWorld } from '../support/protocol.ts'
import { createVault, finalize } from '../support/scenario.ts'
import { nodeAt } from './verify/anvil-block.ts'

const NO_BLOOM = `0x${'00'.repeat(256)}`
const blockShape = z.looseObject({ hash: z.string(), logsBloom: z.string() })

let world: Awaited<ReturnType<typeof startWorld>>
/** Omits all logs, with blocks whose headers have none, and serves no receipts, which would contain them. */
let node: Awaited<ReturnType<typeof startNodeProxy>>
let reports: string[] = []
beforeAll(async () => {
  world = await startWorld()
  // The head has logs.
  await createVault(world, { token: world.usd })
  await finalize(world)
  node = await startNodeProxy(withoutLogs, world.rpcUrl)
})
afterEach(() => {
  reports = []
})
afterAll(async () => {
  await node?.stop()
  await world?.stop()
})

async function withoutLogs({ method, params }: Request): Promise<Answer> {
  if (method === 'eth_getLogs') return { result: [] }
  if (method === 'eth_getBlockReceipts') return { error: { code: -32601, message: 'no such method' } }
  if (!method.startsWith('eth_getBlockBy')) return undefined
  const block = blockShape.nullable().parse(await truth({ method, params }))
  return { result: block && { ...block, logsBloom: NO_BLOOM } }
}

function truth(request: Request): Promise<unknown> {
  return nodeAt(world.rpcUrl)(request)
}

function transportOver(urls: readonly string[], verify: boolean) {
  const { chainId } = world
  const nodes = createNodes({
    urls,
    chainId,
    genesis: undefined,
    limits: { timeout: NODE_TIMEOUT_MS },
    clock: Date.now,
    pause,
    report: (message) => void reports.push(message),
  })
  return finalizedTransport({ nodes, chainId, clock: Date.now, verify })({ retryCount: 0 })
}

describe('a node that changes a header', () => {
  type Asked = { latest: string; hash: string }
  const REQUESTS: readonly [string, (asked: Asked) => Request][] = [
    ['the head', () => ({ method: 'eth_getBlockByNumber', params: ['latest', true] })],
    ['the head without transactions', () => ({ method: 'eth_getBlockByNumber', params: ['latest', false] })],
    ['a block by its number', ({ latest }) => ({ method: 'eth_getBlockByNumber', params: [latest, false] })],
    ['a block by its hash', ({ hash }) => ({ method: 'eth_getBlockByHash', params: [hash, true] })],
    ['the logs of a block', ({ hash }) => ({ method: 'eth_getLogs', params: [{ blockHash: hash }] })],
  ]

  it.each(REQUESTS)('is not used for %s, unless headers are not checked', async (_, requestOf) => {
    const { number, hash } = await world.chain.getBlock({ blockTag: 'finalized' })
    const request = requestOf({ latest: numberToHex(number), hash })
    const ask = async (urls: readonly string[], verify: boolean) =>
      JSON.stringify(await transportOver(urls, verify).request(request))
    const answer = await ask([world.rpcUrl], true)
    expect(await ask([node.url, world.rpcUrl], true)).toBe(answer)
    expect(reports).toEqual([
      expect.stringMatching(
        /^node 1 of 2 gives block \d+ with a hash that its header does not have; it is not used$/,
      ),
    ])
    expect(await ask([node.url, world.rpcUrl], false)).not.toBe(answer)
  })
})
