/** The answers of a node about one block are checked against the block's hash, with real blocks of anvil. */
import fc from 'fast-check'
import { type Hex, keccak256, toRlp } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { blockByHash, blockByNumber, logsOfBlock } from '../../../indexer/verified-reads.ts'
import { type Block, parseBlock, requireOwnHash } from '../../../indexer/verify/block.ts'
import { type Header, headerShape } from '../../../indexer/verify/header.ts'
import { type Log, logShape } from '../../../indexer/verify/log.ts'
import { requireLogsOf } from '../../../indexer/verify/logs.ts'
import { receiptsRoot, receiptsShape } from '../../../indexer/verify/receipts.ts'
import type { Ask } from '../../../nodes/connect.ts'
import { Refusal } from '../../../nodes/refusal.ts'
import { startNodeProxy } from '../../support/node-proxy.ts'
import { assertProperty } from '../../support/property.ts'
import { startWorld } from '../../support/protocol.ts'
import { blockOf, mineAllTypes, nodeAt } from './anvil-block.ts'

/** Fields of a header whose bytes its hash covers. */
const FIELDS = headerShape.omit({ hash: true }).keyof().options

let world: Awaited<ReturnType<typeof startWorld>>
let plain: Awaited<ReturnType<typeof startNodeProxy>>
let ask: Ask
/** Serves no receipts. */
let askPlain: Ask
let block: Block
let header: Header
let logs: Log[]
beforeAll(async () => {
  world = await startWorld()
  plain = await startNodeProxy(
    ({ method }) =>
      method === 'eth_getBlockReceipts' ? { error: { code: -32601, message: 'no such method' } } : undefined,
    world.rpcUrl,
  )
  ask = nodeAt(world.rpcUrl)
  askPlain = nodeAt(plain.url)
  const blockHash = await mineAllTypes(world)
  block = await blockOf(world.rpcUrl, blockHash)
  header = headerShape.parse(block)
  logs = z.array(logShape).parse(await ask({ method: 'eth_getLogs', params: [{ blockHash }] }))
})
afterAll(async () => {
  await plain.stop()
  await world.stop()
})

/** Replaces one byte, or one digit of an integer. */
function changed(value: Hex, at: number, by: number): Hex {
  const place = 2 + (at % (value.length - 2))
  const digit = (Number.parseInt(value.charAt(place), 16) + 1 + (by % 15)) % 16
  return `0x${value.slice(2, place)}${digit.toString(16)}${value.slice(place + 1)}`
}

const anyChange = () => ({ at: fc.nat(), by: fc.nat() })

describe('a block', () => {
  it.each([
    ['a lower one', 0n, 2n],
    ['a higher one', 2n, 0n],
  ])('is refused where the node gives %s', async (_, given, asked) => {
    const start = BigInt(header.number) - 2n
    const other = await blockByNumber(ask, start + given, false, true)
    const read = blockByNumber(async () => other, start + asked, false, true)
    await expect(read).rejects.toThrow(`gives block ${start + given} where ${start + asked} was asked for`)
  })

  it('is refused where its hash is not the one that is requested', async () => {
    const other = await blockByNumber(ask, 1n, false, true)
    const read = blockByHash(async () => other, header.hash, false, true)
    await expect(read).rejects.toThrow(`where ${header.hash} was asked for`)
    expect(await blockByHash(ask, header.hash, false, true)).toMatchObject({ hash: header.hash })
  })

  it('that is final and that a node lacks has no logs, but a refusal', async () => {
    const lacking: Ask = ({ method }) => Promise.resolve(method === 'eth_getLogs' ? [] : null)
    await expect(logsOfBlock(lacking, header.hash)).rejects.toThrow(
      `does not have block ${header.hash}, which is final`,
    )
  })
})

describe('a header', () => {
  it('of every block of anvil has the hash that the node gives', async () => {
    const last = Number(header.number)
    for (let number = 0; number <= last; number++) {
      const answer = await ask({ method: 'eth_getBlockByNumber', params: [`0x${number.toString(16)}`, true] })
      expect(() => requireOwnHash(parseBlock(answer))).not.toThrow()
    }
  })

  it('is refused with any digit of any field changed', () => {
    const fields = FIELDS.filter((field) => (header[field] ?? '0x').length > 2)
    expect(fields.length).toBeGreaterThan(18)
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.record(anyChange()), (field, { at, by }) => {
        const value = header[field] ?? '0x'
        const other = { ...block, [field]: changed(value, at, by) }
        expect(() => requireOwnHash(parseBlock(other))).toThrow(Refusal)
      }),
    )
  })

  it('is refused without any of its fields', () => {
    for (const field of FIELDS) {
      expect(() => requireOwnHash(parseBlock({ ...block, [field]: undefined }))).toThrow(Refusal)
    }
  })
})

