/** A prepared execution that can never happen any more is known as such at once, and no other is taken for one. */
import { type Address, createPublicClient, encodeEventTopics, type Hex, http, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import * as prepares from '../support/prepared.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { bearer, readJson } from '../support/sign-in.ts'
import { type FollowedWorld, startFollowedWorld } from './gateway.ts'

const USD = 1_000_000n

let the: FollowedWorld
let token: string
let vault: Hex

beforeAll(async () => {
  the = await startFollowedWorld()
  await the.startIndexer()
  token = await routes.tokenOf(the, the.world.parties.beneficiary)
  vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: 90_000n * USD })
})
afterAll(() => the.stop())

const statusOf = async (id: string) =>
  (await readJson(await the.app.request(`/api/v1/executions/${id}`, bearer(token)))).status

async function newClaim(): Promise<Hex> {
  const { issuer, beneficiary } = the.world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 100n * USD }
  const { claimId } = await act.registerClaim(the.world, terms)
  await the.project()
  await routes.followChain(the)
  return claimId
}

async function prepareRoute(claimId: Hex) {
  const wanted = { claimIds: [claimId], targetAdvance: 20n * USD }
  const { routeId } = await routes.optimizeToRoute(the.app, token, wanted)
  return routes.prepare(the.app, token, routeId)
}

async function prepareDirect(claimId: Hex): Promise<string> {
  const body = { claimId, vault, faceAmount: `${10n * USD}`, deadlineSeconds: 3600 }
  return String((await prepares.prepare(the.app, token, '/executions/prepare', body)).executionId)
}

const submit = (prepared: routes.Prepared) =>
  routes.signAndSubmit(the.world, the.world.parties.beneficiary, prepared)

describe('of two routes with the same nonce', () => {
  it('the other is SUPERSEDED as soon as one is mined, and stays so when that is final', async () => {
    const [one, other] = [await prepareRoute(await newClaim()), await prepareRoute(await newClaim())]
    expect([await statusOf(one.executionId), await statusOf(other.executionId)]).toEqual([
      'PREPARED',
      'PREPARED',
    ])
    await submit(one)
    expect([await statusOf(one.executionId), await statusOf(other.executionId)]).toEqual([
      'MINED',
      'SUPERSEDED',
    ])
    await the.project()
    expect([await statusOf(one.executionId), await statusOf(other.executionId)]).toEqual([
      'EXECUTED',
      'SUPERSEDED',
    ])
  })

  it('the other is PREPARED again when a reorganisation takes the first away', async () => {
    const [one, other] = [await prepareRoute(await newClaim()), await prepareRoute(await newClaim())]
    const before = await the.world.chain.snapshot()
    await submit(one)
    expect(await statusOf(other.executionId)).toBe('SUPERSEDED')
    await the.world.chain.revert({ id: before })
    expect(await statusOf(other.executionId)).toBe('PREPARED')
  })
})

describe('a route with the next nonce', () => {
  it('is PREPARED while the execution before it is not final', async () => {
    const claims = [await newClaim(), await newClaim()] as const
    const first = await prepareRoute(claims[0])
    await submit(first)
    const next = await prepareRoute(claims[1])
    expect(next.typedData.message.nonce).toBe(first.typedData.message.nonce + 1n)
    expect(await statusOf(next.executionId)).toBe('PREPARED')
    await the.project()
    expect(await statusOf(next.executionId)).toBe('PREPARED')
  })
})

