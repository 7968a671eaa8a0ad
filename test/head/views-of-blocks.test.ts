/** The view of two blocks whose logs a node answers: the order of its events, their subjects, and those left out. */
import { getEventListeners } from 'node:events'
import { pino } from 'pino'
import {
  type Abi,
  encodeAbiParameters,
  encodeEventTopics,
  getAbiItem,
  getAddress,
  type Hex,
  numberToHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
import { createChain } from '../../api/chain/client.ts'
import { connectHead } from '../../api/head/connect.ts'
import { abisOf } from '../../api/head/event.ts'
import { createFinality } from '../../api/head/finality.ts'
import type { Header } from '../../api/head/header.ts'
import { readView } from '../../api/head/read-view.ts'
import { type EventFilter, matching, selectEvents } from '../../api/head/unfinalized.ts'
import { NO_HEAD, watchHead } from '../../api/head/watch-head.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { loadManifest } from '../../deployments/manifest.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { claimId, hashOf, other, wallet } from './views.ts'

const manifest = loadManifest(31_337)
const abis = abisOf(manifest)
const { claimRegistry, vaultRegistry } = manifest.contracts
const vault = `0x${'ab'.repeat(20)}` as const
const otherVault = `0x${'ac'.repeat(20)}` as const
const lender = `0x${'ad'.repeat(20)}` as const
const heir = `0x${'ae'.repeat(20)}` as const

type Emitted = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }

function emit(address: Hex, abi: Abi, eventName: string, args: Readonly<Record<string, unknown>>): Emitted {
  const event = getAbiItem({ abi, name: eventName })
  if (event?.type !== 'event') throw new Error(`no event ${eventName}`)
  const topics = encodeEventTopics({ abi, eventName, args }).flatMap((topic) => topic ?? [])
  const plain = event.inputs.filter((input) => !input.indexed)
  const values = plain.map(({ name }) => args[name ?? ''])
  return { address, topics, data: encodeAbiParameters(plain, values) }
}

const transfer = (of: Hex, from: Hex, to: Hex) =>
  emit(of, financingVaultAbi, 'Transfer', { from, to, value: 1n })
const changed = emit(claimRegistry, claimRegistryAbi, 'ClaimStateChanged', { claimId, from: 1, to: 2 })
const registered = emit(vaultRegistry, vaultRegistryAbi, 'VaultRegistered', {
  vault,
  token: hashOf(7).slice(0, 42),
  curator: lender,
  name: 'Vault',
  symbol: 'V',
  noticePeriod: 0,
  mandate: {
    supportedTypesBitmap: 1n,
    minDurationDays: 0,
    maxDurationDays: 1,
    minFace: 1n,
    maxFace: 1n,
    maxClaimFace: 1n,
    maxIssuerFace: 1n,
  },
  pricing: { baseDiscountBps: 0, durationBpsPerDay: 0, premiumBps: [] },
})

/** The blocks 0 to 2. Block 0 is final. */
const headerOf = (number: number): Header => ({
  number: BigInt(number),
  hash: hashOf(1000 + number),
  parentHash: hashOf(999 + number),
  timestamp: BigInt(number),
})

/** Logs of the blocks by hash, with addresses as the node writes them. */
let logs: ReadonlyMap<unknown, readonly Emitted[]> = new Map()

function logsOf({ blockHash, address: wanted }: { blockHash: Hex; address: readonly string[] }) {
  const all = (logs.get(blockHash) ?? []).map((log, place) => ({
    ...log,
    blockHash,
    blockNumber: '0x1',
    transactionHash: hashOf(9),
    transactionIndex: '0x0',
    logIndex: numberToHex(place),
    removed: false,
  }))
  return all.filter(({ address }) => wanted.includes(address.toLowerCase()))
}

/** Names of the blocks by number. */
const TAGS = ['finalized', '', 'latest']
let node: Awaited<ReturnType<typeof startNodeProxy>>
beforeAll(async () => {
  node = await startNodeProxy(({ method, params: [first] }) => {
    if (method === 'eth_chainId') return { result: numberToHex(31_337) }
    if (method === 'eth_getLogs') return { result: logsOf(Object(first)) }
    const named = [0, 1, 2].map(headerOf).find(({ hash }, number) => hash === first || TAGS[number] === first)
    const { number, timestamp, ...hashes } = named ?? headerOf(0)
    return { result: { ...hashes, number: numberToHex(number), timestamp: numberToHex(timestamp) } }
  })
})
afterAll(() => node.stop())

/** @param vaults of the projection */
async function viewOf(
  one: readonly Emitted[],
  two: readonly Emitted[],
  vaults: readonly Hex[],
  parties: ReadonlyMap<Hex, readonly Hex[]> = new Map(),
) {
  logs = new Map([
    [headerOf(1).hash, one],
    [headerOf(2).hash, two],
  ])
  const known = { vaults: async () => vaults, parties: async () => parties }
  const memory = { blocks: new Map(), vaults: new Set<Hex>() }
  return readView({ chain: connect(), abis, known }, headerOf(2), headerOf(0), memory, createFinality())
}

