/**
 * Reads of a node that following a transaction costs: one for callers that ask together, and none for a transaction
 * that cannot change any more.
 */
import { encodeEventTopics, type Hex, hexToBigInt, numberToHex, parseEventLogs } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { CALL_GAS_MAX } from '../../api/chain/call-limits.ts'
import { ask } from '../indexer/lying-node.ts'
import { createGateway } from '../support/gateway.ts'
import { type Answer, type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'
import { startWorld } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { bearer, type Requestable, readJson, signIn } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'
import { minedReceipt } from '../support/transactions.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let store: Awaited<ReturnType<typeof createTestStore>>
let node: Awaited<ReturnType<typeof startNodeProxy>>
const requests: RpcRequest[] = []
let answer: (request: RpcRequest) => Answer | Promise<Answer> = () => undefined
let app: Requestable
let headers: ReturnType<typeof bearer>

beforeAll(async () => {
  ;[world, store] = await Promise.all([startWorld(), createTestStore()])
  node = await startNodeProxy((request) => {
    requests.push(request)
    return answer(request)
  }, world.rpcUrl)
})
afterAll(() => Promise.all([node.stop(), store.stop(), world.stop()]))
beforeEach(async () => {
  app = createGateway(store, { rpcUrl: node.url })
  headers = bearer(await signIn(app, world.parties.stranger.key))
  requests.length = 0
  answer = () => undefined
})

const methods = () => requests.map(({ method }) => method)
const replays = () => requests.filter(({ method }) => method === 'eth_call')

async function follow(hash: Hex): Promise<Record<string, unknown>> {
  return readJson(await app.request(`/api/v1/transactions/${hash}`, headers))
}

type Failing = { gas?: bigint; code?: Hex; value?: bigint }

/**
 * Sends what fails: it calls a contract that uses all of its gas, or reverts, or the router with a method it does not
 * have.
 */
async function fail({ gas = 100_000n, code, value = 0n }: Failing = {}): Promise<Hex> {
  const { chain, parties, protocol } = world
  if (code) await chain.setCode({ address: TARGET, bytecode: code })
  const hash = await chain.sendTransaction({
    account: parties.stranger.key,
    to: code ? TARGET : protocol.financingRouter,
    data: '0x12345678',
    gas,
    value,
  })
  expect((await minedReceipt(chain, hash)).status).toBe('reverted')
  return hash
}

const TARGET: Hex = `0x${'abcdef'.padStart(40, '9')}`
/** Uses all gas that it is given. */
const LOOP = '0x5b600056'
const OTHER_BLOCK: Hex = `0x${'cd'.repeat(32)}`
const readOf = (number: bigint) => ({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })
/** Reverts without a word. */
const REVERT = '0x60006000fd'
/** Reverts with its caller and the value of the call. */
const REVERT_WITH_CALLER_AND_VALUE = '0x336000523460205260406000fd'
/** Reverts with 1,200,000 zero bytes, of two characters each. */
const REVERT_WITH_MEGABYTES = '0x62124f806000fd'
/** Reverts with 32 zero bytes. */
const REVERT_WITH_WORD = '0x60206000fd'

describe('a failed transaction', () => {
  it('asked for under three names in one operation is read and replayed once', async () => {
    const hash = await fail()
    const names = [0, 1, 2].map((name) => `t${name}: transaction(hash: "${hash}") { revert { message } }`)
    await app.request('/api/v1/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: `{ ${names.join(' ')} }` }),
    })
    expect(methods().filter((method) => method === 'eth_getTransactionReceipt')).toHaveLength(1)
    expect(replays()).toHaveLength(1)
  })

  it('is replayed once, though its block is not final yet', async () => {
    const hash = await fail({ code: LOOP })
    const first = await follow(hash)
    expect(first).toMatchObject({ status: 'REVERTED', final: false, revert: { errorName: 'UnknownError' } })
    // It emitted nothing, so what it would have called is not known.
    expect(first).toMatchObject({ touchesProtocol: null, claimIds: [], executionIds: [] })
    expect(await follow(hash)).toEqual(first)
    expect(replays()).toHaveLength(1)
  })

  it('that is final is asked of no node again', async () => {
    const hash = await fail()
    await act.finalize(world)
    const first = await follow(hash)
    expect(first).toMatchObject({ status: 'REVERTED', final: true })
    requests.length = 0
    expect(await Promise.all([follow(hash), follow(hash)])).toEqual([first, first])
    expect(methods()).toEqual([])
  })

  it('whose block a reorganisation replaces after its receipt was read is not mined', async () => {
    const hash = await fail()
    const { number } = await world.chain.getBlock()
    const isOfBlock = ({ method, params }: RpcRequest) =>
      method === 'eth_getBlockByNumber' && params[0] === numberToHex(number)
    const replaced = { ...(await ask(world.rpcUrl, readOf(number)).then(Object)), hash: OTHER_BLOCK }
    answer = (request) => (isOfBlock(request) ? { result: replaced } : undefined)
    expect(await follow(hash)).toMatchObject({ status: 'PENDING', block: null })
    answer = () => undefined
    expect(await follow(hash)).toMatchObject({ status: 'REVERTED', block: { number: Number(number) } })
  })

  it('that no node can replay now is replayed again later', async () => {
    const hash = await fail()
    await act.finalize(world)
    answer = ({ method }) => (method === 'eth_call' ? { status: 503 } : undefined)
    expect(await follow(hash)).toMatchObject({ final: true, revert: { errorName: null } })
    answer = () => undefined
    expect(await follow(hash)).toMatchObject({ final: true, revert: { errorName: 'UnknownError' } })
  })

  it('is replayed again when a reorganisation puts it into another block', async () => {
    const { chain, parties } = world
    const before = await chain.snapshot()
    const serializedTransaction = await parties.stranger.key.signTransaction({
      chainId: world.chainId,
      to: TARGET,
      nonce: await chain.getTransactionCount({ address: parties.stranger.address }),
      gas: 90_000n,
      maxFeePerGas: 100_000_000_000n,
    })
    const failWith = async (code: Hex) => {
      await chain.setCode({ address: TARGET, bytecode: code })
      return (await minedReceipt(chain, await chain.sendRawTransaction({ serializedTransaction })))
        .transactionHash
    }
    const hash = await failWith(REVERT)
    expect(await follow(hash)).toMatchObject({ revert: { errorName: 'UnknownError', arguments: [] } })
    await chain.revert({ id: before })
    await chain.mine({ blocks: 1 })
    expect(await failWith(REVERT_WITH_WORD)).toBe(hash)
    expect(await follow(hash)).toMatchObject({ revert: { arguments: [`0x${'0'.repeat(64)}`] } })
  })

  it('is replayed with its own gas, up to the most that a transaction may use', async () => {
    await follow(await fail({ gas: 90_000n, code: REVERT }))
    expect(replays().map(gasOf)).toEqual([90_000n])
    requests.length = 0
    answer = withGasOf(50_000_000n, 30_000n)
    expect(await follow(await fail({ code: REVERT }))).toMatchObject({
      revert: { errorName: 'UnknownError' },
    })
    expect(replays().map(gasOf)).toEqual([CALL_GAS_MAX])
  })

  it('that would have created a contract has no known cause, and is asked of no node once it is final', async () => {
    const { chain, parties } = world
    const hash = await chain.sendTransaction({ account: parties.stranger.key, data: REVERT, gas: 100_000n })
    expect((await minedReceipt(chain, hash)).status).toBe('reverted')
    await act.finalize(world)
    const first = await follow(hash)
    const revert = { errorName: null, arguments: [] }
    expect(first).toMatchObject({ status: 'REVERTED', final: true, to: null, revert })
    requests.length = 0
    expect(await follow(hash)).toEqual(first)
    expect(methods()).toEqual([])
  })

  it('that reverts with more data than is read is replayed once, at one node', async () => {
    const spare = await startNodeProxy((request) => void requests.push(request), world.rpcUrl)
    app = createGateway(store, { rpcUrl: `${node.url},${spare.url}` })
    const hash = await fail({ code: REVERT_WITH_MEGABYTES, gas: 4_000_000n })
    const first = await follow(hash)
    expect(first).toMatchObject({ status: 'REVERTED', revert: { errorName: 'UnknownError', arguments: [] } })
    expect(await follow(hash)).toEqual(first)
    expect(replays()).toHaveLength(1)
    await spare.stop()
  })

  it('is replayed from its sender, with its value', async () => {
    const hash = await fail({ code: REVERT_WITH_CALLER_AND_VALUE, value: 7n })
    const caller = world.parties.stranger.address.slice(2).padStart(64, '0')
    expect(await follow(hash)).toMatchObject({
      revert: { errorName: 'UnknownError', arguments: [`0x${caller}${'7'.padStart(64, '0')}`] },
    })
  })

  it('that used more gas than a replay gets is not replayed: it could fail in another way', async () => {
    answer = withGasOf(50_000_000n, CALL_GAS_MAX / 2n)
    await follow(await fail({ code: REVERT }))
    expect(replays()).toHaveLength(1)
    requests.length = 0
    answer = withGasOf(50_000_000n, CALL_GAS_MAX / 2n + 1n)
    expect(await follow(await fail({ code: REVERT }))).toMatchObject({
      status: 'REVERTED',
      revert: { errorName: null, arguments: [] },
    })
    expect(replays()).toEqual([])
    answer = withGasOf(CALL_GAS_MAX, CALL_GAS_MAX / 2n + 1n)
    await follow(await fail({ code: REVERT }))
    expect(replays().map(gasOf)).toEqual([CALL_GAS_MAX])
  })
})

