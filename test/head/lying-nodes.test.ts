/** A node that lies about the head gets no view, and the last good one stays. */

import { pino } from 'pino'
import { type Address, type Hex, toEventSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createChain } from '../../api/chain/client.ts'
import { EVERYONE } from '../../api/head/bound.ts'
import { abisOf } from '../../api/head/event.ts'
import { createFinality } from '../../api/head/finality.ts'
import { BLOCKS_MAX, readHead } from '../../api/head/header.ts'
import { type Memory, readView } from '../../api/head/read-view.ts'
import { matching, selectEvents } from '../../api/head/unfinalized.ts'
import { watchHead } from '../../api/head/watch-head.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { createRpcBatch } from '../../devnet/rpc.ts'
import { until } from '../support/indexer.ts'
import { type Answer, type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'
import { startWorld } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld({ slotsInAnEpoch: 8 })
  await world.chain.mine({ blocks: 40 })
})
afterAll(() => world.stop())

const NOBODY = async (): Promise<ReadonlyMap<Hex, readonly Address[]>> => new Map()

type Lie = (request: RpcRequest, answer: Record<string, unknown>) => unknown

/** Watches through a node that lies on request, with the rows and the clock of the test. */
async function watchLiar({
  parties = NOBODY,
  vaults = [],
  clock = () => performance.now(),
}: {
  parties?: typeof NOBODY
  vaults?: readonly Address[]
  clock?: () => number
} = {}) {
  let lie: Lie | undefined
  const requests: RpcRequest[] = []
  const answer = async (request: RpcRequest): Promise<Answer> => {
    requests.push(request)
    const current = lie
    if (!current) return undefined
    const { method, params } = request
    const [truth] = await createRpcBatch(world.rpcUrl)([[method, params]])
    const lied = current(request, Object(truth))
    return lied === undefined ? { result: truth } : { result: lied }
  }
  const node = await startNodeProxy(answer, world.rpcUrl)
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const chain = createChain({ urls: [node.url], timeout: 60_000 })
  const known = {
    vaults: async () => vaults,
    parties,
  }
  const watch = watchHead(
    { chain, abis: abisOf(loadManifest(31_337)), known },
    { intervalMs: 10, clock, log },
  )
  onTestFinished(async () => {
    watch.close()
    await node.stop()
  })
  await until(async () => watch.latest() !== undefined)
  return {
    watch,
    requests,
    warnings,
    lieAs: (next: Lie | undefined) => {
      lie = next
    },
  }
}

const isLatest = ({ method, params }: RpcRequest) =>
  method === 'eth_getBlockByNumber' && params[0] === 'latest'

function ownTerms() {
  const { issuer, beneficiary } = world.parties
  return { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 1000n }
}

async function register(): Promise<Hex> {
  return (await act.registerClaim(world, ownTerms())).claimId
}

const LIES: Record<string, Lie> = {
  'names a head whose parent has another number': (request, answer) =>
    isLatest(request) ? { ...answer, hash: `0x${'11'.repeat(32)}`, number: '0xffffffffffff' } : undefined,
  'answers another block than the parent that is asked for': (request, answer) => {
    if (isLatest(request))
      return { ...answer, hash: `0x${'22'.repeat(32)}`, parentHash: `0x${'33'.repeat(32)}` }
    return request.method === 'eth_getBlockByHash' ? { ...answer, hash: `0x${'44'.repeat(32)}` } : undefined
  },
  'has logs of a contract that was not asked for': (request) =>
    request.method === 'eth_getLogs' ? [logOf(request, `0x${'55'.repeat(20)}`)] : undefined,
  'has logs of another block': (request) =>
    request.method === 'eth_getLogs'
      ? [{ ...logOf(request, world.protocol.claimRegistry), blockHash: `0x${'66'.repeat(32)}` }]
      : undefined,
}

function logOf({ params: [filter] }: RpcRequest, address: Address) {
  return {
    address,
    topics: [`0x${'77'.repeat(32)}`],
    data: '0x',
    blockHash: Object(filter).blockHash,
    blockNumber: '0x1',
    transactionHash: `0x${'88'.repeat(32)}`,
    transactionIndex: '0x0',
    logIndex: '0x0',
    removed: false,
  }
}

