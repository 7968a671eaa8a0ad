import { createServer } from 'node:http'
import { createPublicClient, custom, type EIP1193RequestFn, http, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChain } from '../../api/chain/client.ts'
import { createLens } from '../../api/chain/lens.ts'
import type { LensVault } from '../../api/chain/lens-types.ts'
import { pinFinalizedBlock } from '../../api/chain/pin-block.ts'
import { lowercaseAddress } from '../../api/domain/address.ts'
import { freePort } from '../support/anvil.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startWorld } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'

const NOBODY = '0x00000000000000000000000000000000000000aa'
const UNKNOWN = `0x${'12'.repeat(32)}` as const

describe('the lens', () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  const claimIds: `0x${string}`[] = []
  const vaults: `0x${string}`[] = []

  beforeAll(async () => {
    world = await startWorld()
    const { beneficiary, otherBeneficiary, issuer, otherIssuer } = world.parties
    for (const [owner, by, token] of [
      [beneficiary, issuer, world.usd],
      [beneficiary, otherIssuer, world.usd],
      [otherBeneficiary, issuer, world.usd],
      [beneficiary, issuer, world.eur],
    ] as const) {
      const terms = { issuer: by, beneficiary: owner.address, token, faceValue: 1_000_003n, claimType: 2 }
      claimIds.push((await act.registerClaim(world, terms)).claimId)
    }
    for (let index = 0; index < 40; index++) {
      const pricing = { baseDiscountBps: 10 + index, durationBpsPerDay: index % 3, premiumBps: [0, 5, 7] }
      vaults.push((await act.createVault(world, { token: world.usd, pricing })).vault)
    }
    await act.deposit(world, { provider: world.parties.provider, vault: vaults[3] ?? NOBODY, assets: 777n })
    await act.setVaultActive(world, { vault: vaults[4] ?? NOBODY, active: false })
    await act.setIssuerActive(world, { issuer: otherIssuer.address, active: false })
    await act.finalize(world)
  })
  afterAll(() => world.stop())

  const router = () => world.protocol.financingRouter
  const chainOf = (request: EIP1193RequestFn) =>
    createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
  const chain = () => createChain({ urls: [world.rpcUrl], timeout: NODE_TIMEOUT_MS })

  it('says what the contracts say, for every pair at once', async () => {
    const block = await pinFinalizedBlock(chain())
    const query = { claimIds: [...claimIds, UNKNOWN], user: world.parties.beneficiary.address }
    const market = await createLens(chain(), router()).readMarket(block, query)

    expect(market.paused).toBe(false)
    expect(market.claims.map(({ state }) => state)).toEqual([
      'ELIGIBLE',
      'ELIGIBLE',
      'ELIGIBLE',
      'ELIGIBLE',
      'NONE',
    ])
    expect(market.claims.map(({ issuerActive }) => issuerActive)).toEqual([true, false, true, true, false])
    expect(market.claims[0]).toMatchObject({ faceValue: 1_000_003n, claimType: 2, token: world.usd })
    expect(market.vaults.map(({ vault }) => vault)).toEqual(vaults)
    expect(market.vaults[3]).toMatchObject({
      active: true,
      fundableLiquidity: 777n,
      pricing: { baseDiscountBps: 13 },
    })
    expect(market.vaults[4]).toMatchObject({ active: false })
    for (const [index, vault] of vaults.entries()) {
      const { discountAmount } = await act.quoteOf(world, vault, claimIds[0] ?? UNKNOWN, 1_000_003n)
      const expected =
        index === 4 ? { status: 'NOT_ASKED' } : { status: 'ANSWERED', reason: 'NONE', discountAmount }
      expect(market.probes[0]?.[index]).toEqual(expected)
    }
  })

  it('reads the slices of a claim, and quotes the most that each mandate still allows', async () => {
    const id = await world.chain.snapshot()
    const { provider, beneficiary, curator } = world.parties
    const [claimId = UNKNOWN] = claimIds
    const [holder = NOBODY, other = NOBODY] = vaults
    await act.deposit(world, { provider, vault: holder, assets: 1_000_000n })
    const slice = { user: beneficiary, claimId, vault: holder }
    for (const faceAmount of [200_000n, 300_000n]) await act.executeFinancing(world, { ...slice, faceAmount })
    for (const vault of [holder, other])
      await act.setMandate(world, { curator, vault, mandate: { minFace: 7n, maxClaimFace: 500_100n } })
    const read = async () => {
      await act.finalize(world)
      const block = await pinFinalizedBlock(chain())
      const { claims, probes } = await createLens(chain(), router()).readMarket(block, {
        claimIds: [claimId],
      })
      return { allocations: claims[0]?.allocations, probes: probes[0]?.slice(0, 2) }
    }
    const quoted = async (vault: `0x${string}`, face: bigint) => {
      const { reason, discountAmount } = await act.quoteOf(world, vault, claimId, face)
      return { status: 'ANSWERED', reason, discountAmount }
    }

    expect(await read()).toEqual({
      allocations: [
        { vault: holder, faceAmount: 200_000n },
        { vault: holder, faceAmount: 300_000n },
      ],
      probes: [await quoted(holder, 100n), await quoted(other, 500_003n)],
    })
    // The smallest lot, where less is left.
    await act.setMandate(world, {
      curator,
      vault: holder,
      mandate: { minFace: 101n, maxClaimFace: 500_100n },
    })
    const [probe] = (await read()).probes ?? []
    expect(probe).toEqual(await quoted(holder, 101n))
    expect(probe).toMatchObject({ reason: 'ABOVE_MAXIMUM_CLAIM_FACE' })
    await world.chain.revert({ id })
  })

  it('reads what each issuer owes a vault that limits them, and quotes what is left of the limit', async () => {
    const id = await world.chain.snapshot()
    const { provider, beneficiary, curator, otherIssuer } = world.parties
    const [claimId = UNKNOWN, ofOtherIssuer = UNKNOWN] = claimIds
    const [holder = NOBODY, other = NOBODY] = vaults
    await act.deposit(world, { provider, vault: holder, assets: 1_000_000n })
    const { issuer } = await act.claimOf(world, claimId)
    const slice = { user: beneficiary, claimId, vault: holder }
    await act.executeFinancing(world, { ...slice, faceAmount: 200_000n })
    await act.setIssuerActive(world, { issuer: otherIssuer.address, active: true })
    await act.executeFinancing(world, { ...slice, claimId: ofOtherIssuer, faceAmount: 200_100n })
    const limit = { minFace: 7n, maxIssuerFace: 200_300n }
    await act.setMandate(world, { curator, vault: holder, mandate: limit })
    await act.finalize(world)
    const block = await pinFinalizedBlock(chain())
    const lens = createLens(chain(), router())
    const market = await lens.readMarket(block, { claimIds: [claimId, ofOtherIssuer] })
    const owed = new Map([[lowercaseAddress(issuer), 200_000n]])
    const owedByBoth = new Map([...owed, [lowercaseAddress(otherIssuer.address), 200_100n]])
    const facesOf = (vault?: LensVault) => (vault?.readable ? vault.issuerFaces : undefined)
    expect(market.vaults.slice(0, 2).map(facesOf)).toEqual([owedByBoth, new Map()])
    for (const [index, [ofIssuer, left]] of [
      [claimId, 300n] as const,
      [ofOtherIssuer, 200n] as const,
    ].entries()) {
      const { discountAmount } = await act.quoteOf(world, holder, ofIssuer, left)
      expect(market.probes[index]?.[0]).toEqual({ status: 'ANSWERED', reason: 'NONE', discountAmount })
    }
    const leg = { claimId, faceAmount: 301n }
    const { legs } = await lens.readRoute(block, [
      { ...leg, vault: other },
      { ...leg, vault: holder },
    ])
    expect(legs.map(({ vault }) => facesOf(vault))).toEqual([new Map(), owed])
    expect(legs.map(({ quote }) => quote)).toMatchObject([
      { reason: 'NONE' },
      { reason: 'ABOVE_MAXIMUM_ISSUER_FACE' },
    ])
    await world.chain.revert({ id })
  })

  it("asks for no quote of another's claim, of another token or of an unknown claim", async () => {
    const block = await pinFinalizedBlock(chain())
    const query = { claimIds: [...claimIds, UNKNOWN], user: world.parties.beneficiary.address }
    const { probes } = await createLens(chain(), router()).readMarket(block, query)
    const asked = probes.map((row) => row.filter(({ status }) => status !== 'NOT_ASKED').length)
    expect(asked).toEqual([39, 39, 0, 0, 0])
  })

  it('gives the same answer in deployless parts where a node refuses overrides, and asks for them no more', async () => {
    const refusals: string[] = []
    const node = http(world.rpcUrl)({})
    const withoutOverrides = chainOf(async ({ method, params }) => {
      if (Array.isArray(params) && params.length > 2) {
        refusals.push(method)
        throw Object.assign(new Error('too many arguments, want at most 2'), { code: -32602 })
      }
      return node.request({ method, params })
    })
    const block = await pinFinalizedBlock(chain())
    const query = { claimIds, user: world.parties.beneficiary.address }
    const lens = createLens(withoutOverrides, router())
    const expected = await createLens(chain(), router()).readMarket(block, query)

    expect(await lens.readMarket(block, query)).toEqual(expected)
    expect(refusals).toHaveLength(2)
    expect(await lens.readMarket(block, query)).toEqual(expected)
    expect(refusals).toHaveLength(2)
  })

  it('gives the same answer in parts where a node ignores overrides', async () => {
    const node = http(world.rpcUrl)({})
    const ignoring = chainOf(({ method, params }) =>
      node.request({ method, params: Array.isArray(params) ? params.slice(0, 2) : params }),
    )
    const block = await pinFinalizedBlock(chain())
    const query = { claimIds, user: world.parties.beneficiary.address }
    const expected = await createLens(chain(), router()).readMarket(block, query)
    expect(await createLens(ignoring, router()).readMarket(block, query)).toEqual(expected)
  })

  it('gives the same answer in parts where a node knows overrides, but refuses all quotes in one call', async () => {
    const sizes: number[] = []
    const node = http(world.rpcUrl)({})
    const impatient = chainOf(async ({ method, params }) => {
      const size = JSON.stringify(await node.request({ method, params })).length / 2
      sizes.push(size)
      if (size > 12_000) throw Object.assign(new Error('out of gas'), { code: -32000 })
      return node.request({ method, params })
    })
    const block = await pinFinalizedBlock(chain())
    // With five claims the parts are of 144 vaults, of which the halves are odd from the fourth on.
    const query = { claimIds: [...claimIds, UNKNOWN], user: world.parties.beneficiary.address }
    const expected = await createLens(chain(), router()).readMarket(block, query)
    expect(await createLens(impatient, router()).readMarket(block, query)).toEqual(expected)
    expect(Math.max(...sizes.slice(1))).toBeGreaterThan(12_000)
  })

  it('reads legs at their exact face, alike in both modes', async () => {
    const block = await pinFinalizedBlock(chain())
    const [claimId = UNKNOWN] = claimIds
    const [vault = NOBODY] = vaults
    const legs = [{ claimId, vault, faceAmount: 12_345n }]
    const { paused, legs: views } = await createLens(chain(), router()).readRoute(block, legs)
    const { discountAmount } = await act.quoteOf(world, vault, claimId, 12_345n)
    expect({ paused, quote: views[0]?.quote }).toEqual({
      paused: false,
      quote: { status: 'ANSWERED', reason: 'NONE', discountAmount },
    })
    expect(await createLens(chain(), router(), 'deployless').readRoute(block, legs)).toEqual({
      paused,
      legs: views,
    })
  })

  it('reads the pinned block however far the chain has moved on', async () => {
    const block = await pinFinalizedBlock(chain())
    await act.deposit(world, { provider: world.parties.provider, vault: vaults[5] ?? NOBODY, assets: 999n })
    await act.travelDays(world, 2)
    const { vaults: read } = await createLens(chain(), router()).readMarket(block, { claimIds })
    expect(read[5]).toMatchObject({ fundableLiquidity: 0n })
  })

  it('says CHAIN_UNAVAILABLE when a node runs the call at another time than that of the block', async () => {
    const block = await pinFinalizedBlock(chain())
    const [claimId = UNKNOWN] = claimIds
    const [vault = NOBODY] = vaults
    for (const timestamp of [block.timestamp - 1n, block.timestamp + 1n]) {
      const other = { ...block, timestamp }
      const lens = createLens(chain(), router())
      const reads = [
        () => lens.readMarket(other, { claimIds }),
        () => lens.readRoute(other, [{ claimId, vault, faceAmount: 12_345n }]),
        () => createLens(chain(), router(), 'deployless').readMarket(other, { claimIds }),
      ]
      for (const read of reads) await expect(read()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    }
  })

  it('says CHAIN_UNAVAILABLE when a node runs one of several parts at another time', async () => {
    const node = http(world.rpcUrl)({})
    const block = await pinFinalizedBlock(chain())
    let parts = 0
    const lensWithLate = (late: number) => {
      parts = 0
      const partly = chainOf(({ method, params }) => {
        const [call, at]: unknown[] = Array.isArray(params) ? params : []
        parts += 1
        if (parts !== late) return node.request({ method, params })
        const time = { time: numberToHex(block.timestamp + 1n) }
        return node.request({ method: 'eth_call', params: [call, at, {}, time] })
      })
      return createLens(partly, router(), 'deployless').readMarket(block, { claimIds })
    }
    expect((await lensWithLate(0)).vaults).toHaveLength(40)
    const all = parts
    expect(all).toBeGreaterThan(2)
    for (let late = 1; late <= all; late += 1)
      await expect(lensWithLate(late)).rejects.toMatchObject({
        code: 'CHAIN_UNAVAILABLE',
        message: `A node answered for another time than that of block ${block.number}.`,
      })
  })

  it('answers about the others when a vault cannot be read', async () => {
    const [broken = NOBODY] = vaults.slice(6)
    const code = await world.chain.getCode({ address: broken })
    await world.chain.setCode({ address: broken, bytecode: '0xfe' })
    await act.finalize(world)
    const block = await pinFinalizedBlock(chain())
    const market = await createLens(chain(), router()).readMarket(block, { claimIds })
    await world.chain.setCode({ address: broken, bytecode: code ?? '0x' })
    expect(market.vaults[6]).toEqual({ vault: broken, readable: false })
    expect(market.vaults[7]).toMatchObject({ readable: true })
    expect(market.probes[0]?.[6]).toEqual({ status: 'NOT_ASKED' })
  })

  it('says CHAIN_UNAVAILABLE when the block is not one of the chain', async () => {
    const block = await pinFinalizedBlock(chain())
    const gone = { ...block, hash: UNKNOWN }
    const read = createLens(chain(), router()).readMarket(gone, { claimIds })
    await expect(read).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  })

  it.each([
    ['limits its callers', { status: 429, body: '{}' }],
    ['fails', { status: 502, body: 'bad gateway' }],
    ['lacks the block', { status: 200, body: rpcError(-32000, 'header not found') }],
    ['lacks the state', { status: 200, body: rpcError(-32000, 'missing trie node') }],
    ['is over its limit', { status: 200, body: rpcError(-32005, 'limit exceeded') }],
    ['fails inside', { status: 200, body: rpcError(-32603, 'internal error') }],
    ['does not answer in time', 'never'],
  ] as const)('asks the next node when one %s', async (_, answer) => {
    const faulty = await startFaultyNode(answer)
    const block = await pinFinalizedBlock(chain())
    const query = { claimIds, user: world.parties.beneficiary.address }
    const expected = await createLens(chain(), router()).readMarket(block, query)
    // Long enough for the second node, which answers, on a busy machine too; the first one takes all of it.
    const timeout = answer === 'never' ? 15_000 : NODE_TIMEOUT_MS
    const both = createChain({ urls: [faulty.url, world.rpcUrl], timeout })
    expect(await createLens(both, router()).readMarket(block, query)).toEqual(expected)
    expect(await pinFinalizedBlock(both)).toMatchObject({ hash: expect.any(String) })
    const alone = createLens(createChain({ urls: [faulty.url], timeout: 300 }), router())
    await expect(alone.readMarket(block, query)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    await faulty.stop()
  })

  it('says CHAIN_UNAVAILABLE when the node that pinned is gone and the other one has another block there', async () => {
    const other = await startWorld()
    const { number } = await pinFinalizedBlock(chain())
    await other.chain.mine({ blocks: Number(number) + 5 })
    const block = await pinFinalizedBlock(chain())
    const fallen = createChain({ urls: ['http://127.0.0.1:1', other.rpcUrl], timeout: NODE_TIMEOUT_MS })
    const read = createLens(fallen, router()).readMarket(block, { claimIds })
    await expect(read).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    await other.stop()
  })

  it('asks the next node when one is down, and says CHAIN_UNAVAILABLE when all are', async () => {
    const block = await pinFinalizedBlock(chain())
    const dead = 'http://127.0.0.1:1'
    const second = createChain({ urls: [dead, world.rpcUrl], timeout: NODE_TIMEOUT_MS })
    expect((await createLens(second, router()).readMarket(block, { claimIds: [] })).vaults).toHaveLength(40)
    const none = createLens(createChain({ urls: [dead], timeout: NODE_TIMEOUT_MS }), router())
    await expect(none.readMarket(block, { claimIds: [] })).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
    })
  })
})

function rpcError(code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } })
}

/** A node that answers everything in one way, or nothing at all. */
async function startFaultyNode(answer: { status: number; body: string } | 'never') {
  const server = createServer((_, response) => {
    if (answer === 'never') return
    response.writeHead(answer.status, { 'Content-Type': 'application/json' })
    response.end(answer.body)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}