describe('a transaction that succeeded', () => {
  it('names no claim of an event that another contract emits', async () => {
    const { chain, parties } = world
    const [topic = '0x'] = encodeEventTopics({ abi: claimRegistryAbi, eventName: 'ClaimStateChanged' })
    const claimId = 'ab'.repeat(32)
    // PUSH32 claimId, PUSH32 topic, PUSH1 size, PUSH1 offset, LOG2
    const code: Hex = `0x7f${claimId}7f${topic.slice(2)}60806000a200`
    await chain.setCode({ address: TARGET, bytecode: code })
    const hash = await chain.sendTransaction({ account: parties.stranger.key, to: TARGET })
    const { logs } = await minedReceipt(chain, hash)
    expect(logs.map(({ topics }) => topics)).toEqual([[topic, `0x${claimId}`]])
    expect(parseEventLogs({ abi: claimRegistryAbi, logs })).toMatchObject([
      { eventName: 'ClaimStateChanged' },
    ])
    expect(await follow(hash)).toMatchObject({ touchesProtocol: false, claimIds: [], executionIds: [] })
  })

  it('is read again until its block is final, and then no more', async () => {
    const { chain, parties } = world
    const hash = await chain.sendTransaction({ account: parties.stranger.key, to: parties.payer.address })
    await minedReceipt(chain, hash)
    expect(await follow(hash)).toMatchObject({ status: 'MINED', final: false })
    await act.finalize(world)
    expect(await follow(hash)).toMatchObject({ status: 'FINALIZED', final: true })
    requests.length = 0
    expect(await follow(hash)).toMatchObject({ status: 'FINALIZED', final: true })
    expect(methods()).toEqual([])
  })
})

function gasOf({ params }: RpcRequest): bigint {
  const [{ gas }] = z
    .tuple([z.object({ gas: z.string().startsWith('0x') })])
    .rest(z.unknown())
    .parse(params)
  return hexToBigInt(`0x${gas.slice(2)}`)
}

/** A node of a chain on which a transaction may have more gas than EIP-7825 allows. */
function withGasOf(gas: bigint, gasUsed: bigint): (request: RpcRequest) => Promise<Answer> {
  const changes = new Map([
    ['eth_getTransactionByHash', { gas: numberToHex(gas) }],
    ['eth_getTransactionReceipt', { gasUsed: numberToHex(gasUsed) }],
  ])
  return async ({ method, params }) => {
    const change = changes.get(method)
    if (!change) return undefined
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(world.rpcUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    const { result } = z.object({ result: z.record(z.string(), z.unknown()) }).parse(await response.json())
    return { result: { ...result, ...change } }
  }
}
