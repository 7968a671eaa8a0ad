/** Reads at a pinned block: always a finalized one, always the same one, or an honest refusal. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBalances } from '../../api/chain/balances.ts'
import { type Chain, createChain } from '../../api/chain/client.ts'
import { createPinAt } from '../../api/chain/pin-at.ts'
import { pinFinalizedBlock, pinProjectedBlock } from '../../api/chain/pin-block.ts'
import { freePort } from '../support/anvil.ts'
import { rejection } from '../support/coded.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startWorld } from '../support/protocol.ts'
import { mint } from '../support/scenario/tokens.ts'

const holder = `0x${'56'.repeat(20)}` as const

let world: Awaited<ReturnType<typeof startWorld>>
let chain: Chain
beforeAll(async () => {
  world = await startWorld()
  chain = createChain({ urls: [world.rpcUrl], timeout: NODE_TIMEOUT_MS })
})
afterAll(() => world.stop())

describe('the pinned block', () => {
  it('is the finalized one, however far the latest is ahead', async () => {
    await world.chain.mine({ blocks: 5 })
    const latest = await world.chain.getBlock()
    const pinned = await pinFinalizedBlock(chain)
    const finalized = await world.chain.getBlock({ blockTag: 'finalized' })
    expect(pinned).toMatchObject({
      number: finalized.number,
      hash: finalized.hash,
      timestamp: finalized.timestamp,
    })
    expect(pinned.number).toBeLessThan(latest.number)
  })

  it('of the projection is refused where the node does not know it, or knows another', async () => {
    const { number: blockNumber, timestamp } = await world.chain.getBlock()
    expect(await pinProjectedBlock(chain, { blockNumber, timestamp })).toMatchObject({ number: blockNumber })
    const unknown = [
      { blockNumber: blockNumber + 1000n, timestamp },
      { blockNumber, timestamp: timestamp + 1n },
      { blockNumber, timestamp: timestamp - 1n },
    ]
    for (const projected of unknown) {
      expect(await rejection(pinProjectedBlock(chain, projected))).toBe('CHAIN_UNAVAILABLE')
    }
  })

  it('is asked of the next node when one is down, and of nobody when all are', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`
    const one = createChain({ urls: [dead, world.rpcUrl], timeout: NODE_TIMEOUT_MS })
    expect((await pinFinalizedBlock(one)).number).toBe((await pinFinalizedBlock(chain)).number)
    const none = createChain({ urls: [dead], timeout: NODE_TIMEOUT_MS })
    expect(await rejection(pinFinalizedBlock(none))).toBe('CHAIN_UNAVAILABLE')
  })
})

describe('the pinned block at a block that the caller names', () => {
  const stay = new AbortController().signal
  /** Waits while one block after the other becomes final. */
  const pinAfter = (blocks: number) =>
    createPinAt(chain, async () => {
      await world.chain.mine({ blocks })
      return true
    })

  it('is the named one or a later one, as soon as that is final', async () => {
    const { number } = await pinFinalizedBlock(chain)
    expect((await pinAfter(0)(number, stay)).number).toBe(number)
    expect((await pinAfter(1)(number + 1n, stay)).number).toBe(number + 1n)
    expect((await pinAfter(2)(number + 2n, stay)).number).toBe(number + 3n)
  })

  it('is refused where the block is not final after the wait, and where waiting is vain', async () => {
    const { number } = await pinFinalizedBlock(chain)
    await expect(pinAfter(1)(number + 2n, stay)).rejects.toMatchObject({
      code: 'CHAIN_BEHIND',
      // The last one after the wait.
      facts: { minBlock: Number(number + 2n), blockNumber: Number(number + 1n) },
    })
    const inVain = createPinAt(chain, async () => false)
    expect(await rejection(inVain(number + 2n, stay))).toBe('CHAIN_BEHIND')
  })
})

describe('balances', () => {
  it('are those of the pinned block, in the order of the tokens, whatever happened since', async () => {
    const before = await world.chain.getBlock()
    await mint(world, { token: world.usd, to: holder, amount: 7n })
    const after = await world.chain.getBlock()
    const at = async (block: { number: bigint; timestamp: bigint }) => {
      const pinned = await pinProjectedBlock(chain, { blockNumber: block.number, timestamp: block.timestamp })
      return readBalances(chain, pinned, [holder], [world.eur, world.usd])
    }
    expect(await at(before)).toEqual([[0n, 0n]])
    expect(await at(after)).toEqual([[0n, 7n]])
  })

  it('of no tokens need no call', async () => {
    expect(await readBalances(chain, await pinFinalizedBlock(chain), [holder], [])).toEqual([[]])
  })

  it('are not made up when a contract that should be a token is none', async () => {
    const pinned = await pinFinalizedBlock(chain)
    await expect(readBalances(chain, pinned, [holder], [world.protocol.financingRouter])).rejects.toThrow()
  })
})