describe('the logs of a block', () => {
  it('are proven by receipts of transactions of types 0, 1, 2 and 4', async () => {
    const receipts = receiptsShape.parse(await ask({ method: 'eth_getBlockReceipts', params: [block.hash] }))
    expect(receipts.map(({ type }) => type).sort()).toEqual(['0x0', '0x1', '0x2', '0x4'])
    expect(await receiptsRoot(receipts)).toBe(header.receiptsRoot)
    expect(logs).toHaveLength(14)
    await requireLogsOf(header, logs, ask)
  })

  it('are accepted from a node without receipts if they have the bloom filter of the header', async () => {
    await requireLogsOf(header, logs, askPlain)
  })

  it('are refused when there are none, by either node', async () => {
    for (const node of [ask, askPlain]) {
      await expect(requireLogsOf(header, [], node)).rejects.toThrow(/bloom filter denies/)
    }
  })

  it('are refused if one is missing or doubled, or if the order differs', async () => {
    for (const i of logs.keys()) {
      await expect(requireLogsOf(header, logs.toSpliced(i, 1), ask)).rejects.toThrow(Refusal)
    }
    await expect(requireLogsOf(header, [...logs, ...logs.slice(-1)], ask)).rejects.toThrow(
      /than its receipts/,
    )
    await expect(requireLogsOf(header, logs.toReversed(), ask)).rejects.toThrow(/than its receipts/)
  })

  it('are refused with any digit of any field changed', async () => {
    const fields = logShape.omit({ topics: true }).keyof().options
    await assertProperty(
      fc.asyncProperty(
        fc.nat(logs.length - 1),
        fc.constantFrom(...fields),
        fc.record(anyChange()),
        async (i, field, { at, by }) => {
          const log = logs[i]
          if (!log) throw new Error('there is no such log')
          const other = logs.with(i, { ...log, [field]: changed(log[field], at, by) })
          await expect(requireLogsOf(header, other, ask)).rejects.toThrow(Refusal)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('are refused with any digit of a topic changed, also by a node without receipts', async () => {
    const withTopics = [...logs.keys()].filter((i) => logs[i]?.topics.length)
    await assertProperty(
      fc.asyncProperty(fc.constantFrom(...withTopics), fc.record(anyChange()), async (i, { at, by }) => {
        const log = logs[i]
        const topic = log?.topics[0]
        if (!log || !topic) throw new Error('there is no such topic')
        const other = logs.with(i, { ...log, topics: [changed(topic, at, by), ...log.topics.slice(1)] })
        await expect(requireLogsOf(header, other, ask)).rejects.toThrow(Refusal)
        await expect(requireLogsOf(header, other, askPlain)).rejects.toThrow(Refusal)
      }),
      { numRuns: 50 },
    )
  })

  it('are refused when the receipts that prove them are not those of the block', async () => {
    const parent = await ask({ method: 'eth_getBlockReceipts', params: [header.parentHash] })
    const lying = await startNodeProxy(
      ({ method }) => (method === 'eth_getBlockReceipts' ? { result: parent } : undefined),
      world.rpcUrl,
    )
    await expect(requireLogsOf(header, logs, nodeAt(lying.url))).rejects.toThrow(/the root of its header/)
    await lying.stop()
  })

  it('are not proven where a node fails to give the receipts', async () => {
    const failing = await startNodeProxy(
      ({ method }) => (method === 'eth_getBlockReceipts' ? { status: 502 } : undefined),
      world.rpcUrl,
    )
    await expect(requireLogsOf(header, logs, nodeAt(failing.url))).rejects.toMatchObject({ status: 502 })
    await failing.stop()
  })

  it('are accepted by their bloom filter where a receipt has a type of a rollup', async () => {
    const receipts = z
      .array(z.looseObject({}))
      .parse(await ask({ method: 'eth_getBlockReceipts', params: [block.hash] }))
    const ofRollup = receipts.map((receipt) => ({ ...receipt, type: '0x7e' }))
    const rollup = await startNodeProxy(
      ({ method }) => (method === 'eth_getBlockReceipts' ? { result: ofRollup } : undefined),
      world.rpcUrl,
    )
    await requireLogsOf(header, logs, nodeAt(rollup.url))
    await rollup.stop()
  })
})

it('a receipt before Byzantium has the root of the state where later ones have the status', async () => {
  const root = `0x${'5a'.repeat(32)}` as const
  const bloom = `0x${'00'.repeat(256)}` as const
  const receipt = { root, cumulativeGasUsed: '0x5208', logsBloom: bloom, transactionHash: root, logs: [] }
  // The trie of one receipt is a leaf: the rest of its path, which is the key 0x80, and its value.
  const leaf = toRlp(['0x2080', toRlp([root, '0x5208', bloom, []])])
  expect(await receiptsRoot(receiptsShape.parse([receipt]))).toBe(keccak256(leaf))
})