describe('a node that lies about the head', () => {
  it.each(Object.entries(LIES))(
    'and %s changes nothing, and the truth is shown afterwards',
    async (_, lie) => {
      const { watch, warnings, lieAs } = await watchLiar()
      const before = watch.latest()?.head.hash
      lieAs(lie)
      const claimId = await register()
      await until(async () => warnings.length > 0)
      expect(watch.latest()?.head.hash).toBe(before)
      lieAs(undefined)
      await until(async () => watch.latest()?.events.some((event) => event.claimId === claimId) ?? false)
    },
  )

  it('invents an event that no ABI has, of a contract of the protocol: it is left out', async () => {
    const { watch, lieAs } = await watchLiar()
    lieAs((request) =>
      request.method === 'eth_getLogs' ? [logOf(request, world.protocol.claimRegistry)] : undefined,
    )
    await register()
    const { hash } = await world.chain.getBlock()
    await until(async () => watch.latest()?.head.hash === hash)
    expect(watch.latest()?.events.filter(({ block }) => block.hash === hash)).toEqual([])
  })

  it('answers the logs of a block in another order: its events are in that of the chain', async () => {
    const { watch, lieAs } = await watchLiar()
    lieAs((request, answer) =>
      request.method === 'eth_getLogs' && Array.isArray(answer) ? answer.toReversed() : undefined,
    )
    const claimId = await register()
    const eventsOf = () => watch.latest()?.events.filter((event) => event.claimId === claimId) ?? []
    await until(async () => eventsOf().length > 0)
    expect(eventsOf().map(({ name }) => name)).toEqual(['ClaimRegistered', 'ClaimStateChanged'])
  })

  it('goes back to an ancestor: the head that was seen stays', async () => {
    const { watch, requests, lieAs } = await watchLiar()
    await register()
    const { hash, parentHash } = await world.chain.getBlock()
    await until(async () => watch.latest()?.head.hash === hash)
    const [parent] = await createRpcBatch(world.rpcUrl)([['eth_getBlockByHash', [parentHash, false]]])
    lieAs((request) => (isLatest(request) ? parent : undefined))
    const polled = requests.length
    await until(async () => requests.slice(polled).filter(isLatest).length > 5)
    expect(watch.latest()?.head.hash).toBe(hash)
  })
})