describe('of two routes with the same nonce, cancelled', () => {
  const cancel = async () =>
    prepares.sendAll(the.world, await prepares.prepare(the.app, token, '/routes/cancellation/prepare'))

  it('both are CANCELLED at once, and stay so when that is final, until they expire', async () => {
    const [one, other] = [await prepareRoute(await newClaim()), await prepareRoute(await newClaim())]
    const direct = await prepareDirect(await newClaim())
    const statuses = () => Promise.all([one, other].map(({ executionId }) => statusOf(executionId)))
    await cancel()
    expect(await statuses()).toEqual(['CANCELLED', 'CANCELLED'])
    expect(await statusOf(direct)).toBe('PREPARED')
    await expect(submit(one)).rejects.toThrow('InvalidAccountNonce')
    await the.project()
    expect(await statuses()).toEqual(['CANCELLED', 'CANCELLED'])
    const query = `{ execution(executionId: "${one.executionId}") { status legs { legIndex } } }`
    const body = JSON.stringify({ query })
    const headers = { 'Content-Type': 'application/json', ...bearer(token).headers }
    const asked = await the.app.request('/api/v1/graphql', { method: 'POST', headers, body })
    expect((await readJson(asked)).data).toEqual({ execution: { status: 'CANCELLED', legs: [] } })
  })

  it('and one that was prepared afterwards is PREPARED, and executes', async () => {
    const before = await prepareRoute(await newClaim())
    await cancel()
    const after = await prepareRoute(await newClaim())
    expect([await statusOf(before.executionId), await statusOf(after.executionId)]).toEqual([
      'CANCELLED',
      'PREPARED',
    ])
    await submit(after)
    expect([await statusOf(before.executionId), await statusOf(after.executionId)]).toEqual([
      'CANCELLED',
      'MINED',
    ])
  })

  it('are CANCELLED, not SUPERSEDED, where the last final block executed the nonce before', async () => {
    const [first, next] = [await newClaim(), await newClaim()]
    await submit(await prepareRoute(first))
    await the.project()
    await routes.followChain(the)
    const after = await prepareRoute(next)
    await cancel()
    expect(await statusOf(after.executionId)).toBe('CANCELLED')
  })

  it('are CANCELLED, not SUPERSEDED, where a block that is not final executed the nonce before', async () => {
    const [first, next] = [await newClaim(), await newClaim()]
    await submit(await prepareRoute(first))
    const after = await prepareRoute(next)
    await cancel()
    expect(await statusOf(after.executionId)).toBe('CANCELLED')
    await the.project()
    expect(await statusOf(after.executionId)).toBe('CANCELLED')
  })

  it('are SUPERSEDED, not CANCELLED, where a block that is not final cancelled the nonce before', async () => {
    const [first, next] = [await newClaim(), await newClaim()]
    await cancel()
    const [one, other] = [await prepareRoute(first), await prepareRoute(next)]
    await submit(one)
    expect(await statusOf(other.executionId)).toBe('SUPERSEDED')
    await the.project()
    expect(await statusOf(other.executionId)).toBe('SUPERSEDED')
  })

  it('are PREPARED again when a reorganisation takes the cancellation away', async () => {
    const route = await prepareRoute(await newClaim())
    const before = await the.world.chain.snapshot()
    await cancel()
    expect(await statusOf(route.executionId)).toBe('CANCELLED')
    await the.world.chain.revert({ id: before })
    expect(await statusOf(route.executionId)).toBe('PREPARED')
  })

  it('are SUPERSEDED, not CANCELLED, when another route used the nonce before the cancellation', async () => {
    const [one, other] = [await prepareRoute(await newClaim()), await prepareRoute(await newClaim())]
    await submit(one)
    await cancel()
    expect(await statusOf(other.executionId)).toBe('SUPERSEDED')
    await the.project()
    expect(await statusOf(other.executionId)).toBe('SUPERSEDED')
  })
})

describe('of two routes with the same nonce, which another wallet cancelled as its own', () => {
  it('the other is SUPERSEDED, not CANCELLED, once the execution of the one is final', async () => {
    const { stranger } = the.world.parties
    const [one, other] = [await prepareRoute(await newClaim()), await prepareRoute(await newClaim())]
    for (let nonce = 0n; nonce <= one.typedData.message.nonce; nonce += 1n)
      await act.cancelRoutes(the.world, { user: stranger })
    expect(await statusOf(other.executionId)).toBe('PREPARED')
    await submit(one)
    await the.project()
    expect(await statusOf(other.executionId)).toBe('SUPERSEDED')
  })
})

