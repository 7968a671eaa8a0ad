/** The block of a time, on a chain whose blocks come at random: the one that a search through all blocks finds. */
import { createPublicClient, http, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBlockAsOf } from '../../api/chain/block-as-of.ts'
import { createChain } from '../../api/chain/client.ts'
import { seededRandom } from '../../api/domain/random.ts'
import { formatTime } from '../../api/domain/time.ts'
import type { CodedError } from '../../api/errors.ts'
import type { Around, AsOf } from '../../api/projection/past/around.ts'
import type { FinalizedThrough } from '../../api/projection/session/state.ts'
import { ask } from '../indexer/lying-node.ts'
import { startAnvil } from '../support/anvil.ts'
import { rejection } from '../support/coded.ts'
import { diceOf } from '../support/dice.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { startRecordingProxy } from '../support/recording-proxy.ts'

const SEED = Number(process.env.SEED ?? 20_261_127)
const BLOCKS = 300
/** The first block of the protocol. */
const START = 7n

let anvil: Awaited<ReturnType<typeof startAnvil>>
let proxy: Awaited<ReturnType<typeof startRecordingProxy>>
const blocks: FinalizedThrough[] = []

beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startRecordingProxy(anvil.rpcUrl)
  const { client } = anvil
  const dice = diceOf(seededRandom(SEED))
  let { timestamp } = await client.getBlock()
  for (let block = 0; block < BLOCKS; block += 1) {
    // A steady chain, long pauses, and bursts.
    timestamp += BigInt(dice.pick([1, 1, 2, 12, 12, 12, 13, 5_000, 4_000_000]))
    await client.setNextBlockTimestamp({ timestamp })
    await client.mine({ blocks: 1 })
  }
  const { number: last } = await client.getBlock({ blockTag: 'finalized' })
  for (let blockNumber = 0n; blockNumber <= last; blockNumber += 1n)
    blocks.push({ blockNumber, timestamp: (await client.getBlock({ blockNumber })).timestamp })
})
afterAll(async () => {
  await proxy?.stop()
  await anvil?.stop()
})

const isEvent = ({ blockNumber }: FinalizedThrough) => blockNumber >= START && blockNumber % 40n === START
/** As the projection has them: blocks with events, and the last block. */
const projected = () => blocks.filter((block) => isEvent(block) || block === blocks.at(-1))
async function readAround(asOf: AsOf): Promise<Around> {
  const isUntil = ({ blockNumber, timestamp }: FinalizedThrough) =>
    'block' in asOf ? blockNumber <= asOf.block : timestamp <= asOf.time
  const known = projected()
  return { before: known.findLast(isUntil), after: known.find((block) => !isUntil(block)) }
}
const create = (url = proxy.url) => {
  const blockAsOf = createBlockAsOf(createChain({ urls: [url], timeout: NODE_TIMEOUT_MS }), START)
  return (asOf: AsOf) => blockAsOf(asOf, () => readAround(asOf))
}

describe(`the block of a time (seed ${SEED})`, () => {
  it('is the last until then, at every time around every block', async () => {
    const blockAsOf = create()
    const [first, last] = [blocks[Number(START)], blocks.at(-1)]
    if (!first || !last) throw new Error('the chain has no blocks')
    const times = blocks.flatMap(({ timestamp }) => [timestamp - 1n, timestamp, timestamp + 1n])
    for (const time of new Set(times)) {
      if (time < first.timestamp || time >= last.timestamp) continue
      const expected = blocks.findLast(({ timestamp }) => timestamp <= time)
      expect(await blockAsOf({ time })).toEqual(expected)
    }
  })

  it('takes few requests, once for all who ask at once, and none later', async () => {
    const dice = diceOf(seededRandom(SEED))
    for (let draw = 0; draw < 20; draw += 1) {
      const blockAsOf = create()
      const time = BigInt(
        dice.between(Number(blocks[Number(START)]?.timestamp), Number(blocks.at(-1)?.timestamp) - 1),
      )
      proxy.requests.splice(0)
      await Promise.all([blockAsOf({ time }), blockAsOf({ time })])
      // The last block, the first, 12 guesses, and a search by halves through what is left.
      expect(proxy.requests.length).toBeLessThanOrEqual(14 + Math.ceil(Math.log2(BLOCKS)))
      proxy.requests.splice(0)
      await blockAsOf({ time })
      expect(proxy.requests).toEqual([])
    }
  })
})

it('a search that failed is made again', async () => {
  let isOut = true
  const node = await startNodeProxy(() => (isOut ? { status: 503 } : undefined), anvil.rpcUrl)
  const blockAsOf = create(node.url)
  const asOf = { time: blocks[50]?.timestamp ?? 0n }
  expect(await rejection(blockAsOf(asOf))).toBe('CHAIN_UNAVAILABLE')
  isOut = false
  expect(await blockAsOf(asOf)).toEqual(blocks.findLast(({ timestamp }) => timestamp <= asOf.time))
  await node.stop()
})

