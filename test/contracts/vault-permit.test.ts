/** Deposits with a permit (EIP-2612) in place of an approval. */
import { type Address, decodeErrorResult, encodeFunctionData, type Hex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { permitTokenAbi } from '../../abis/PermitToken.ts'
import {
  hostilePermitTokenAbi,
  hostilePermitTokenBytecode,
} from '../../contracts/testing/generated/HostilePermitToken.ts'
import type { Party } from '../support/parties.ts'
import { createPermitToken, type SignedPermit, signPermit } from '../support/permits.ts'
import { deployForTest, startWorld } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { eventsOf, revertOf, send } from '../support/transactions.ts'

const ASSETS = 700n
/** The shares of one base unit at the first deposit. */
const UNIT = 1_000_000n

let world: Awaited<ReturnType<typeof startWorld>>
let lender: Party
beforeAll(async () => {
  world = await startWorld()
  lender = world.parties.provider
})
afterAll(() => world.stop())

/** A vault of a token, in which the lender holds as much as it will deposit and has approved nothing. */
async function vaultOf(token: Address): Promise<Address> {
  const { vault } = await act.createVault(world, { token })
  const held = await act.balanceOf(world, token, lender.address)
  await act.mint(world, { token, to: lender.address, amount: ASSETS - held })
  return vault
}

async function permitFor(token: Address, vault: Address, owner = lender): Promise<SignedPermit> {
  const deadline = (await act.chainTime(world)) + 600n
  return signPermit(world, owner, { token, spender: vault, value: ASSETS, deadline })
}

type Call = { sender?: Party; receiver?: Party; minShares?: bigint; assets?: bigint }

function depositWithPermit(vault: Address, { deadline, v, r, s }: SignedPermit, call: Call = {}) {
  const { sender = lender, receiver = lender, minShares = 0n, assets = ASSETS } = call
  const args = [assets, receiver.address, minShares, deadline, v, r, s] as const
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'depositWithPermit', args })
  return send(world.chain, sender, { to: vault, data })
}

const allowance = (token: Address, vault: Address) =>
  world.chain.readContract({
    address: token,
    abi: permitTokenAbi,
    functionName: 'allowance',
    args: [lender.address, vault],
  })

describe('a deposit with a permit', () => {
  test('needs no approval, and leaves no allowance', async () => {
    const token = await createPermitToken(world)
    const vault = await vaultOf(token)
    const receiver = world.parties.stranger

    const receipt = await depositWithPermit(vault, await permitFor(token, vault), { receiver })

    const shares = ASSETS * UNIT
    expect(eventsOf(receipt).at(-1)).toEqual({
      emitter: vault,
      name: 'Deposit',
      args: { sender: lender.address, owner: receiver.address, assets: ASSETS, shares },
    })
    expect(await act.vaultCapital(world, vault)).toMatchObject({ idleAssets: ASSETS, totalSupply: shares })
    expect(await allowance(token, vault)).toBe(0n)
  })

  test('succeeds when a stranger has submitted its permit first', async () => {
    const token = await createPermitToken(world)
    const vault = await vaultOf(token)
    const signed = await permitFor(token, vault)
    const { deadline, v, r, s } = signed
    const args = [lender.address, vault, ASSETS, deadline, v, r, s] as const
    const data = encodeFunctionData({ abi: permitTokenAbi, functionName: 'permit', args })
    await send(world.chain, world.parties.stranger, { to: token, data })

    await depositWithPermit(vault, signed)

    expect(await act.vaultCapital(world, vault)).toMatchObject({ idleAssets: ASSETS })
  })

  test('reverts for too few shares, and leaves the permit unused', async () => {
    const token = await createPermitToken(world)
    const vault = await vaultOf(token)
    const signed = await permitFor(token, vault)
    const minShares = ASSETS * UNIT + 1n
    expect(await revertOf(depositWithPermit(vault, signed, { minShares }))).toEqual({
      errorName: 'BelowMinimum',
      args: [ASSETS * UNIT, minShares],
    })
    await depositWithPermit(vault, signed, { minShares: minShares - 1n })
    expect(await act.vaultCapital(world, vault)).toMatchObject({ totalSupply: ASSETS * UNIT })
  })

  test('takes nothing by the permit of another account, for another amount, or after its deadline', async () => {
    const token = await createPermitToken(world)
    const vault = await vaultOf(token)
    const signed = await permitFor(token, vault)
    const { stranger } = world.parties
    await act.mint(world, { token, to: stranger.address, amount: ASSETS })
    const refused = (need = ASSETS) => ({
      errorName: 'ERC20InsufficientAllowance',
      args: [vault, 0n, need],
    })
    const revertWith = (permit: SignedPermit, call: Call = {}) =>
      revertOf(depositWithPermit(vault, permit, call))
    expect(await revertWith(signed, { sender: stranger })).toEqual(refused())
    expect(await revertWith(signed, { assets: ASSETS - 1n })).toEqual(refused(ASSETS - 1n))
    expect(await revertWith({ ...signed, deadline: signed.deadline + 1n })).toEqual(refused())
    await act.travelTo(world, signed.deadline + 1n)
    expect(await revertWith(signed)).toEqual(refused())
    expect(await act.vaultCapital(world, vault)).toMatchObject({ idleAssets: 0n, totalSupply: 0n })
  })

  test('is a deposit as any other where the token has no permit', async () => {
    const vault = await vaultOf(world.usd)
    await act.approve(world, { owner: lender, token: world.usd, spender: vault, amount: ASSETS })
    await depositWithPermit(vault, { deadline: 0n, v: 0, r: zeroHash, s: zeroHash })
    expect(await act.vaultCapital(world, vault)).toMatchObject({ idleAssets: ASSETS })
  })
})

