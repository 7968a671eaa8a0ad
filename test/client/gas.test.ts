/** A transaction that is mined later than it is estimated has gas enough. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccountWallet } from '../../demo/wallet.ts'
import { withGasLimit } from '../../packages/client/src/gas.ts'
import { createGateway, deployments, type Eip1193Provider } from '../../packages/client/src/index.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { TEST_SITE } from '../support/sign-in.ts'
import { type FollowedWorld, startFollowedWorld } from '../transactions/gateway.ts'

const USD = 1_000_000n

let the: FollowedWorld
beforeAll(async () => {
  the = await startFollowedWorld()
  await the.startIndexer()
})
afterAll(() => the.stop())

it('a financing that is estimated before midnight is executed after it', async () => {
  const { usd, parties } = the.world
  const { issuer, beneficiary } = parties
  const midnight = ((await act.chainTime(the.world)) / act.DAY + 2n) * act.DAY
  await act.travelTo(the.world, midnight - 600n)
  const terms = { issuer, beneficiary: beneficiary.address, token: usd, faceValue: 100n * USD }
  // The vault records with its first financing after midnight that the claim it holds is overdue.
  const held = await act.registerClaim(the.world, { ...terms, dueDate: midnight - 60n })
  const { claimId } = await act.registerClaim(the.world, terms)
  const vault = await act.createFundedVault(the.world, { token: usd, capital: 500n * USD })
  const faceAmount = 50n * USD
  await act.executeFinancing(the.world, { user: beneficiary, claimId: held.claimId, vault, faceAmount })
  await the.project()
  await routes.followChain(the)

  const wallet = createAccountWallet(beneficiary.key, the.world.rpcUrl)
  const minedAfterMidnight: Eip1193Provider = {
    request: async (call) => {
      if (call.method !== 'eth_sendTransaction') return wallet.request(call)
      const { chain } = the.world
      await chain.setAutomine(false)
      const hash = await wallet.request(call)
      await act.travelTo(the.world, midnight + 1n)
      await chain.setAutomine(true)
      return hash
    },
  }
  const gateway = createGateway({
    url: 'http://gateway.test',
    site: TEST_SITE,
    deployment: { ...deployments[31337], tokens: [] },
    wallet: minedAfterMidnight,
    fetch: async (request) => the.app.fetch(request),
    now: the.clock.now,
  })
  await gateway.signIn()
  const prepared = await gateway.post('/api/v1/executions/prepare', {
    body: { claimId, vault, faceAmount: `${faceAmount}`, deadlineSeconds: 3600 },
  })
  const { executionIds } = await gateway.run(prepared, { pollMs: 20, until: 'MINED' })
  expect(executionIds).toEqual([prepared.executionId])
  expect(await act.chainTime(the.world)).toBeGreaterThan(midnight)
})

it('the gas limit is the estimate and half of it, in hexadecimal digits', async () => {
  const wallet = { request: async () => '0x5209' }
  expect(await withGasLimit(wallet, { value: '0x0' })).toEqual({ value: '0x0', gas: '0x7b0d' })
})

it('the gas limit is at most that of a transaction (EIP-7825), unless the chain allows an estimate above it', async () => {
  const limitFor = async (estimate: string) => withGasLimit({ request: async () => estimate }, {})
  expect(await limitFor('0xaaaaaa')).toEqual({ gas: '0xffffff' })
  expect(await limitFor('0xaaaaab')).toEqual({ gas: '0x1000000' })
  expect(await limitFor('0x1000000')).toEqual({ gas: '0x1000000' })
  expect(await limitFor('0x1000002')).toEqual({ gas: '0x1800003' })
})

it.each([
  ['an error', () => Promise.reject(new Error('no such method'))],
  ['nothing', async () => null],
  ['an empty text', async () => ''],
  ['no number', async () => 'soon'],
])('a transaction for whose estimate the wallet answers %s is sent as it is', async (_, request) => {
  expect(await withGasLimit({ request }, { value: '0x0' })).toEqual({ value: '0x0' })
})
