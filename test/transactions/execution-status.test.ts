/** A wallet polls its execution from the moment it was prepared: the answer is never a step behind, nor ahead. */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNodeProxy } from '../support/node-proxy.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { bearer, readJson } from '../support/sign-in.ts'
import { type FollowedWorld, startFollowedWorld } from './gateway.ts'

const USD = 1_000_000n
const UNKNOWN = `0x${'ab'.repeat(32)}`

describe('GET /executions/:executionId', () => {
  let the: FollowedWorld
  let token: string
  let vault: Hex

  beforeAll(async () => {
    the = await startFollowedWorld()
    await the.startIndexer()
    token = await routes.tokenOf(the, the.world.parties.beneficiary)
    vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: 9_000n * USD })
  })
  afterAll(() => the.stop())

  const getWith = (id: string, headers: Record<string, string>) =>
    Promise.resolve(the.app.request(`/api/v1/executions/${id}`, { headers }))
  const get = (id: string, headers: Record<string, string> = {}) =>
    getWith(id, { ...bearer(token).headers, ...headers })
  const statusOf = async (id: string) => (await readJson(await get(id))).status

  const newClaim = async () => {
    const { issuer, beneficiary } = the.world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 100n * USD }
    return (await act.registerClaim(the.world, terms)).claimId
  }

  const prepareRoute = async () => {
    const claimIds = [await newClaim()]
    await the.project()
    await routes.followChain(the)
    const wanted = { claimIds, targetAdvance: 50n * USD, routeDeadlineSeconds: 60 }
    const { routeId } = await routes.optimizeToRoute(the.app, token, wanted)
    return routes.prepare(the.app, token, routeId)
  }

  it('says PREPARED, then MINED with legs and totals, then EXECUTED with the same', async () => {
    const { beneficiary, relayer } = the.world.parties
    const prepared = await prepareRoute()
    const { executionId } = prepared
    expect(await readJson(await get(executionId))).toMatchObject({
      executionId,
      status: 'PREPARED',
      user: beneficiary.address,
      deadline: prepared.deadline,
    })

    await routes.signAndSubmit(the.world, beneficiary, prepared, relayer)
    const { status, finalizedThrough: _, ...mined } = await readJson(await get(executionId))
    expect({ status, ...mined }).toMatchObject({
      status: 'MINED',
      kind: 'ROUTE',
      user: beneficiary.address,
      submitter: relayer.address,
      legs: [{ legIndex: 0, vault, claimId: prepared.legs[0]?.claimId }],
      totalAdvance: String(prepared.totals.totalAdvance),
    })
    await the.project()
    const { finalizedThrough: __, ...executed } = await readJson(await get(executionId))
    expect(executed).toEqual({ ...mined, status: 'EXECUTED' })
  })

  it('says EXPIRED once a block is past the deadline, and goes on saying so', async () => {
    const { executionId, deadline } = await prepareRoute()
    const lastSecond = BigInt(Date.parse(deadline) / 1000)
    await act.travelTo(the.world, lastSecond)
    expect(await statusOf(executionId)).toBe('PREPARED')
    await act.travelTo(the.world, lastSecond + 1n)
    expect(await statusOf(executionId)).toBe('EXPIRED')
    await the.project()
    the.line.cut()
    expect(await statusOf(executionId)).toBe('EXPIRED')
    the.line.mend()
  })

  it('does not exist for any other caller until it is on chain', async () => {
    const { beneficiary, stranger } = the.world.parties
    const strange = bearer(await routes.tokenOf(the, stranger)).headers
    const invalid = { Authorization: 'Bearer none' }
    const prepared = await prepareRoute()
    const own = await readJson(await get(prepared.executionId))
    const asked: string[] = []
    const node = await startNodeProxy(({ method }) => void asked.push(method), the.world.rpcUrl)
    const app = the.over(node.url)
    const answerOf = async (id: string, headers: Record<string, string>) => {
      asked.length = 0
      const response = await app.request(`/api/v1/executions/${id}`, { headers })
      const { requestId: _, ...problem } = await readJson(response)
      const text = JSON.stringify(problem).replaceAll(id, '')
      return { status: response.status, text, work: [...asked] }
    }
    // A new gateway asks its node once which chain it is of.
    await answerOf(UNKNOWN, {})
    const query = 'query ($id: Hash!) { execution(executionId: $id) { status user { address } deadline } }'
    for (const headers of [{}, invalid, strange]) {
      const unknown = await answerOf(UNKNOWN, headers)
      expect(unknown).toMatchObject({ status: 404, work: expect.arrayContaining(['eth_getLogs']) })
      expect(await answerOf(prepared.executionId, headers)).toEqual(unknown)
      const { data } = await the.ask(query, { id: prepared.executionId }, headers)
      expect(data).toEqual({ execution: null })
    }
    expect(own).toMatchObject({ status: 'PREPARED' })
    await node.stop()

    await act.travelTo(the.world, BigInt(Date.parse(prepared.deadline) / 1000) + 1n)
    expect(await getWith(prepared.executionId, strange)).toMatchObject({ status: 404 })
    expect(await statusOf(prepared.executionId)).toBe('EXPIRED')

    const sent = await prepareRoute()
    await routes.signAndSubmit(the.world, beneficiary, sent)
    expect(await readJson(await getWith(sent.executionId, strange))).toMatchObject({ status: 'MINED' })
  })

  it('goes back to PREPARED when a reorganisation takes the block away', async () => {
    const { chain, parties } = the.world
    const prepared = await prepareRoute()
    const before = await chain.snapshot()
    await routes.signAndSubmit(the.world, parties.beneficiary, prepared)
    const seen = await get(prepared.executionId)
    expect(await readJson(seen.clone())).toMatchObject({ status: 'MINED' })
    await chain.revert({ id: before })
    const tag = seen.headers.get('ETag') ?? ''
    const gone = await get(prepared.executionId, { 'If-None-Match': tag })
    expect(gone.status).toBe(200)
    expect(await readJson(gone)).toMatchObject({ status: 'PREPARED' })
  })

  it('has a tag that holds exactly as long as nothing has changed', async () => {
    const { parties } = the.world
    const prepared = await prepareRoute()
    const tag = (await get(prepared.executionId)).headers.get('ETag') ?? ''
    expect((await get(prepared.executionId, { 'If-None-Match': tag })).status).toBe(304)
    await routes.signAndSubmit(the.world, parties.beneficiary, prepared)
    const changed = await get(prepared.executionId, { 'If-None-Match': tag })
    expect(changed.status).toBe(200)
    expect(await readJson(changed)).toMatchObject({ status: 'MINED' })
  })

  it('knows a direct execution that nobody prepared here, and no id that nobody used', async () => {
    const claimId = await newClaim()
    await the.project()
    const { beneficiary } = the.world.parties
    const terms = { user: beneficiary, claimId, vault, faceAmount: 10n * USD }
    const { executionId } = await act.executeFinancing(the.world, terms)
    expect(await readJson(await get(executionId))).toMatchObject({ status: 'MINED', kind: 'DIRECT' })
    const unknown = await get(UNKNOWN)
    expect(unknown.status).toBe(404)
    expect(await readJson(unknown)).toMatchObject({ code: 'EXECUTION_NOT_FOUND' })
  })

  it('does not guess while the chain is away: it returns projected executions, all else is a 503', async () => {
    const { executionId } = await act.executeFinancing(the.world, {
      user: the.world.parties.beneficiary,
      claimId: await newClaim(),
      vault,
      faceAmount: 10n * USD,
    })
    await the.project()
    the.line.cut()
    expect(await statusOf(executionId)).toBe('EXECUTED')
    const response = await the.app.request(`/api/v1/executions/${UNKNOWN}`, bearer(token))
    expect(response.status).toBe(503)
    expect(await readJson(response)).toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    the.line.mend()
  })
})
