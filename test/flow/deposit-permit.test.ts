/** A lender signs a permit of the token (EIP-2612) in place of the approval of a deposit. */
import { decodeFunctionData, encodeFunctionData, type Hex, parseSignature, serializeSignature } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { permitTokenAbi } from '../../abis/PermitToken.ts'
import { permitDigest } from '../../api/typed-data/permit.ts'
import {
  hostilePermitTokenAbi,
  hostilePermitTokenBytecode,
} from '../../contracts/testing/generated/HostilePermitToken.ts'
import { type LiveWorld, startLiveWorld } from '../support/live-world.ts'
import type { Party } from '../support/parties.ts'
import { createPermitToken } from '../support/permits.ts'
import { postPrepare, prepare, sendAll, sendPrepared } from '../support/prepared.ts'
import { createSmartWallet, deployForTest } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { readJson, signIn } from '../support/sign-in.ts'
import { eventsOf, send } from '../support/transactions.ts'

const USD = 1_000_000n
const ASSETS = 500n * USD

/** Order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const bytes = z.string().transform((text): Hex => `0x${text.slice(2)}`)
const integer = z.string().transform((text) => BigInt(text))
const offered = z.strictObject({
  typedData: z.object({
    domain: z.object({
      name: z.string(),
      version: z.string(),
      chainId: z.int(),
      verifyingContract: bytes,
    }),
    types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
    primaryType: z.literal('Permit'),
    message: z.object({ owner: bytes, spender: bytes, value: integer, nonce: integer, deadline: integer }),
  }),
  digest: bytes,
  deadline: z.iso.datetime(),
})
type Offered = z.output<typeof offered>
type Signed = { signature: Hex; deadline: string }

let the: LiveWorld
/** Time by the clock of the gateway where a test sets it, milliseconds. */
let now: number | undefined
let lender: Party
let session: string
let asset: Hex
let vault: Hex
beforeAll(async () => {
  the = await startLiveWorld({}, {}, () => now ?? Date.now())
  lender = the.world.parties.stranger
  session = await signIn(the.app, { address: lender.address, signMessage: lender.key.signMessage })
  asset = await createPermitToken(the.world)
  vault = await createVault(asset)
  await act.mint(the.world, { token: asset, to: lender.address, amount: 100n * ASSETS })
})
afterAll(() => the?.stop())

async function createVault(token: Hex): Promise<Hex> {
  const created = await act.createVault(the.world, { token })
  await act.finalize(the.world)
  return created.vault
}

const path = (of: Hex) => `/vaults/${of}/deposits/prepare`
const prepared = (body: object, of = vault) => prepare(the.app, session, path(of), body)
const refused = async (body: object) => readJson(await postPrepare(the.app, session, path(vault), body))

async function offer(assets = ASSETS, of = vault): Promise<Offered> {
  return offered.parse((await prepared({ assets: `${assets}` }, of)).permit)
}

async function sign({ typedData, deadline }: Offered, by = lender): Promise<Signed> {
  return { signature: await by.key.signTypedData(typedData), deadline }
}

/** Submits the signed permit as anyone can. */
async function submit({ typedData }: Offered, { signature }: Signed) {
  const { owner, spender, value, deadline } = typedData.message
  const { r, s, yParity } = parseSignature(signature)
  const args = [owner, spender, value, deadline, 27 + yParity, r, s] as const
  const data = encodeFunctionData({ abi: permitTokenAbi, functionName: 'permit', args })
  await send(the.world.chain, the.world.parties.relayer, { to: asset, data })
}

const revoke = () => act.approve(the.world, { owner: lender, token: asset, spender: vault, amount: 0n })

