/**
 * Foreign code runs in many calls of the gateway, and none of them makes it send a request anywhere but to its nodes.
 */
import { type Address, createPublicClient, type Hex, http, serializeErc6492Signature } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoTokenAbi } from '../../abis/DemoToken.ts'
import { readBalances } from '../../api/chain/balances.ts'
import { createChain } from '../../api/chain/client.ts'
import { pinFinalizedBlock } from '../../api/chain/pin-block.ts'
import { replay, simulate, simulateRoute } from '../../api/chain/simulate.ts'
import { demoTokenBytecode } from '../../contracts/artifacts/DemoToken.ts'
import {
  offchainLookupAccountAbi,
  offchainLookupAccountBytecode,
} from '../../contracts/testing/generated/OffchainLookupAccount.ts'
import { delegate, newAccount, wrapErc8010 } from '../support/accounts.ts'
import { NODE_TIMEOUT_MS } from '../support/limits.ts'
import { startListener, startRedirect } from '../support/listener.ts'
import { deployForTest } from '../support/protocol.ts'
import * as routes from '../support/routes.ts'
import * as act from '../support/scenario.ts'
import { bearer, postVerify, readJson, signInMessage } from '../support/sign-in.ts'
import { minedReceipt } from '../support/transactions.ts'

let the: Awaited<ReturnType<typeof routes.startRouteWorld>>
let listener: Awaited<ReturnType<typeof startListener>>
/** Asks for data in its own name. */
let lookup: Address
/** A token that asks in the name of the router, so that the revert fits the call that it comes out of. */
let token: Address

beforeAll(async () => {
  ;[the, listener] = await Promise.all([routes.startRouteWorld(), startListener()])
  const deploy = (sender: Address) =>
    deployForTest(the.world, offchainLookupAccountAbi, offchainLookupAccountBytecode, [listener.port, sender])
  lookup = await deploy('0x0000000000000000000000000000000000000000')
  token = await deployForTest(the.world, demoTokenAbi, demoTokenBytecode, ['Demo', 'D', 6])
  await act.setTokenListed(the.world, { token, listed: true })
  // A listed token can be upgraded to anything.
  const bytecode = await the.world.chain.getCode({
    address: await deploy(the.world.protocol.financingRouter),
  })
  if (!bytecode) throw new Error('the deployed contract has no code')
  await the.world.chain.setCode({ address: token, bytecode })
})
afterAll(() => Promise.all([the.stop(), listener.stop()]))
beforeEach(() => {
  listener.requests.length = 0
})

const chain = () => createChain({ urls: [the.world.rpcUrl], timeout: NODE_TIMEOUT_MS })
const stranger = () => the.world.parties.stranger

async function verify(address: Address, sign: (message: string) => Promise<Hex>): Promise<unknown> {
  const issuedAt = new Date(Date.now() + the.clock.skewMs)
  const message = await signInMessage(the.app, address, { issuedAt })
  const response = await postVerify(the.app, { message, signature: await sign(message) })
  return (await readJson(response)).code
}

describe('a contract that reverts with OffchainLookup (EIP-3668)', () => {
  it('makes a client that follows it send a request, so what follows can fail', async () => {
    const follows = createPublicClient({ transport: http(the.world.rpcUrl) })
    await expect(follows.call({ to: lookup, data: '0x12345678' })).rejects.toThrow()
    expect(listener.requests).not.toEqual([])
  })

  it('makes none when a failed transaction to it is followed, by REST and GraphQL', async () => {
    const hash = await the.world.chain.sendTransaction({
      account: stranger().key,
      to: lookup,
      data: '0x12345678',
      gas: 100_000n,
    })
    await minedReceipt(the.world.chain, hash)
    const bearerOf = bearer(await routes.tokenOf(the, stranger()))
    const followed = await the.app.request(`/api/v1/transactions/${hash}`, bearerOf)
    expect(await readJson(followed)).toMatchObject({ revert: { errorName: 'UnknownError' } })
    await the.app.request('/api/v1/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: `{ transaction(hash: "${hash}") { revert { arguments } } }` }),
    })
    expect(listener.requests).toEqual([])
  })

  it('makes none when a call to it is simulated or replayed', async () => {
    const call = { from: stranger().address, to: lookup, data: '0x12345678' } as const
    const route = await act.routeOf(the.world, { user: stranger(), legs: [] })
    const reverts = { outcome: 'REVERTS', errorName: 'UnknownError' }
    expect(await simulate(chain(), call)).toMatchObject(reverts)
    expect(await simulate(chain(), call, [call])).toMatchObject(reverts)
    expect(await replay(chain(), call, await the.world.chain.getBlockNumber())).toMatchObject(reverts)
    expect(await simulateRoute(chain(), lookup, route)).toMatchObject(reverts)
    expect(listener.requests).toEqual([])
  })

  it('makes none as the token of a claim whose settlement is prepared, or whose balances are read', async () => {
    const { issuer, beneficiary, payer } = the.world.parties
    const terms = { issuer, beneficiary: beneficiary.address, token, faceValue: 100n }
    const { claimId, attestation } = await act.registerClaim(the.world, terms)
    await act.travelTo(the.world, attestation.dueDate)
    await routes.settleDown(the)
    const headers = bearer(await routes.tokenOf(the, payer))
    const path = `/api/v1/settlements/${claimId}/prepare`
    const prepared = await readJson(await the.app.request(path, { method: 'POST', ...headers }))
    expect(prepared.issues).toMatchObject([{ code: 'BALANCE_TOO_LOW' }, { code: 'ALLOWANCE_TOO_LOW' }, {}])
    const data = await act.settlementCall(the.world, { claimId })
    const settle = { from: payer.address, to: the.world.protocol.financingRouter, data }
    expect(await simulate(chain(), settle)).toMatchObject({ outcome: 'REVERTS', errorName: 'UnknownError' })
    const block = await pinFinalizedBlock(chain())
    await expect(readBalances(chain(), block, [stranger().address], [token, lookup])).rejects.toThrow()
    expect(listener.requests).toEqual([])
  })

  it('makes none as a wallet that signs in (ERC-1271), or as what deploys one (ERC-6492)', async () => {
    const sign = (message: string) => stranger().key.signMessage({ message })
    expect(await verify(lookup, sign)).toBe('SIWE_SIGNATURE_INVALID')
    const wrapped = async (message: string) =>
      serializeErc6492Signature({ address: lookup, data: '0x12345678', signature: await sign(message) })
    expect(await verify(newAccount().address, wrapped)).toBe('SIWE_SIGNATURE_INVALID')
    expect(listener.requests).toEqual([])
  })

  it('makes none as the delegate of a key that signs in (EIP-7702, ERC-8010)', async () => {
    const account = newAccount()
    const authorization = await delegate(the.world.chain, { account, to: lookup, sponsor: stranger() })
    const sign = async (message: string) =>
      wrapErc8010(account.address, authorization, await stranger().key.signMessage({ message }))
    expect(await verify(account.address, sign)).toBe('SIWE_SIGNATURE_INVALID')
    expect(listener.requests).toEqual([])
  })
})

describe('a node', () => {
  it('that redirects is not followed', async () => {
    const redirecting = await startRedirect(listener.url)
    const redirected = createChain({ urls: [redirecting.url], timeout: 5_000 })
    await expect(redirected.getBlockNumber()).rejects.toThrow()
    await redirecting.stop()
    expect(listener.requests).toEqual([])
  })
})
