import { type Address, encodeFunctionData, type Hex, parseEventLogs, type TransactionReceipt } from 'viem'
import { financingVaultAbi } from '../../../abis/FinancingVault.ts'
import { vaultRegistryAbi } from '../../../abis/VaultRegistry.ts'
import { lowercase, type Party } from '../parties.ts'
import type { World } from '../protocol.ts'
import { send } from '../transactions.ts'
import { approve, mint } from './tokens.ts'

/** Face bounds in base units of the vault's token; claim type t is supported when bit t of the bitmap is set. */
export type Mandate = {
  supportedTypesBitmap: bigint
  minDurationDays: number
  maxDurationDays: number
  minFace: bigint
  maxFace: bigint
  maxClaimFace: bigint
  maxIssuerFace: bigint
}
/** Basis points. */
export type Pricing = { baseDiscountBps: number; durationBpsPerDay: number; premiumBps: readonly number[] }

/** Types 0 to 3, up to a year and to the last second, any lot from one base unit on, any face of a claim. */
export const OPEN_MANDATE: Mandate = {
  supportedTypesBitmap: 0b1111n,
  minDurationDays: 0,
  maxDurationDays: 365,
  minFace: 1n,
  maxFace: 10n ** 30n,
  maxClaimFace: 2n ** 128n - 1n,
  maxIssuerFace: 2n ** 256n - 1n,
}
/** 1 % flat. */
export const FLAT_PRICING: Pricing = { baseDiscountBps: 100, durationBpsPerDay: 0, premiumBps: [] }

export type VaultTerms = {
  token: Address
  curator?: Party
  name?: string
  symbol?: string
  /** Seconds. Default: terms take effect at once. */
  noticePeriod?: number
  /** Default of each field: the one of `OPEN_MANDATE`. */
  mandate?: Partial<Mandate>
  /** Default of each field: the one of `FLAT_PRICING`. */
  pricing?: Partial<Pricing>
  as?: Party
}

/** The admin creates a vault; `curator` (the party of that name unless given) submits its terms from then on. */
export async function createVault(
  world: World,
  terms: VaultTerms,
): Promise<{ vault: Address; receipt: TransactionReceipt }> {
  const {
    token,
    curator = world.parties.curator,
    name = 'Demo Vault',
    symbol = 'dV',
    noticePeriod = 0,
  } = terms
  const mandate = { ...OPEN_MANDATE, ...terms.mandate }
  const pricing = { ...FLAT_PRICING, ...terms.pricing }
  const data = encodeFunctionData({
    abi: vaultRegistryAbi,
    functionName: 'createVault',
    args: [token, name, symbol, curator.address, noticePeriod, mandate, pricing],
  })
  const sender = terms.as ?? world.parties.admin
  const receipt = await send(world.chain, sender, { to: world.protocol.vaultRegistry, data })
  const [registered] = parseEventLogs({
    abi: vaultRegistryAbi,
    logs: receipt.logs,
    eventName: 'VaultRegistered',
  })
  if (!registered) throw new Error('createVault emitted no VaultRegistered')
  return { vault: lowercase(registered.args.vault), receipt }
}

/** `createVault`, then `deposit` of `capital` base units by the provider. */
export async function createFundedVault(
  world: World,
  { capital, ...terms }: VaultTerms & { capital: bigint },
): Promise<Address> {
  const { vault } = await createVault(world, terms)
  await deposit(world, { provider: world.parties.provider, vault, assets: capital })
  return vault
}

type DepositTerms = { provider: Party; vault: Address; assets: bigint; receiver?: Party }

/** Mints `assets` base units to the provider, approves the vault for exactly these and deposits them. */
export async function deposit(world: World, terms: DepositTerms): Promise<TransactionReceipt> {
  const { provider, vault, assets } = terms
  const token = await assetOf(world, vault)
  await mint(world, { token, to: provider.address, amount: assets })
  await approve(world, { owner: provider, token, spender: vault, amount: assets })
  return depositOwned(world, terms)
}

/** Deposits what the provider has and has approved. The shares are the provider's unless a receiver is given. */
export async function depositOwned(
  world: World,
  { provider, vault, assets, receiver = provider }: DepositTerms,
): Promise<TransactionReceipt> {
  const args = [assets, receiver.address] as const
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'deposit', args })
  return send(world.chain, provider, { to: vault, data })
}

export async function withdraw(
  world: World,
  { provider, vault, assets }: { provider: Party; vault: Address; assets: bigint },
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({
    abi: financingVaultAbi,
    functionName: 'withdraw',
    args: [assets, provider.address, provider.address],
  })
  return send(world.chain, provider, { to: vault, data })
}