const connect = () => createChain({ urls: [node.url], timeout: 60_000 })

it('has the events of a vault in the order of the chain in the block that registers the vault', async () => {
  const own = [transfer(vault, wallet, other), registered, transfer(vault, other, wallet), changed]
  const { events } = await viewOf(own, [], [])
  expect(events.map(({ logIndex, name }) => [logIndex, name])).toEqual([
    [0, 'Transfer'],
    [1, 'VaultRegistered'],
    [2, 'Transfer'],
    [3, 'ClaimStateChanged'],
  ])
})

it('has the events of a block in the order of the chain, whichever of several requests returns them', async () => {
  const others = Array.from({ length: 600 }, (_, number): Hex => `0x${`${number}`.padStart(40, '0')}`)
  const own = [transfer(vault, wallet, other), changed, transfer(vault, other, wallet)]
  const { events } = await viewOf(own, [], [...others, vault])
  expect(events.map(({ logIndex, name }) => [logIndex, name])).toEqual([
    [0, 'Transfer'],
    [1, 'ClaimStateChanged'],
    [2, 'Transfer'],
  ])
})

it('has the events of contracts whose addresses the node writes with letters of both cases', async () => {
  const address = getAddress(vault)
  expect(address).not.toBe(vault)
  const { events } = await viewOf([{ ...transfer(vault, wallet, other), address }], [], [vault])
  expect(events.map((event) => event.vault)).toEqual([vault])
})

it('has each event under its wallets, its claim and its vault', async () => {
  const view = await viewOf([transfer(vault, wallet, other)], [changed], [vault])
  const namesOf = (filter: EventFilter) =>
    selectEvents(view, 0n, matching(filter)).events.map(({ name }) => name)
  const found = [{ wallet }, { wallet: other }, { vault }, { claimId }, { wallet: lender }].map(namesOf)
  expect(found).toEqual([['Transfer'], ['Transfer'], ['Transfer'], ['ClaimStateChanged'], []])
})

it('names what it has left out of a block, also after a later block displaces more of it', async () => {
  const first = Array.from({ length: 201 }, () => transfer(vault, wallet, other))
  const displaced = transfer(otherVault, lender, heir)
  const later = Array.from({ length: 200 }, () => displaced)
  const view = await viewOf([...first, displaced], later, [vault, otherVault])
  expect(view.events).toHaveLength(400)
  expect(view.leftOut).toEqual(new Set([wallet, other, vault, lender, heir, otherVault]))
})

it('has an event of a claim under the parties that the projection has of it', async () => {
  const view = await viewOf([changed], [], [], new Map([[claimId, [lender, heir]]]))
  expect(view.events.map(({ wallets }) => wallets)).toEqual([[lender, heir]])
})

describe('a wait for another head', () => {
  const log = pino({ level: 'silent' })

  it('ends with false when the watch is closed, and leaves nothing at the signal of its request', async () => {
    const known = { vaults: async () => [], parties: async () => new Map() }
    const options = { intervalMs: 60_000, clock: () => 0, log }
    const watch = watchHead({ chain: connect(), abis, known }, options)
    const { signal } = new AbortController()
    expect(await watch.changed(undefined, signal)).toBe(true)
    const changed = watch.changed(watch.latest()?.head.hash, signal)
    watch.close()
    expect(await changed).toBe(false)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('ends with the view that is shown again, once its head is read again after half a minute', async () => {
    let now = 0
    const known = { vaults: async () => [], parties: async () => new Map() }
    const options = { intervalMs: 5, clock: () => now, log }
    const watch = watchHead({ chain: connect(), abis, known }, options)
    onTestFinished(watch.close)
    const { signal } = new AbortController()
    await watch.changed(undefined, signal)
    const view = watch.latest()
    now = 30_001
    expect(watch.latest()).toBeUndefined()
    expect(await watch.changed(undefined, signal)).toBe(true)
    expect(watch.latest()).toBe(view)
  })

  it('ends with its request where the gateway does not watch the head, also if that has ended before', async () => {
    const db = createProjectionDb(createPool('postgres://nobody@127.0.0.1:1/none', 1))
    const settings = { rpcUrls: [node.url], rpcTimeoutMs: 1, headPollMs: 0, planningDelaySeconds: 0 }
    const watch = connectHead(settings, { deployment: manifest, db, log })
    expect(watch).toBe(NO_HEAD)
    const leaving = new AbortController()
    const changed = watch.changed(undefined, leaving.signal)
    leaving.abort()
    const ended = Promise.all([changed, watch.changed(undefined, AbortSignal.abort())])
    const waits = new Promise((resolve) => setImmediate(() => resolve('it waits')))
    expect(await Promise.race([ended, waits])).toEqual([false, false])
  })
})
