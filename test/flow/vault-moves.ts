/** Changes of a vault between a preparation and its transaction, and the terms that a curator may submit. */
import type { Hex } from 'viem'
import { financingVaultAbi as abi } from '../../abis/FinancingVault.ts'
import type { World } from '../support/protocol.ts'
import * as act from '../support/scenario.ts'
import { ContractReverted } from '../support/transactions.ts'

/** A vault with the claims that it may have financed, and those in its token that are not due. */
export type Scene = { world: World; asset: Hex; vault: Hex; claims: Hex[]; open: Hex[] }

type Moves = Record<string, (scene: Scene, size: number) => Promise<unknown>>

const UNIT = 1_000_000n
/** `size` is from 1 to 1000. */
const part = (amount: bigint, size: number) => (amount * BigInt(size)) / 1000n

export const moves = {
  wait: async ({ world }, size) =>
    act.travelTo(world, (await act.chainTime(world)) + BigInt(size) * BigInt(size)),
  deposit: ({ world, vault }, size) =>
    act.deposit(world, { provider: world.parties.provider, vault, assets: BigInt(size) * UNIT }),
  withdraw: async ({ world, vault }, size) => {
    const { provider } = world.parties
    const read = { abi, address: vault, functionName: 'maxWithdraw', args: [provider.address] } as const
    await act.withdraw(world, { provider, vault, assets: part(await world.chain.readContract(read), size) })
  },
  finance: async ({ world, asset, vault, claims, open }, size) => {
    const { issuer, beneficiary: user } = world.parties
    const { idleAssets } = await act.vaultCapital(world, vault)
    const faceAmount = part(idleAssets, size)
    const terms = { issuer, beneficiary: user.address, token: asset, faceValue: 2n * faceAmount }
    const dueDate = (await act.chainTime(world)) + BigInt(size) * 3_600n
    const { claimId } = await act.registerClaim(world, { ...terms, dueDate, claimType: size % 4 })
    claims.push(claimId)
    open.push(claimId)
    await act.executeFinancing(world, { user, claimId, vault, faceAmount })
  },
  settle: async ({ world, claims }, size) => {
    const claimId = claims[size % claims.length]
    if (claimId) await act.mintAndSettle(world, { payer: world.parties.payer, claimId })
  },
  payLate: async ({ world, claims }, size) => {
    const claimId = claims[size % claims.length]
    if (!claimId) return
    const { dueDate, faceValue } = await act.claimOf(world, claimId)
    const late = dueDate + BigInt(size) * 7_200n
    if (late > (await act.chainTime(world))) await act.travelTo(world, late)
    await act.mintAndPay(world, { payer: world.parties.payer, claimId, faceAmount: part(faceValue, size) })
  },
  overdue: async ({ world, claims }, size) => {
    const claimId = claims[size % claims.length]
    if (!claimId) return
    const late = (await act.claimOf(world, claimId)).dueDate + BigInt(size) * 3_600n
    if (late > (await act.chainTime(world))) await act.travelTo(world, late)
  },
  deactivate: ({ world, vault }) => act.setVaultActive(world, { vault, active: false }),
  activate: ({ world, vault }) => act.setVaultActive(world, { vault, active: true }),
  giveShares: async ({ world, vault }, size) => {
    const { stranger: from, provider } = world.parties
    const read = { abi, address: vault, functionName: 'balanceOf', args: [from.address] } as const
    const shares = part(await world.chain.readContract(read), size)
    await act.transferShares(world, { from, vault, to: size % 2 ? vault : provider.address, shares })
  },
  donate: async ({ world, asset: token, vault }, size) => {
    const { provider: from } = world.parties
    await act.mint(world, { token, to: from.address, amount: BigInt(size) * UNIT })
    await act.transfer(world, { from, token, to: vault, amount: BigInt(size) * UNIT })
  },
  submitTerms: async ({ world, vault }, size) => {
    const { mandate, pricing } = await termsOf(world, vault)
    const next = { mandate: changedMandate(mandate, size), pricing: changedPricing(pricing, size) }
    await act.submitTerms(world, { curator: world.parties.curator, vault, ...next })
  },
  acceptTerms: ({ world, vault }) => act.acceptTerms(world, { sender: world.parties.payer, vault }),
  revokeTerms: ({ world, vault }) => act.revokeTerms(world, { curator: world.parties.curator, vault }),
} satisfies Moves

export type Move = { kind: keyof typeof moves; size: number }

/** The contracts refuse a move that does not fit. */
export async function make(scene: Scene, { kind, size }: Move): Promise<void> {
  try {
    await moves[kind](scene, size)
  } catch (error) {
    if (!(error instanceof ContractReverted)) throw error
  }
}

export async function termsOf({ chain }: World, vault: Hex) {
  const read = { abi, address: vault } as const
  return {
    mandate: await chain.readContract({ ...read, functionName: 'mandate' }),
    pricing: await chain.readContract({ ...read, functionName: 'pricing' }),
  }
}

/** Tighter and looser mandates, and ones that no claim fits. */
export function changedMandate(present: act.Mandate, size: number): act.Mandate {
  const { supportedTypesBitmap, minDurationDays, maxDurationDays, minFace, maxFace } = present
  const changes: readonly Partial<act.Mandate>[] = [
    { minDurationDays: minDurationDays + (size % 20) },
    { maxDurationDays: Math.floor(maxDurationDays / 2) },
    { maxDurationDays: maxDurationDays + size },
    { supportedTypesBitmap: supportedTypesBitmap & BigInt(size) },
    { supportedTypesBitmap: supportedTypesBitmap | BigInt(size) },
    { minFace: minFace * BigInt(size) },
    { minFace: 1n },
    { maxFace: maxFace / BigInt(size) },
    { maxFace: act.OPEN_MANDATE.maxFace },
    { maxClaimFace: BigInt(size) * UNIT },
    {},
  ]
  return { ...present, ...changes[size % changes.length] }
}

/** Higher and lower rates, and ones of more than the face. */
export function changedPricing(present: act.Pricing, size: number): act.Pricing {
  const { baseDiscountBps, durationBpsPerDay, premiumBps } = present
  const changes: readonly Partial<act.Pricing>[] = [
    { baseDiscountBps: baseDiscountBps + size },
    { baseDiscountBps: Math.floor(baseDiscountBps / 2) },
    { durationBpsPerDay: durationBpsPerDay + (size % 9) },
    { durationBpsPerDay: 0 },
    { premiumBps: [0, size % 90] },
    { premiumBps: premiumBps.slice(1) },
    {},
  ]
  return { ...present, ...changes[size % changes.length] }
}