describe('a block that was found', () => {
  const [early, time] = [() => blocks[Number(START)], () => blocks[50]?.timestamp ?? 0n]
  const expected = () => blocks.findLast(({ timestamp }) => timestamp <= time())

  /** Finds the block of a time twice. @returns how often the blocks around it are read */
  async function readsAround(around: Around): Promise<number> {
    let reads = 0
    const blockAsOf = createBlockAsOf(createChain({ urls: [anvil.rpcUrl], timeout: NODE_TIMEOUT_MS }), START)
    for (let call = 0; call < 2; call += 1) {
      const found = await blockAsOf({ time: time() }, async () => {
        reads += 1
        return around
      })
      expect(found).toEqual(expected())
    }
    return reads
  }

  it('is kept where the projection has a later block, or the block itself', async () => {
    expect(await readsAround({ before: early(), after: blocks.at(-1) })).toBe(1)
    expect(await readsAround({ before: expected(), after: undefined })).toBe(1)
  })

  it('is searched again while an event can follow that its time does not fit', async () => {
    expect(await readsAround({ before: early(), after: undefined })).toBe(2)
  })

  it('is read again once the projection has events that its time does not fit', async () => {
    const [before, block, after] = blocks.slice(49, 52)
    if (!before || !block || !after) throw new Error('the chain has no blocks')
    const wrong = after.timestamp + 1n
    let isLying = true
    const node = await startNodeProxy(async ({ method, params }) => {
      if (!isLying || method !== 'eth_getBlockByNumber' || params[0] !== numberToHex(50)) return undefined
      const honest = await ask(anvil.rpcUrl, { method, params })
      return { result: { ...Object(honest), timestamp: numberToHex(wrong) } }
    }, anvil.rpcUrl)
    const blockAsOf = createBlockAsOf(createChain({ urls: [node.url], timeout: NODE_TIMEOUT_MS }), START)
    const at = (around: Around) => blockAsOf({ block: 50n }, async () => around)
    expect(await at({ before: early(), after: undefined })).toEqual({ blockNumber: 50n, timestamp: wrong })
    isLying = false
    expect(await at({ before, after })).toEqual(block)
    await node.stop()
  })

  it('may be the last final one, by its number', async () => {
    const { number: block, timestamp } = await anvil.client.getBlock({ blockTag: 'finalized' })
    expect(await create()({ block })).toEqual({ blockNumber: block, timestamp })
    expect(await rejection(create()({ block: block + 1n }))).toBe('AS_OF_NOT_FINAL')
  })
})

describe('a node with other times than those of the chain', () => {
  it('moves no time and no block past an event', async () => {
    const dice = diceOf(seededRandom(SEED))
    const lies = new Map(
      blocks.map(({ blockNumber }) => [
        blockNumber,
        BigInt(dice.pick([0, 0, 1, -1, 60, -60, 9_000_000, -9_000_000])),
      ]),
    )
    const honest = createPublicClient({ transport: http(anvil.rpcUrl) })
    const liar = await startNodeProxy(async ({ method, params: [number] }) => {
      if (method !== 'eth_getBlockByNumber' || typeof number !== 'string' || !number.startsWith('0x'))
        return undefined
      const block = await honest.request({
        method: 'eth_getBlockByNumber',
        params: [`0x${number.slice(2)}`, false],
      })
      const time = blocks[Number(number)]?.timestamp ?? 0n
      return { result: { ...block, timestamp: numberToHex(time + (lies.get(BigInt(number)) ?? 0n)) } }
    }, anvil.rpcUrl)
    const blockAsOf = create(liar.url)
    const lastEvent = (isUntil: (block: FinalizedThrough) => boolean) =>
      blocks.filter(isEvent).findLast(isUntil)
    const outcomes = { found: 0, refused: 0 }
    for (const { blockNumber, timestamp: time } of blocks.slice(Number(START), -1)) {
      for (const asOf of [{ time }, { block: blockNumber }]) {
        const found = await blockAsOf(asOf).catch((error: CodedError) => error)
        if (found instanceof Error) {
          expect(found.code).toBe('CHAIN_UNAVAILABLE')
          outcomes.refused += 1
          continue
        }
        outcomes.found += 1
        expect(lastEvent((block) => block.blockNumber <= found.blockNumber)).toEqual(
          lastEvent((block) => block.timestamp <= time),
        )
        expect(lastEvent((block) => block.timestamp <= found.timestamp)).toEqual(
          lastEvent((block) => block.timestamp <= time),
        )
      }
    }
    await liar.stop()
    expect(Math.min(outcomes.found, outcomes.refused)).toBeGreaterThan(20)
  })
})

describe('a block that is not final', () => {
  it('has no past, by number or by time', async () => {
    const blockAsOf = create()
    const { number, timestamp } = await anvil.client.getBlock()
    expect(await rejection(blockAsOf({ block: number }))).toBe('AS_OF_NOT_FINAL')
    expect(await rejection(blockAsOf({ time: timestamp }))).toBe('AS_OF_NOT_FINAL')
    expect(await rejection(blockAsOf({ block: 2n ** 53n - 1n }))).toBe('AS_OF_NOT_FINAL')
    const final = await anvil.client.getBlock({ blockTag: 'finalized' })
    // A block of the same second can follow.
    expect(await rejection(blockAsOf({ time: final.timestamp }))).toBe('AS_OF_NOT_FINAL')
    expect(await rejection(blockAsOf({ time: 0n }))).toBe('VALIDATION_FAILED')
  })

  it('is named with the last final one, and a time before the protocol with its first', async () => {
    const blockAsOf = create()
    const { number, timestamp } = await anvil.client.getBlock({ blockTag: 'finalized' })
    const last = `is not final: the last finalized block is ${number} of ${formatTime(timestamp)}.`
    await expect(blockAsOf({ block: number + 1n })).rejects.toThrow(`Block ${number + 1n} ${last}`)
    await expect(blockAsOf({ time: timestamp })).rejects.toThrow(`The time ${formatTime(timestamp)} ${last}`)
    const first = blocks[Number(START)]?.timestamp ?? 0n
    await expect(blockAsOf({ time: first - 1n })).rejects.toThrow(
      `asOf.time: must not be before the first block of the protocol, ${formatTime(first)}`,
    )
  })
})