describe('a deposit with a permit', () => {
  it('is a signature and one transaction, which leaves no allowance', async () => {
    const first = await prepared({ assets: `${ASSETS}` })
    const permit = offered.parse(first.permit)
    const { typedData, digest, deadline } = permit
    expect(first.approvals).toHaveLength(1)
    expect(typedData.domain).toMatchObject({ name: 'Permit Dollar', verifyingContract: asset })
    expect(typedData.message).toMatchObject({
      owner: lender.address,
      spender: vault,
      value: ASSETS,
      nonce: 0n,
      deadline: BigInt(Date.parse(deadline)) / 1000n,
    })
    expect(permitDigest(typedData.domain, typedData.message)).toBe(digest)

    const signed = await sign(permit)
    const second = await prepared({ assets: `${ASSETS}`, permit: signed })

    expect(second).toMatchObject({ approvals: [], issues: [], permit: null, minShares: first.minShares })
    const { r, s, yParity } = parseSignature(signed.signature)
    const { functionName, args } = decodeFunctionData({
      abi: financingVaultAbi,
      data: second.transaction.data,
    })
    const bound = BigInt(String(second.minShares))
    expect([functionName, args?.[0], ...(args?.slice(2) ?? [])]).toEqual([
      'depositWithPermit',
      ASSETS,
      bound,
      typedData.message.deadline,
      27 + yParity,
      r,
      s,
    ])
    const receipt = await sendPrepared(the.world, second)
    expect(eventsOf(receipt).at(-1)).toMatchObject({
      name: 'Deposit',
      args: { owner: lender.address, assets: ASSETS },
    })
    const left = { address: asset, abi: permitTokenAbi, functionName: 'allowance' } as const
    expect(await the.world.chain.readContract({ ...left, args: [lender.address, vault] })).toBe(0n)
  })

  it('that a stranger submitted is prepared as a deposit that needs none', async () => {
    const permit = await offer()
    const signed = await sign(permit)
    const before = await prepared({ assets: `${ASSETS}`, permit: signed })
    await submit(permit, signed)
    const after = await prepared({ assets: `${ASSETS}`, permit: signed })
    expect(after).toMatchObject({ approvals: [], issues: [], permit: null })
    expect(decodeFunctionData({ abi: financingVaultAbi, data: after.transaction.data })).toMatchObject({
      functionName: 'deposit',
    })
    // The transaction that was prepared before has the same effect.
    await sendPrepared(the.world, before)
  })

  it('states what else the wallet lacks', async () => {
    const need = 1_000n * ASSETS
    const permit = await sign(await offer(need))
    const { issues } = await prepared({ assets: `${need}`, permit })
    expect(issues).toMatchObject([{ code: 'BALANCE_TOO_LOW', need: `${need}` }])
  })

  it('whose token gives no allowance for it would revert, as the simulation shows', async () => {
    const token = await deployForTest(the.world, hostilePermitTokenAbi, hostilePermitTokenBytecode, [])
    await act.setTokenListed(the.world, { token, listed: true })
    const of = await createVault(token)
    await act.mint(the.world, { token, to: lender.address, amount: ASSETS })
    const permit = await sign(await offer(ASSETS, of))
    const answer = await prepared({ assets: `${ASSETS}`, permit }, of)
    expect(answer.issues).toMatchObject([
      { code: 'EXECUTION_WOULD_REVERT', errorName: 'ERC20InsufficientAllowance' },
    ])
    await sendAll(the.world, await prepared({ assets: `${ASSETS}` }, of))
  })
})

describe('the deadline of a permit', () => {
  afterEach(() => {
    now = undefined
  })

  it('is half an hour after the later one of clock and latest block', async () => {
    const time = await act.chainTime(the.world)
    now = Number(time) * 1000 + 600_999
    expect((await offer()).typedData.message.deadline).toBe(time + 600n + 1_800n)
    now = Number(time - 60n) * 1000
    expect((await offer()).typedData.message.deadline).toBe(time + 1_800n)
  })

  it('is over by the clock, too, while no block is as late', async () => {
    const permit = await offer()
    const signed = await sign(permit)
    now = Date.parse(permit.deadline) - 1
    expect((await prepared({ assets: `${ASSETS}`, permit: signed })).approvals).toEqual([])
    now += 1
    expect(await refused({ assets: `${ASSETS}`, permit: signed })).toMatchObject({
      code: 'PERMIT_INVALID',
      detail: expect.stringMatching(/is over/),
    })
  })
})

