/** The model's view of a vault's providers (ERC-4626): every rounding favours those who stay. */
import type { Address } from 'viem'
import { balance, type Model, type ModelVault, move, type Refusal, refuse, vaultOf } from './model.ts'
import { bookValueOf, lockedProfitOf, lockRemains } from './model-profit.ts'

const NOBODY: Address = '0x0000000000000000000000000000000000000000'

export function totalAssetsOf(vault: ModelVault, now: bigint): bigint {
  return bookValueOf(vault) - lockedProfitOf(vault, now)
}

/** One virtual share and one virtual asset stand behind every price. */
function sharesFor(vault: ModelVault, assets: bigint, rounding: 'UP' | 'DOWN', now: bigint): bigint {
  const worth = assets * (vault.totalSupply + 1n)
  const unit = totalAssetsOf(vault, now) + 1n
  return rounding === 'UP' ? (worth + unit - 1n) / unit : worth / unit
}

export function assetsFor(vault: ModelVault, shares: bigint, now: bigint): bigint {
  return (shares * (totalAssetsOf(vault, now) + 1n)) / (vault.totalSupply + 1n)
}

export function deposit(
  model: Model,
  provider: Address,
  address: Address,
  assets: bigint,
): Refusal | undefined {
  const vault = vaultOf(model, address)
  const limit = vault.active ? 2n ** 256n - 1n : 0n
  if (assets > limit) return refuse('ERC4626ExceededMaxDeposit', provider, assets, limit)
  const owned = balance(model, vault.token, provider)
  if (assets > owned) return refuse('ERC20InsufficientBalance', provider, owned, assets)
  const shares = sharesFor(vault, assets, 'DOWN', model.now)
  lockRemains(vault, model.now)
  move(model, vault.token, provider, address, assets)
  move(model, address, NOBODY, provider, shares)
  vault.idleAssets += assets
  vault.totalSupply += shares
  return undefined
}

export function maxRedeem(model: Model, provider: Address, address: Address): bigint {
  const vault = vaultOf(model, address)
  const payable = sharesFor(vault, vault.idleAssets, 'DOWN', model.now)
  const owned = balance(model, address, provider)
  if (owned < payable) return owned
  return payable
}

export function maxWithdraw(model: Model, provider: Address, address: Address): bigint {
  return assetsFor(vaultOf(model, address), maxRedeem(model, provider, address), model.now)
}

export function withdraw(
  model: Model,
  provider: Address,
  address: Address,
  assets: bigint,
): Refusal | undefined {
  const limit = maxWithdraw(model, provider, address)
  if (assets > limit) return refuse('ERC4626ExceededMaxWithdraw', provider, assets, limit)
  pay(model, provider, address, assets, sharesFor(vaultOf(model, address), assets, 'UP', model.now))
  return undefined
}

export function redeem(
  model: Model,
  provider: Address,
  address: Address,
  shares: bigint,
): Refusal | undefined {
  const limit = maxRedeem(model, provider, address)
  if (shares > limit) return refuse('ERC4626ExceededMaxRedeem', provider, shares, limit)
  pay(model, provider, address, assetsFor(vaultOf(model, address), shares, model.now), shares)
  return undefined
}

function pay(model: Model, provider: Address, address: Address, assets: bigint, shares: bigint): void {
  const vault = vaultOf(model, address)
  move(model, address, provider, NOBODY, shares)
  move(model, vault.token, address, provider, assets)
  vault.idleAssets -= assets
  vault.totalSupply -= shares
}
