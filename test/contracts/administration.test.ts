/** Separate accounts hold the roles, the administrator changes in two steps with a delay, and no pause is for ever. */
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  getContract,
  type Hex,
  http,
  keccak256,
  toHex,
  zeroAddress,
} from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { financingRouterAbi as abi } from '../../abis/FinancingRouter.ts'
import { deployProtocol } from '../../contracts/deploy.ts'
import type { Party } from '../support/parties.ts'
import { ADMIN_DELAY, startWorld, type World } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { revertOf, send } from '../support/transactions.ts'

let world: World & { stop: () => Promise<void> }
/** This world with contracts whose roles five parties hold. */
let divided: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

beforeEach(async () => {
  const { admin, issuer, otherIssuer, curator, provider } = world.parties
  const transport = http(world.rpcUrl)
  const deployer = createWalletClient({ account: admin.key, chain: foundry, transport })
  const { startBlock: _, ...protocol } = await deployProtocol(deployer, {
    admin: admin.address,
    issuerManager: issuer.address,
    tokenManager: otherIssuer.address,
    vaultManager: curator.address,
    pauser: provider.address,
    adminDelay: ADMIN_DELAY,
  })
  divided = { ...world, protocol }
})

const callRouter = (as: Party, data: Hex) =>
  send(world.chain, as, { to: divided.protocol.financingRouter, data })
const begin = (to: Address) =>
  encodeFunctionData({ abi, functionName: 'beginDefaultAdminTransfer', args: [to] })
const accept = encodeFunctionData({ abi, functionName: 'acceptDefaultAdminTransfer' })
const renounce = (role: Hex, account: Address) =>
  encodeFunctionData({ abi, functionName: 'renounceRole', args: [role, account] })
const ADMIN_ROLE: Hex = `0x${'00'.repeat(32)}`
const PAUSER_ROLE = keccak256(toHex('PAUSER_ROLE'))
const wait = async () => act.travelTo(world, (await act.chainTime(world)) + BigInt(ADMIN_DELAY) + 1n)

describe('each role', () => {
  test('does its own work, which neither the administrator nor another role can do', async () => {
    const { admin, issuer, otherIssuer, curator, provider } = world.parties
    const { usd: token } = world
    const works: readonly [Party, string, (as: Party) => Promise<unknown>][] = [
      [
        issuer,
        'ISSUER_MANAGER_ROLE',
        (as) => act.setIssuerActive(divided, { issuer: issuer.address, active: true, as }),
      ],
      [otherIssuer, 'TOKEN_MANAGER_ROLE', (as) => act.setTokenListed(divided, { token, listed: true, as })],
      [curator, 'VAULT_MANAGER_ROLE', (as) => act.createVault(divided, { token, as })],
      [provider, 'PAUSER_ROLE', (as) => act.pauseRouter(divided, { as })],
    ]
    for (const [holder, role, work] of works) {
      const others = [admin, ...works.map(([other]) => other).filter((other) => other !== holder)]
      for (const other of others) {
        expect(await revertOf(work(other))).toEqual({
          errorName: 'AccessControlUnauthorizedAccount',
          args: [other.address, keccak256(toHex(role))],
        })
      }
      await work(holder)
    }
  })
})

describe('the administrator', () => {
  test('is one account in each contract, and changes with the same delay in each', async () => {
    const { admin } = world.parties
    const { issuerRegistry, tokenRegistry, vaultRegistry, financingRouter } = divided.protocol
    for (const address of [issuerRegistry, tokenRegistry, vaultRegistry, financingRouter]) {
      const contract = getContract({ abi, address, client: world.chain })
      expect((await contract.read.defaultAdmin()).toLowerCase()).toBe(admin.address)
      expect(await contract.read.defaultAdminDelay()).toBe(ADMIN_DELAY)
    }
  })

  test('changes in two steps, the second of which the next one takes after the delay', async () => {
    const { admin, stranger, relayer } = world.parties
    await callRouter(admin, begin(stranger.address))
    expect(await revertOf(callRouter(stranger, accept))).toMatchObject({
      errorName: 'AccessControlEnforcedDefaultAdminDelay',
    })
    await wait()
    expect(await revertOf(callRouter(relayer, accept))).toMatchObject({
      errorName: 'AccessControlInvalidDefaultAdmin',
    })
    await callRouter(stranger, accept)
    expect(await revertOf(callRouter(admin, begin(admin.address)))).toMatchObject({
      errorName: 'AccessControlUnauthorizedAccount',
    })
    const router = { abi, address: divided.protocol.financingRouter } as const
    const now = await world.chain.readContract({ ...router, functionName: 'defaultAdmin' })
    expect(now.toLowerCase()).toBe(stranger.address)
  })
})

describe('a pause', () => {
  test('is ended by the administrator when the pauser is gone', async () => {
    const { admin, provider, stranger } = world.parties
    await act.pauseRouter(divided, { as: provider })
    await callRouter(provider, renounce(PAUSER_ROLE, provider.address))
    for (const other of [provider, stranger]) {
      expect(await revertOf(act.unpauseRouter(divided, { as: other }))).toEqual({
        errorName: 'AccessControlUnauthorizedAccount',
        args: [other.address, PAUSER_ROLE],
      })
    }
    await act.unpauseRouter(divided, { as: admin })
  })

  test('keeps the administrator from renouncing, and is refused once the administrator has renounced', async () => {
    const { admin, provider } = world.parties
    await callRouter(admin, begin(zeroAddress))
    await wait()
    await act.pauseRouter(divided, { as: provider })
    const required = { errorName: 'AdministratorRequired', args: [] }
    const renouncing = () => callRouter(admin, renounce(ADMIN_ROLE, admin.address))
    expect(await revertOf(renouncing())).toEqual(required)
    await act.unpauseRouter(divided, { as: provider })
    await renouncing()
    expect(await revertOf(act.pauseRouter(divided, { as: provider }))).toEqual(required)
  })
})