export async function redeem(
  world: World,
  { provider, vault, shares }: { provider: Party; vault: Address; shares: bigint },
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({
    abi: financingVaultAbi,
    functionName: 'redeem',
    args: [shares, provider.address, provider.address],
  })
  return send(world.chain, provider, { to: vault, data })
}

/** Brings the value of a vault forward to a day, counted from the epoch; anyone may. */
export async function carryForward(
  world: World,
  { sender, vault, day }: { sender: Party; vault: Address; day: bigint },
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'carryForward', args: [day] })
  return send(world.chain, sender, { to: vault, data })
}

/** Gives shares of a vault to another holder. */
export async function transferShares(
  world: World,
  { from, vault, to, shares }: { from: Party; vault: Address; to: Address; shares: bigint },
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'transfer', args: [to, shares] })
  return send(world.chain, from, { to: vault, data })
}

type Submission = { curator: Party; vault: Address; mandate: Mandate; pricing: Pricing }

/** Submits mandate and pricing. */
export function submitTerms(
  world: World,
  { curator, vault, mandate, pricing }: Submission,
): Promise<TransactionReceipt> {
  const args = [mandate, pricing] as const
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'submitTerms', args })
  return send(world.chain, curator, { to: vault, data })
}

/** Puts the pending terms into effect; anyone may. */
export function acceptTerms(
  world: World,
  { sender, vault }: { sender: Party; vault: Address },
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'acceptTerms' })
  return send(world.chain, sender, { to: vault, data })
}

/** Takes back the pending terms. */
export function revokeTerms(
  world: World,
  { curator, vault }: { curator: Party; vault: Address },
): Promise<TransactionReceipt> {
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName: 'revokeTerms' })
  return send(world.chain, curator, { to: vault, data })
}

/** Submits the whole mandate and the present pricing; what is not given is `OPEN_MANDATE`'s. */
export async function setMandate(
  world: World,
  { curator, vault, mandate }: { curator: Party; vault: Address; mandate: Partial<Mandate> },
): Promise<TransactionReceipt> {
  const read = { abi: financingVaultAbi, address: vault, functionName: 'pricing' } as const
  const pricing = await world.chain.readContract(read)
  return submitTerms(world, { curator, vault, mandate: { ...OPEN_MANDATE, ...mandate }, pricing })
}

/** Submits the whole pricing and the present mandate; what is not given is `FLAT_PRICING`'s. */
export async function setPricing(
  world: World,
  { curator, vault, pricing }: { curator: Party; vault: Address; pricing: Partial<Pricing> },
): Promise<TransactionReceipt> {
  const read = { abi: financingVaultAbi, address: vault, functionName: 'mandate' } as const
  const mandate = await world.chain.readContract(read)
  return submitTerms(world, { curator, vault, mandate, pricing: { ...FLAT_PRICING, ...pricing } })
}

/** Every figure a vault knows about its capital. */
export async function vaultCapital(world: World, vault: Address) {
  const figure = (
    functionName:
      | 'idleAssets'
      | 'outstandingFace'
      | 'outstandingAdvance'
      | 'totalAssets'
      | 'entryAssets'
      | 'totalSupply'
      | 'fundableLiquidity',
  ) => world.chain.readContract({ abi: financingVaultAbi, address: vault, functionName })
  return {
    idleAssets: await figure('idleAssets'),
    outstandingFace: await figure('outstandingFace'),
    outstandingAdvance: await figure('outstandingAdvance'),
    totalAssets: await figure('totalAssets'),
    entryAssets: await figure('entryAssets'),
    totalSupply: await figure('totalSupply'),
    fundableLiquidity: await figure('fundableLiquidity'),
  }
}

export const QUOTE_REASONS = [
  'NONE',
  'CLAIM_NOT_FINANCEABLE',
  'CLAIM_PAST_DUE',
  'TOKEN_MISMATCH',
  'TYPE_NOT_SUPPORTED',
  'DURATION_BELOW_MINIMUM',
  'DURATION_EXCEEDED',
  'BELOW_MINIMUM_LOT',
  'ABOVE_MAXIMUM_LOT',
  'FACE_EXCEEDS_REMAINING',
  'ABOVE_MAXIMUM_CLAIM_FACE',
  'ABOVE_MAXIMUM_ISSUER_FACE',
] as const

/** Quote of the vault at the latest block. */
export async function quoteOf(world: World, vault: Address, claimId: Hex, faceAmount: bigint) {
  const [acceptable, reason, discountAmount, advanceAmount] = await world.chain.readContract({
    abi: financingVaultAbi,
    address: vault,
    functionName: 'quote',
    args: [claimId, faceAmount],
  })
  return { acceptable, reason: QUOTE_REASONS[reason], discountAmount, advanceAmount }
}

function assetOf(world: World, vault: Address): Promise<Address> {
  return world.chain.readContract({ abi: financingVaultAbi, address: vault, functionName: 'asset' })
}
