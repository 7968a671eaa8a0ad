/** A wallet that sent a transaction asks what became of it, until reads show it or it is known to have failed. */
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { createGateway as createClient } from '../../packages/client/src/index.ts'
import { until } from '../support/indexer.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { readJson } from '../support/sign-in.ts'
import { type FollowedWorld, startFollowedWorld } from './gateway.ts'

const USD = 1_000_000n
const UNKNOWN = `0x${'ab'.repeat(32)}`

const QUERY = `query ($hash: Hash!) { transaction(hash: $hash) {
  hash status final from to block { number timestamp } expectedFinalAt revert { errorName arguments message } touchesProtocol
  executionIds executions { executionId transactionHash } claimIds claims { claimId state } } }`

describe('a transaction', () => {
  let the: FollowedWorld
  let token: string
  let vault: Hex

  beforeAll(async () => {
    the = await startFollowedWorld()
    token = await routes.tokenOf(the, the.world.parties.beneficiary)
    vault = await act.createFundedVault(the.world, { token: the.world.usd, capital: 9_000n * USD })
  })
  afterAll(() => the.stop())

  const registerClaim = (terms: Partial<act.ClaimTerms> = {}) => {
    const { issuer, beneficiary } = the.world.parties
    const all = { issuer, beneficiary: beneficiary.address, token: the.world.usd, faceValue: 100n * USD }
    return act.registerClaim(the.world, { ...all, ...terms })
  }

  /** Sends without trying first, with gas for a call that fails. */
  const sendBlindly = (
    data: Hex,
    { gas = 1_000_000n, from = the.world.parties.beneficiary, tip = 1n } = {},
  ) =>
    the.world.chain.sendTransaction({
      account: from.address,
      chain: null,
      to: the.world.protocol.financingRouter,
      data,
      gas,
      maxPriorityFeePerGas: tip,
    })

  const executeRouteCall = async (terms: Partial<act.RouteTerms>, claimId: Hex) => {
    const { beneficiary } = the.world.parties
    const legs = [{ claimId, vault, faceAmount: 10n * USD }]
    const route = await act.routeOf(the.world, { user: beneficiary, legs, ...terms })
    const signature = await act.signRoute(the.world, beneficiary, route)
    const args = [route, signature] as const
    return encodeFunctionData({ abi: financingRouterAbi, functionName: 'executeRoute', args })
  }

  const mined = async (hash: Hex) => {
    await until(() => the.world.chain.getTransactionReceipt({ hash }).then(Boolean, () => false))
    return hash
  }

  it('comes from the mempool into a block, becomes final, and is then in every read', async () => {
    const { chain, parties } = the.world
    const { claimId } = await registerClaim()
    expect(await the.follow(token, UNKNOWN)).toMatchObject({
      httpStatus: 200,
      status: 'NOT_FOUND',
      final: false,
      from: null,
      block: null,
      touchesProtocol: null,
      finalizedThrough: null,
    })

    await chain.setAutomine(false)
    const hash = await sendBlindly(await executeRouteCall({}, claimId))
    expect(await the.follow(token, hash)).toMatchObject({
      status: 'PENDING',
      from: parties.beneficiary.address,
      to: the.world.protocol.financingRouter,
      block: null,
      touchesProtocol: true,
      executionIds: [],
    })

    await chain.mine({ blocks: 1 })
    await chain.setAutomine(true)
    const { number, timestamp } = await chain.getBlock()
    const inBlock = await the.follow(token, hash)
    expect(inBlock).toMatchObject({
      status: 'MINED',
      final: false,
      touchesProtocol: true,
      claimIds: [claimId],
    })
    const block = {
      number: Number(number),
      timestamp: new Date(Number(timestamp) * 1000).toISOString().replace('.000', ''),
    }
    expect(inBlock.block).toEqual(block)

    await act.finalize(the.world)
    expect(await the.follow(token, hash)).toMatchObject({ status: 'FINALIZED', final: true })

    await the.startIndexer()
    await the.project()
    const projected = await the.follow(token, hash)
    expect(projected).toMatchObject({ status: 'PROJECTED', final: true, block, revert: null })

    const { httpStatus: _, finalizedThrough: __, ...rest } = projected
    const { data } = await the.ask(QUERY, { hash })
    const [executionId] = Array.isArray(rest.executionIds) ? rest.executionIds : []
    expect(data).toEqual({
      transaction: {
        ...rest,
        executions: [{ executionId, transactionHash: hash }],
        claims: [{ claimId, state: 'PARTIALLY_FUNDED' }],
      },
    })
  })

  it('is followed at the X-Min-Block that is asked for, or not at all', async () => {
    const hash = await mined(await sendBlindly('0x'))
    const at = (block: number) => ({ 'X-Min-Block': String(block) })
    await the.project()
    const { finalizedThrough } = await the.follow(token, hash)
    const { blockNumber } = z.object({ blockNumber: z.number() }).parse(finalizedThrough)
    expect(await the.follow(token, hash, at(blockNumber))).toMatchObject({
      httpStatus: 200,
      status: 'REVERTED',
    })
    const behind = { code: 'PROJECTION_BEHIND', minBlock: blockNumber + 1000, finalizedThrough: blockNumber }
    expect(await the.follow(token, hash, at(blockNumber + 1000))).toMatchObject({
      httpStatus: 503,
      ...behind,
    })
    expect((await the.ask(QUERY, { hash }, at(blockNumber))).data).toMatchObject({ transaction: { hash } })
    const { data, errors } = await the.ask(QUERY, { hash }, at(blockNumber + 1000))
    expect(errors).toMatchObject([{ extensions: behind }])
    expect(data).toBeNull()
  })

  it('is read from the chain after the wait for X-Min-Block: the result has what happened meanwhile', async () => {
    const { chain } = the.world
    await the.project()
    await chain.setAutomine(false)
    const hash = await sendBlindly('0x')
    const at = { 'X-Min-Block': String((await chain.getBlockNumber()) + 1n) }
    const answers = Promise.all([the.follow(token, hash, at), the.ask(QUERY, { hash }, at)])
    expect(await the.follow(token, hash)).toMatchObject({ status: 'PENDING' })
    await chain.mine({ blocks: 1 })
    await chain.setAutomine(true)
    await the.project()
    const expected = { status: 'REVERTED' }
    expect(await answers).toMatchObject([expected, { data: { transaction: expected } }])
  })

  it('that failed says with which error of the contract, and its arguments', async () => {
    const { chain, parties } = the.world
    const { claimId } = await registerClaim()
    const nonce = await act.nonceOf(the.world, parties.beneficiary.address)
    const stale = await executeRouteCall({ nonce: nonce - 1n }, claimId)
    const hash = await mined(await sendBlindly(stale))
    const failed = await the.follow(token, hash)
    expect(failed).toMatchObject({
      status: 'REVERTED',
      touchesProtocol: true,
      executionIds: [],
      revert: {
        errorName: 'InvalidAccountNonce',
        arguments: [parties.beneficiary.address, String(nonce)],
        message: `It failed with InvalidAccountNonce(${parties.beneficiary.address}, ${nonce}).`,
      },
    })
    await the.project()
    expect(await the.follow(token, hash)).toMatchObject({ status: 'REVERTED', final: true })
    const { data } = await the.ask(QUERY, { hash })
    expect(data).toMatchObject({ transaction: { status: 'REVERTED', revert: failed.revert } })
    expect(await chain.getTransactionReceipt({ hash })).toMatchObject({ status: 'reverted' })
  })

  it('that was good but for one before it in the same block says so', async () => {
    const { claimId } = await registerClaim()
    const { chain } = the.world
    await chain.setAutomine(false)
    const first = await sendBlindly(await executeRouteCall({}, claimId))
    const second = await sendBlindly(await executeRouteCall({ targetAdvance: 1n }, claimId))
    await chain.mine({ blocks: 1 })
    await chain.setAutomine(true)
    expect(await the.follow(token, first)).toMatchObject({ status: 'MINED', revert: null })
    expect(await the.follow(token, second)).toMatchObject({
      status: 'REVERTED',
      revert: { errorName: 'InvalidAccountNonce' },
    })
  })

  it('that failed for what came to pass later in its block is replayed on the state before it', async () => {
    const { chain, parties } = the.world
    const { claimId } = await registerClaim()
    await act.pauseRouter(the.world)
    await chain.setAutomine(false)
    const paused = await sendBlindly(await executeRouteCall({}, claimId), { tip: 1_000_000_000n })
    const unpause = encodeFunctionData({ abi: financingRouterAbi, functionName: 'unpause' })
    await sendBlindly(unpause, { from: parties.admin })
    await chain.mine({ blocks: 1 })
    await chain.setAutomine(true)
    expect(await the.follow(token, paused)).toMatchObject({
      status: 'REVERTED',
      revert: { errorName: 'EnforcedPause', arguments: [] },
    })
  })

  it('that ran out of gas failed without a reason', async () => {
    const { claimId } = await registerClaim()
    const hash = await mined(await sendBlindly(await executeRouteCall({}, claimId), { gas: 90_000n }))
    expect(await the.follow(token, hash)).toMatchObject({
      status: 'REVERTED',
      revert: {
        errorName: 'UnknownError',
        arguments: [],
        message: expect.stringContaining('runs out of gas'),
      },
    })
  })

  it('names the claims it registered and settled; one that only approves touches nothing', async () => {
    const { usd, parties, protocol } = the.world
    const { claimId, receipt } = await registerClaim({ dueDate: (await act.chainTime(the.world)) + 60n })
    expect(await the.follow(token, receipt.transactionHash)).toMatchObject({
      status: 'MINED',
      touchesProtocol: true,
      claimIds: [claimId],
      executionIds: [],
    })
    const approval = { owner: parties.payer, token: usd, spender: protocol.financingRouter, amount: 1n }
    const approved = await act.approve(the.world, approval)
    expect(await the.follow(token, approved.transactionHash)).toMatchObject({
      status: 'MINED',
      touchesProtocol: false,
      claimIds: [],
      executionIds: [],
    })
    await act.travelDays(the.world, 1)
    const settled = await act.mintAndSettle(the.world, { payer: parties.payer, claimId })
    expect(await the.follow(token, settled.transactionHash)).toMatchObject({ claimIds: [claimId] })
    await the.project()
    expect(await the.follow(token, approved.transactionHash)).toMatchObject({ status: 'PROJECTED' })
  })

  it('is followed without a session, as after the end of one', async () => {
    const gateway = createClient({
      url: 'http://gateway.test',
      fetch: async (request) => the.app.fetch(request),
    })
    const { usd, parties, protocol } = the.world
    const approval = { owner: parties.payer, token: usd, spender: protocol.financingRouter, amount: 2n }
    const { transactionHash } = await act.approve(the.world, approval)
    expect(await gateway.follow(transactionHash, { until: 'MINED' })).toMatchObject({ status: 'MINED' })
    await the.project()
    expect(await gateway.follow(transactionHash)).toMatchObject({ status: 'PROJECTED' })
  })

  it('wants no token, and a hash that is one', async () => {
    expect(await readJson(await the.app.request(`/api/v1/transactions/${UNKNOWN}`))).toMatchObject({
      status: 'NOT_FOUND',
    })
    const { data } = await the.ask('query ($hash: Hash!) { transaction(hash: $hash) { status } }', {
      hash: UNKNOWN,
    })
    expect(data).toEqual({ transaction: { status: 'NOT_FOUND' } })
    expect(await the.follow(token, UNKNOWN.slice(0, -1))).toMatchObject({
      httpStatus: 400,
      code: 'VALIDATION_FAILED',
    })
  })

  it('may be asked for three times in one GraphQL operation', async () => {
    const field = (alias: number) => `t${alias}: transaction(hash: "${UNKNOWN}") { status }`
    const few = [0, 1, 2].map(field).join(' ')
    expect(await the.ask(`{ ${few} }`)).not.toHaveProperty('errors')
    const many = [0, 1, 2, 3].map(field).join(' ')
    expect(await the.ask(`{ ${many} }`)).toMatchObject({
      errors: [{ extensions: { code: 'QUERY_TOO_COMPLEX' } }],
    })
  })

  it('keeps no connection of the projection while the chain takes its time', async () => {
    const query = `{ vaults { totalCount } transaction(hash: "${UNKNOWN}") { status } _meta { finalizedThrough { blockNumber } } }`
    the.line.hold()
    const slow = the.ask(query)
    await the.line.held()
    const response = await the.app.request('/api/v1/vaults')
    expect(response.status).toBe(200)
    the.line.release()
    expect(await slow).toMatchObject({
      data: { vaults: { totalCount: 1 }, transaction: { status: 'NOT_FOUND' } },
    })
  })

  it('is a 503 while the chain is away, in GraphQL too', async () => {
    the.line.cut()
    expect(await the.follow(token, UNKNOWN)).toMatchObject({ httpStatus: 503, code: 'CHAIN_UNAVAILABLE' })
    const query = `{ transaction(hash: "${UNKNOWN}") { status } vaults { totalCount } }`
    expect(await the.ask(query)).toMatchObject({
      data: null,
      errors: [{ path: ['transaction'], extensions: { code: 'CHAIN_UNAVAILABLE' } }],
    })
    the.line.mend()
    expect(await the.follow(token, UNKNOWN)).toMatchObject({ status: 'NOT_FOUND' })
  })
})