describe('a token whose permit', () => {
  const CONDUCTS = [
    { conduct: 0, words: 'reverts' },
    { conduct: 1, words: 'returns bytes' },
    { conduct: 2, words: 'uses all gas of its call' },
  ]

  async function hostileToken(): Promise<Address> {
    const token = await deployForTest(world, hostilePermitTokenAbi, hostilePermitTokenBytecode, [])
    await act.setTokenListed(world, { token, listed: true })
    return token
  }

  async function behave(token: Address, conduct: number, target: Address = token, call: Hex = '0x') {
    const args = [conduct, target, call] as const
    const data = encodeFunctionData({ abi: hostilePermitTokenAbi, functionName: 'behave', args })
    await send(world.chain, world.parties.stranger, { to: token, data })
  }

  test.each(CONDUCTS)('$words decides nothing: the allowance does', async ({ conduct }) => {
    const token = await hostileToken()
    const vault = await vaultOf(token)
    await behave(token, conduct)
    const signed = await permitFor(token, vault)

    expect(await revertOf(depositWithPermit(vault, signed))).toEqual({
      errorName: 'ERC20InsufficientAllowance',
      args: [vault, 0n, ASSETS],
    })
    await act.approve(world, { owner: lender, token, spender: vault, amount: ASSETS })
    await depositWithPermit(vault, signed)
    expect(await act.vaultCapital(world, vault)).toMatchObject({ idleAssets: ASSETS })
  })

  test('deposits again in its place changes no price of the deposit around it', async () => {
    const token = await hostileToken()
    const vault = await vaultOf(token)
    const signed = await permitFor(token, vault)
    await act.approve(world, { owner: lender, token, spender: vault, amount: ASSETS })
    await act.mint(world, { token, to: token, amount: ASSETS })
    const approve = encodeFunctionData({
      abi: permitTokenAbi,
      functionName: 'approve',
      args: [vault, ASSETS],
    })
    await behave(token, 3, token, approve)
    // The token approves the vault in its own name, then deposits from its permit.
    await depositWithPermit(vault, signed, { assets: 1n })
    const args = [ASSETS, world.parties.stranger.address] as const
    const again = encodeFunctionData({ abi: financingVaultAbi, functionName: 'deposit', args })
    await behave(token, 3, vault, again)

    const receipt = await depositWithPermit(vault, signed, { assets: ASSETS - 1n })

    const deposits = eventsOf(receipt).filter(({ name }) => name === 'Deposit')
    expect(deposits).toMatchObject([
      { args: { sender: token, assets: ASSETS, shares: ASSETS * UNIT } },
      { args: { sender: lender.address, assets: ASSETS - 1n, shares: (ASSETS - 1n) * UNIT } },
    ])
    expect(await act.vaultCapital(world, vault)).toMatchObject({
      idleAssets: 2n * ASSETS,
      totalAssets: 2n * ASSETS,
      totalSupply: 2n * ASSETS * UNIT,
    })
  })

  test('repays in the name of the router is refused', async () => {
    const token = await hostileToken()
    const vault = await vaultOf(token)
    const signed = await permitFor(token, vault)
    await act.approve(world, { owner: lender, token, spender: vault, amount: ASSETS })
    const args = [zeroHash, 0, ASSETS, ASSETS] as const
    const functionName = 'recordRepayment'
    await behave(token, 3, vault, encodeFunctionData({ abi: financingVaultAbi, functionName, args }))
    await depositWithPermit(vault, signed)
    const answer = await world.chain.readContract({
      address: token,
      abi: hostilePermitTokenAbi,
      functionName: 'answer',
    })
    expect(decodeErrorResult({ abi: financingVaultAbi, data: answer }).errorName).toBe('OnlyRouter')
    expect(await act.vaultCapital(world, vault)).toMatchObject({ idleAssets: ASSETS, totalAssets: ASSETS })
  })
})
