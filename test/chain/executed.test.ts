/** Executions that are mined and not projected are found by the events of the router. */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChain } from '../../api/chain/client.ts'
import { findRecentExecution } from '../../api/chain/executed.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startWorld } from '../support/protocol.ts'
import { startRecordingProxy } from '../support/recording-proxy.ts'
import * as act from '../support/scenario.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let proxy: Awaited<ReturnType<typeof startRecordingProxy>>
let vault: Hex
beforeAll(async () => {
  world = await startWorld()
  proxy = await startRecordingProxy(world.rpcUrl)
  vault = await act.createFundedVault(world, { token: world.usd, capital: 1_000n })
})
afterAll(async () => {
  await proxy?.stop()
  await world?.stop()
})

async function newClaim(): Promise<Hex> {
  const { issuer, beneficiary } = world.parties
  const terms = { issuer, beneficiary: beneficiary.address, token: world.usd, faceValue: 100n }
  return (await act.registerClaim(world, terms)).claimId
}

const latest = async () => {
  const { number: blockNumber, timestamp } = await world.chain.getBlock()
  return { blockNumber, timestamp }
}

const find = (executionId: Hex, through: Awaited<ReturnType<typeof latest>>) => {
  const chain = createChain({ urls: [proxy.url], timeout: NODE_TIMEOUT_MS })
  return findRecentExecution(chain, world.protocol.financingRouter, executionId, through)
}

describe('an execution after the projected block', () => {
  it('is found with its legs, its user and the relayer that sent it', async () => {
    const { beneficiary: user, relayer } = world.parties
    const [first, second] = [await newClaim(), await newClaim()]
    const legs = [
      { claimId: first, vault, faceAmount: 100n },
      { claimId: second, vault, faceAmount: 50n },
    ]
    const before = await latest()
    const { executionId, receipt } = await act.executeRoute(world, { user, legs, submitter: relayer })
    const { blockNumber: block, timestamp: at } = await latest()
    await world.chain.mine({ blocks: 1, interval: 10 })
    const { timestamp: searchedUntil } = await latest()
    const leg = { executionId, vault, sliceIndex: 0, at }
    expect(await find(executionId, before)).toEqual({
      searchedUntil,
      seen: {
        execution: {
          ...{ id: executionId, user: user.address, token: world.usd, kind: 'ROUTE' },
          ...{ submitter: relayer.address, legCount: 2n, totalFace: 150n, totalAdvance: 148n },
          ...{ block, at, tx: receipt.transactionHash },
        },
        legs: [
          { ...leg, claimId: first, legIndex: 0n, faceAmount: 100n, advanceAmount: 99n },
          { ...leg, claimId: second, legIndex: 1n, faceAmount: 50n, advanceAmount: 49n },
        ],
      },
    })
  })

  it('is found where its user financed directly', async () => {
    const before = await latest()
    const { beneficiary: user } = world.parties
    const financing = { user, claimId: await newClaim(), vault, faceAmount: 10n }
    const { executionId } = await act.executeFinancing(world, financing)
    expect((await find(executionId, before)).seen?.execution).toMatchObject({
      ...{ kind: 'DIRECT', submitter: user.address, legCount: 1n, totalFace: 10n, totalAdvance: 9n },
    })
  })
})

it('an execution of the projected block is not found again, and no later block is not searched', async () => {
  const { beneficiary: user } = world.parties
  const financing = { user, claimId: await newClaim(), vault, faceAmount: 10n }
  const { executionId } = await act.executeFinancing(world, financing)
  const through = await latest()
  proxy.requests.splice(0)
  const nothing = { seen: undefined, searchedUntil: through.timestamp }
  expect(await find(executionId, through)).toEqual(nothing)
  expect(proxy.requests.flat().map(({ method }) => method)).not.toContain('eth_getLogs')
  await world.chain.mine({ blocks: 1, interval: 10 })
  const { timestamp: searchedUntil } = await latest()
  expect(await find(executionId, through)).toEqual({ seen: undefined, searchedUntil })
})