describe('a watch', () => {
  it('shows a head for 15 seconds after it was reported last, and then an ancestor of it', async () => {
    let now = 0
    const { watch, requests, lieAs } = await watchLiar({ clock: () => now })
    await register()
    const { hash, parentHash } = await world.chain.getBlock()
    await until(async () => watch.latest()?.head.hash === hash)
    const [parent] = await createRpcBatch(world.rpcUrl)([['eth_getBlockByHash', [parentHash, false]]])
    /** Polls one after the other: of three that begin, two have ended. */
    const polls = async () => {
      const known = requests.length
      await until(async () => requests.slice(known).filter(isLatest).length >= 3)
    }
    now = 10_000
    await polls()
    lieAs((request) => (isLatest(request) ? parent : undefined))
    now = 25_000
    await polls()
    expect(watch.latest()?.head.hash).toBe(hash)
    now = 25_001
    await until(async () => watch.latest()?.head.hash === parentHash)
  })

  it('has each event of a vault once that a block of the view registers and the projection has', async () => {
    const chain = createChain({ urls: [world.rpcUrl], timeout: 60_000 })
    const before = await readHead(chain)
    const vault = await act.createFundedVault(world, { token: world.usd, capital: 1000n })
    const known = { vaults: async () => [vault], parties: NOBODY }
    const sources = { chain, abis: abisOf(loadManifest(31_337)), known }
    const memory: Memory = { blocks: new Map(), vaults: new Set() }
    const view = await readView(sources, await readHead(chain), before, memory, createFinality())
    const places = view.events.map(({ block, logIndex }) => `${block.number} ${logIndex}`)
    expect(view.events.map(({ name }) => name)).toContain('VaultRegistered')
    expect(new Set(places).size).toBe(places.length)
  })

  it('has the events of a vault that its first block is later than, as soon as the projection has the vault', async () => {
    const { vault } = await act.createVault(world, { token: world.usd })
    await world.chain.mine({ blocks: 40 })
    await act.deposit(world, { provider: world.parties.provider, vault, assets: 1000n })
    const chain = createChain({ urls: [world.rpcUrl], timeout: 60_000 })
    const head = await readHead(chain)
    const memory: Memory = { blocks: new Map(), vaults: new Set() }
    const eventsWith = async (...vaults: readonly Address[]) => {
      const known = { vaults: async () => vaults, parties: NOBODY }
      const sources = { chain, abis: abisOf(loadManifest(31_337)), known }
      const { events } = await readView(sources, head, head, memory, createFinality())
      return events.filter((event) => event.vault === vault).map(({ name }) => name)
    }
    // The other contract is known from the beginning.
    const other = world.protocol.financingRouter
    expect(await eventsWith(other)).toEqual([])
    expect(await eventsWith(other, vault)).toEqual(['Transfer', 'Deposit'])
  })

  it('has the events of a vault in each block after the one that registers it', async () => {
    const chain = createChain({ urls: [world.rpcUrl], timeout: 60_000 })
    const before = await readHead(chain)
    const vault = await act.createFundedVault(world, { token: world.usd, capital: 1000n })
    const sources = {
      chain,
      abis: abisOf(loadManifest(31_337)),
      known: { vaults: async () => [], parties: NOBODY },
    }
    const memory: Memory = { blocks: new Map(), vaults: new Set() }
    const view = await readView(sources, await readHead(chain), before, memory, createFinality())
    const names = view.events.filter((event) => event.vault === vault).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['VaultRegistered', 'Transfer', 'Deposit']))
  })

  it('has no view of a head that does not descend from the finalized block', async () => {
    const chain = createChain({ urls: [world.rpcUrl], timeout: 60_000 })
    const head = await readHead(chain)
    const sources = {
      chain,
      abis: abisOf(loadManifest(31_337)),
      known: { vaults: async () => [], parties: NOBODY },
    }
    const viewOver = (finalized: Parameters<typeof readView>[2]) =>
      readView(sources, head, finalized, { blocks: new Map(), vaults: new Set() }, createFinality())
    const parent = await world.chain.getBlock({ blockHash: head.parentHash })
    expect((await viewOver(parent)).head).toEqual(head)
    await expect(viewOver({ ...parent, hash: head.hash })).rejects.toThrow('does not descend')
    await expect(viewOver({ ...head, number: head.number + 1n })).rejects.toThrow('does not descend')
  })

  it('reads the events of more contracts than one request may name', async () => {
    const vault = await act.createFundedVault(world, { token: world.usd, capital: 1000n })
    const { hash } = await world.chain.getBlock()
    const vaults = Array.from(
      { length: 1200 },
      (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`,
    )
    const { watch, requests } = await watchLiar({ vaults: [...vaults, vault] })
    const logs = requests.filter(({ method, params }) => {
      return method === 'eth_getLogs' && Object(params[0]).blockHash === hash
    })
    const addresses: string[][] = logs.map(({ params }) => Object(params[0]).address)
    expect(addresses.map(({ length }) => length).slice(0, 2)).toEqual([500, 500])
    expect(addresses.flat()).toEqual(expect.arrayContaining([...vaults, vault]))
    const deposits = watch
      .latest()
      ?.events.filter((event) => event.name === 'Deposit' && event.vault === vault)
    expect(deposits).toHaveLength(1)
  })

  it('reads a block again whose parties the database could not name', async () => {
    const { claimId } = await act.registerClaim(world, ownTerms())
    // The view of the next head does not have the registration.
    await world.chain.mine({ blocks: BLOCKS_MAX })
    let isLost = false
    const parties = async (): Promise<ReadonlyMap<Hex, readonly Address[]>> => {
      if (!isLost) return new Map()
      isLost = false
      throw new Error('the database is lost')
    }
    // A clock that stands still never lets an ancestor of the head become the head.
    const { watch } = await watchLiar({ parties, clock: () => 0 })
    isLost = true
    const { issuer } = world.parties
    await act.revokeClaim(world, { issuer, claimId })
    await until(async () => watch.latest()?.events.some((event) => event.claimId === claimId) ?? false)
    expect(isLost).toBe(false)
  })

  it('names the parties of a claim in each later event, also while its registration is not final', async () => {
    const { watch } = await watchLiar()
    const { issuer, beneficiary } = world.parties
    const claimId = await register()
    await act.revokeClaim(world, { issuer, claimId })
    const eventsOf = () => watch.latest()?.events.filter((event) => event.claimId === claimId) ?? []
    await until(async () => eventsOf().some(({ name }) => name === 'ClaimStateChanged'))
    for (const { wallets } of eventsOf()) expect(wallets).toContain(beneficiary.address.toLowerCase())
  })

  it('reports that the view is too old to those who wait for a change', async () => {
    let now = 0
    const { watch, lieAs } = await watchLiar({ clock: () => now })
    const seen = watch.latest()?.head.hash
    const changed = watch.changed(seen, new AbortController().signal)
    lieAs((request) => (isLatest(request) ? null : undefined))
    now = 30_000
    expect(watch.latest()?.head.hash).toBe(seen)
    now = 30_001
    expect(watch.latest()).toBeUndefined()
    expect(await changed).toBe(true)
  })
})

describe('a chain whose blocks are full of events', () => {
  it('keeps no more events than the view shows, and says so to everyone', async () => {
    const vault: Address = `0x${'aa'.repeat(20)}`
    const wallet = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
    let next = 1
    const transfers = (request: RpcRequest) =>
      Array.from({ length: 500 }, (_, place) => ({
        ...logOf(request, vault),
        topics: [toEventSelector('Transfer(address,address,uint256)'), wallet(next++), wallet(next++)],
        data: wallet(1),
        logIndex: `0x${place.toString(16)}`,
      }))
    const node = await startNodeProxy(
      (request) => (request.method === 'eth_getLogs' ? { result: transfers(request) } : undefined),
      world.rpcUrl,
    )
    onTestFinished(node.stop)
    const chain = createChain({ urls: [node.url], timeout: 60_000, answerBytesMax: 32 << 20 })
    const known = { vaults: async () => [vault], parties: NOBODY }
    const memory: Memory = { blocks: new Map(), vaults: new Set() }
    const head = await readHead(chain)
    const finalized = await world.chain.getBlock({ blockNumber: head.number - 4n })
    const sources = { chain, abis: abisOf(loadManifest(31_337)), known }
    const view = await readView(sources, head, finalized, memory, createFinality())
    expect(view.events).toHaveLength(2_000)
    const kept = [...memory.blocks.values()].flatMap(({ events }) => events)
    expect(kept).toHaveLength(2_000)
    expect(view.leftOut).toEqual(new Set([EVERYONE]))
    expect(selectEvents(view, 0n, matching({ wallet: vault })).isTruncated).toBe(true)
  })
})

describe('the requests of a watch', () => {
  it('are three for a block with events: the head, the finalized block, the logs', async () => {
    const { watch, requests } = await watchLiar()
    const known = requests.length
    await world.chain.mine({ blocks: 1 })
    const { hash } = await world.chain.getBlock()
    await until(async () => watch.latest()?.head.hash === hash)
    const others = requests.slice(known).filter((request) => !isLatest(request))
    expect(others.map(({ method }) => method)).toEqual(['eth_getBlockByNumber', 'eth_getLogs'])
  })

  it(`are bounded by ${BLOCKS_MAX} blocks, however far the head is ahead`, async () => {
    await world.chain.mine({ blocks: 500 })
    const { requests, watch } = await watchLiar()
    expect(requests.filter(({ method }) => method === 'eth_getLogs').length).toBeLessThanOrEqual(BLOCKS_MAX)
    expect(watch.latest()?.headers.length).toBeLessThanOrEqual(BLOCKS_MAX)
  })
})