describe('no permit is offered', () => {
  it('for shares, whose price changes, and where no approval is needed', async () => {
    const shares = await prepared({ shares: `${ASSETS * USD}` })
    expect(shares).toMatchObject({ permit: null })
    expect(shares.approvals).toHaveLength(1)
    await act.approve(the.world, { owner: lender, token: asset, spender: vault, amount: ASSETS })
    expect(await prepared({ assets: `${ASSETS}` })).toMatchObject({ permit: null, approvals: [] })
    await revoke()
  })

  it('where a permit was submitted, whatever the wallet lacks besides', async () => {
    const need = 1_000n * ASSETS
    const permit = await offer(need)
    const signed = await sign(permit)
    await submit(permit, signed)
    const lacking = { permit: null, approvals: [], issues: [{ code: 'BALANCE_TOO_LOW', need: `${need}` }] }
    expect(await prepared({ assets: `${need}` })).toMatchObject(lacking)
    expect(await prepared({ assets: `${need}`, permit: signed })).toMatchObject(lacking)
    await revoke()
  })

  it('by a token without the function', async () => {
    const answer = await prepared({ assets: '1' }, await createVault(the.world.usd))
    expect(answer).toMatchObject({ permit: null })
    expect(answer.approvals).toHaveLength(1)
  })

  it('to a contract, which has no key; to an account that delegates to one it is', async () => {
    const { otherBeneficiary } = the.world.parties
    const { address, key } = await createSmartWallet(the.world, otherBeneficiary)
    const asContract = await signIn(the.app, { address, signMessage: key.signMessage })
    const answer = await prepare(the.app, asContract, path(vault), { assets: '1' })
    expect(answer).toMatchObject({ permit: null })
    expect(answer.approvals).toHaveLength(1)
    const delegate = address.slice(2)
    await the.world.chain.setCode({ address: lender.address, bytecode: `0xef0100${delegate}` })
    expect((await offer()).typedData.message.owner).toBe(lender.address)
    await the.world.chain.setCode({ address: lender.address, bytecode: '0x' })
  })
})

describe('PERMIT_INVALID', () => {
  const code = 'PERMIT_INVALID'
  const invalid = (permit: Signed, assets = ASSETS) => refused({ assets: `${assets}`, permit })

  it('is the answer to a signature of another wallet, amount, deadline or domain', async () => {
    const permit = await offer()
    const signed = await sign(permit)
    const later = new Date(Date.parse(signed.deadline) + 1000).toISOString()
    const domain = { ...permit.typedData.domain, name: 'Permit Euro' }
    const ofOther = await sign(permit, the.world.parties.payer)
    const ofDomain = await sign({ ...permit, typedData: { ...permit.typedData, domain } })
    expect(await invalid(ofOther)).toMatchObject({ status: 422, code, token: asset, owner: lender.address })
    expect(await invalid(signed, ASSETS - 1n)).toMatchObject({ code })
    expect(await invalid({ ...signed, deadline: later })).toMatchObject({ code })
    expect(await invalid(ofDomain)).toMatchObject({ code })
  })

  it('is the answer to a permit that was used', async () => {
    const permit = await offer()
    const signed = await sign(permit)
    await submit(permit, signed)
    await revoke()
    expect(await invalid(signed)).toMatchObject({ code })
  })

  it('is the answer once the deadline is over', async () => {
    const { typedData } = await offer()
    const now = await act.chainTime(the.world)
    const past = { ...typedData, message: { ...typedData.message, deadline: now } }
    const signature = await lender.key.signTypedData(past)
    const deadline = new Date(Number(now) * 1000).toISOString()
    const { detail } = await invalid({ signature, deadline })
    expect(detail).toMatch(/is over/)
  })

  it('is the answer to the other signature of the message, and to none of a key', async () => {
    const signed = await sign(await offer())
    const { r, s, yParity } = parseSignature(signed.signature)
    const larger = `0x${(ORDER - BigInt(s)).toString(16).padStart(64, '0')}` as const
    const other = serializeSignature({ r, s: larger, yParity: 1 - yParity })
    expect(await invalid({ ...signed, signature: other })).toMatchObject({ code })
    for (const signature of [`0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`] as const)
      expect(await invalid({ ...signed, signature })).toMatchObject({ code })
  })
})

it('a permit that cannot be one is refused before anything is read', async () => {
  const deadline = '2099-01-01T00:00:00Z'
  const signature: Hex = `0x${'11'.repeat(65)}`
  const bodies = [
    { shares: '1', permit: { signature, deadline } },
    { assets: '1', permit: { signature: signature.slice(0, -2), deadline } },
    { assets: '1', permit: { signature } },
    { assets: '1', permit: { signature, deadline, value: '1' } },
  ]
  for (const body of bodies)
    expect(await refused(body)).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: [{ path: expect.stringMatching(/^permit/) }],
    })
})
