/** Messages of the watch of the head to the operator, and the blocks that it keeps in memory. */
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ANSWER_BYTES_MAX } from '../../api/chain/call-limits.ts'
import { createChain } from '../../api/chain/client.ts'
import { pinFinalizedBlock } from '../../api/chain/pin-block.ts'
import { connectHead } from '../../api/head/connect.ts'
import { abisOf } from '../../api/head/event.ts'
import { createFinality } from '../../api/head/finality.ts'
import { readHead } from '../../api/head/header.ts'
import { type Memory, readView } from '../../api/head/read-view.ts'
import { type HeadWatch, watchHead } from '../../api/head/watch-head.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { createEmptyProjection } from '../support/empty-projection.ts'
import { until } from '../support/indexer.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { startWorld } from '../support/protocol.ts'

const deployment = loadManifest(31_337)
const abis = abisOf(deployment)
const known = { vaults: async () => [], parties: async () => new Map() }

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  // A block is final when 16 more follow it.
  world = await startWorld({ slotsInAnEpoch: 8 })
  await world.chain.mine({ blocks: 60 })
})
afterAll(() => world.stop())

function notedLog() {
  const messages: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void messages.push(JSON.parse(line).msg) })
  return { messages, log }
}

const chainAt = (url: string) => createChain({ urls: [url], timeout: 60_000 })

/** A watch through a node that has no latest block while it is out. */
async function watchThrough(clock = () => performance.now(), intervalMs = 5) {
  const state = { isOut: false, polls: 0 }
  const node = await startNodeProxy(({ method, params }) => {
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return undefined
    state.polls += 1
    return state.isOut ? { result: null } : undefined
  }, world.rpcUrl)
  const { messages, log } = notedLog()
  const watch = watchHead({ chain: chainAt(node.url), abis, known }, { intervalMs, clock, log })
  onTestFinished(async () => {
    watch.close()
    await node.stop()
  })
  /** Polls one after the other: of four that begin, three have ended. */
  const poll = async () => {
    const before = state.polls
    await until(async () => state.polls >= before + 4)
  }
  return { state, messages, watch, poll }
}

describe('an outage of the nodes', () => {
  it('is reported once, and the next one again', async () => {
    const { state, messages, watch, poll } = await watchThrough()
    await until(async () => watch.latest() !== undefined)
    for (const outages of [1, 2]) {
      state.isOut = true
      await poll()
      state.isOut = false
      await poll()
      expect(messages).toHaveLength(outages)
    }
  })

  it('ends a wait for another head once the view of the latest block is too old', async () => {
    let now = 0
    const { state, watch, poll } = await watchThrough(() => now)
    await until(async () => watch.latest() !== undefined)
    state.isOut = true
    let isChanged: boolean | undefined
    void watch.changed(watch.latest()?.head.hash, new AbortController().signal).then((changed) => {
      isChanged = changed
    })
    now = 30_000
    await poll()
    expect([watch.latest() === undefined, isChanged]).toEqual([false, undefined])
    now = 30_001
    await poll()
    expect([watch.latest() === undefined, isChanged]).toEqual([true, true])
  })

  it('does not lengthen the pauses between polls any more after a few of them', async () => {
    const { state } = await watchThrough(undefined, 1)
    state.isOut = true
    // A pause that was doubled each time would take a minute after the sixteenth poll.
    await until(async () => state.polls >= 20)
  })
})

let projection: Awaited<ReturnType<typeof createEmptyProjection>>
beforeAll(async () => {
  projection = await createEmptyProjection()
  await projection.admin.query(`
    create table projection.vault (address text);
    grant select on projection.vault to public`)
})
afterAll(() => projection.drop())

function watchPlanning(
  planningDelaySeconds: number,
  url = world.rpcUrl,
): { watch: HeadWatch; messages: string[] } {
  const { messages, log } = notedLog()
  const pool = createPool(projection.urls.gateway, 1)
  const settings = { rpcUrls: [url], rpcTimeoutMs: 60_000, headPollMs: 5, planningDelaySeconds }
  const watch = connectHead(settings, { deployment, db: createProjectionDb(pool), log })
  onTestFinished(async () => {
    watch.close()
    await pool.end()
  })
  return { watch, messages }
}

describe('blocks that take longer to become final than routes are planned for', () => {
  it('are reported once, and not as long as they take just that time', async () => {
    const [latest, final] = await Promise.all([
      world.chain.getBlock(),
      world.chain.getBlock({ blockTag: 'finalized' }),
    ])
    const age = Number(latest.timestamp - final.timestamp)
    const within = watchPlanning(age)
    const beyond = watchPlanning(age - 1)
    const both = [within, beyond]
    await until(async () => both.every(({ watch }) => watch.latest() !== undefined))
    expect(both.map(({ messages }) => messages.length)).toEqual([0, 1])
    expect(beyond.messages[0]).toContain('raise it, or optimize refuses most requests')
    for (let block = 0; block < 2; block += 1) {
      await world.chain.mine({ blocks: 1, interval: 60 })
      const { hash } = await world.chain.getBlock()
      await until(async () => beyond.watch.latest()?.head.hash === hash)
    }
    expect(beyond.messages).toHaveLength(1)
  })
})

describe('a block with megabytes of events', () => {
  it('ends no view', async () => {
    const { hash } = await world.chain.getBlock()
    const large = {
      address: deployment.contracts.claimRegistry,
      topics: [`0x${'77'.repeat(32)}`],
      data: `0x${'00'.repeat(ANSWER_BYTES_MAX)}`,
      blockHash: hash,
      blockNumber: '0x1',
      transactionHash: `0x${'88'.repeat(32)}`,
      transactionIndex: '0x0',
      logIndex: '0x0',
      removed: false,
    }
    const node = await startNodeProxy(
      ({ method, params: [filter] }) =>
        method === 'eth_getLogs' && Object(filter).blockHash === hash ? { result: [large] } : undefined,
      world.rpcUrl,
    )
    onTestFinished(node.stop)
    const { watch, messages } = watchPlanning(Number.MAX_SAFE_INTEGER, node.url)
    await until(async () => watch.latest() !== undefined || messages.length > 0)
    expect(messages).toEqual([])
    expect(watch.latest()?.head.hash).toBe(hash)
  })
})

describe('the memory of a watch', () => {
  it('has the blocks of the last view, and no block that the view does not have any more', async () => {
    const chain = chainAt(world.rpcUrl)
    const memory: Memory = { blocks: new Map(), vaults: new Set() }
    const look = async () => {
      const [head, finalized] = await Promise.all([readHead(chain), pinFinalizedBlock(chain)])
      const { headers } = await readView({ chain, abis, known }, head, finalized, memory, createFinality())
      return headers.map(({ hash }) => hash)
    }
    const before = await look()
    await world.chain.mine({ blocks: 5 })
    const after = await look()
    expect(after).not.toContain(before[0])
    expect([...memory.blocks.keys()].toSorted()).toEqual(after.toSorted())
  })
})