describe('a direct financing', () => {
  it('is SUPERSEDED when a route took its slice of the claim, and not by a financing of another claim', async () => {
    const claimId = await newClaim()
    const elsewhere = await prepareRoute(await newClaim())
    const executionId = await prepareDirect(claimId)
    await submit(elsewhere)
    expect(await statusOf(executionId)).toBe('PREPARED')
    await submit(await prepareRoute(claimId))
    expect(await statusOf(executionId)).toBe('SUPERSEDED')
    await the.project()
    expect(await statusOf(executionId)).toBe('SUPERSEDED')
  })

  it('that is mined is MINED, and the next slice of its claim is PREPARED', async () => {
    const claimId = await newClaim()
    const executionId = await prepareDirect(claimId)
    const { beneficiary } = the.world.parties
    await act.executeFinancing(the.world, { user: beneficiary, claimId, vault, faceAmount: 10n * USD })
    const next = await prepareDirect(claimId)
    expect([await statusOf(executionId), await statusOf(next)]).toEqual(['MINED', 'PREPARED'])
  })
})

describe('a node whose events lag behind its state', () => {
  it("makes one's own mined execution PREPARED, never SUPERSEDED", async () => {
    const { beneficiary: user } = the.world.parties
    const direct = await newClaim()
    const route = await prepareRoute(await newClaim())
    // The node has the events up to this direct financing, which uses no nonce.
    await act.executeFinancing(the.world, { user, claimId: direct, vault, faceAmount: 10n * USD })
    const logs = await executionsAfterFinal(user.address)
    expect(logs).toHaveLength(1)
    await submit(route)
    for (const result of [[], logs]) {
      const lagging = await startNodeProxy(
        ({ method }) => (method === 'eth_getLogs' ? { result } : undefined),
        the.world.rpcUrl,
      )
      const app = the.over(lagging.url)
      const response = await app.request(`/api/v1/executions/${route.executionId}`, bearer(token))
      expect(await readJson(response)).toMatchObject({ status: 'PREPARED' })
      await lagging.stop()
    }
    expect(await statusOf(route.executionId)).toBe('MINED')
  })

  it("makes one's own mined financing PREPARED where the last final block financed the slice before", async () => {
    const claimId = await newClaim()
    const financing = { user: the.world.parties.beneficiary, claimId, vault, faceAmount: 10n * USD }
    const { receipt } = await act.executeFinancing(the.world, financing)
    const next = await prepareDirect(claimId)
    await act.executeFinancing(the.world, financing)
    await the.world.chain.mine({ blocks: 1 })
    const final = receipt.blockNumber
    const projected = await the.ask(
      '{ _meta { finalizedThrough { blockNumber } } }',
      {},
      { 'X-Min-Block': `${final}` },
    )
    expect(projected).toMatchObject({ data: { _meta: { finalizedThrough: { blockNumber: Number(final) } } } })
    const lagging = await startNodeProxy(
      ({ method, params }) => (method === 'eth_getLogs' ? eventsThrough(final, params) : undefined),
      the.world.rpcUrl,
    )
    const response = await the.over(lagging.url).request(`/api/v1/executions/${next}`, bearer(token))
    await lagging.stop()
    expect(await readJson(response)).toMatchObject({ status: 'PREPARED' })
    expect(await statusOf(next)).toBe('MINED')
  })
})

const logsRequest = z.tuple([z.looseObject({ fromBlock: z.templateLiteral(['0x', z.string()]) })])

/** The answer of a node that has no events after a block. */
async function eventsThrough(block: bigint, params: unknown[]) {
  const [filter] = logsRequest.parse(params)
  if (BigInt(filter.fromBlock) > block) return { result: [] }
  const node = createPublicClient({ transport: http(the.world.rpcUrl) })
  const asked = { ...filter, toBlock: numberToHex(block) }
  return { result: await node.request({ method: 'eth_getLogs', params: [asked] }) }
}

/** The raw events `Executed` of a user in blocks that are not final. */
async function executionsAfterFinal(user: Address) {
  const { number } = await the.world.chain.getBlock({ blockTag: 'finalized' })
  const address = the.world.protocol.financingRouter
  const topics = encodeEventTopics({ abi: financingRouterAbi, eventName: 'Executed', args: { user } })
  const range = { fromBlock: numberToHex(number + 1n), toBlock: 'latest' as const }
  const node = createPublicClient({ transport: http(the.world.rpcUrl) })
  return node.request({ method: 'eth_getLogs', params: [{ address, topics, ...range }] })
}
