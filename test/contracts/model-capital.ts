/**
 * The model's view of a vault's providers (ERC-4626): every rounding favours those who stay. Shares are issued at the
 * value of the entry and redeemed at that of the exit.
 */
import type { Address } from 'viem'
import { balance, type Model, type ModelVault, move, type Refusal, refuse, vaultOf } from './model.ts'
import { noteMove } from './model-ledger.ts'
import { ceilDiv, entryAssetsOf, totalAssetsOf, VIRTUAL_SHARES } from './model-value.ts'

const NOBODY: Address = '0x0000000000000000000000000000000000000000'

export function sharesFor(vault: ModelVault, assets: bigint, now: bigint): bigint {
  return (assets * (vault.totalSupply + VIRTUAL_SHARES)) / (entryAssetsOf(vault, now) + 1n)
}

export function assetsFor(vault: ModelVault, shares: bigint, now: bigint): bigint {
  return (shares * (totalAssetsOf(vault, now) + 1n)) / (vault.totalSupply + VIRTUAL_SHARES)
}

export function maxDeposit(vault: ModelVault, now: bigint): bigint {
  const room = 2n ** 192n - 1n - entryAssetsOf(vault, now)
  return vault.active && room > 0n && sharesFor(vault, room, now) > 0n ? room : 0n
}

export function deposit(
  model: Model,
  provider: Address,
  address: Address,
  assets: bigint,
): Refusal | undefined {
  const vault = vaultOf(model, address)
  const limit = maxDeposit(vault, model.now)
  if (assets > limit) return refuse('ERC4626ExceededMaxDeposit', provider, assets, limit)
  const shares = sharesFor(vault, assets, model.now)
  if (shares === 0n) return refuse('NoShares')
  const owned = balance(model, vault.token, provider)
  if (assets > owned) return refuse('ERC20InsufficientBalance', provider, owned, assets)
  noteMove(model, address, { provider, assets, shares }, () => {
    move(model, vault.token, provider, address, assets)
    move(model, address, NOBODY, provider, shares)
    vault.idleAssets += assets
    vault.totalSupply += shares
  })
  return undefined
}

/** The most shares that are worth no more than the idle assets. */
export function maxRedeem(model: Model, provider: Address, address: Address): bigint {
  const vault = vaultOf(model, address)
  const worth = (vault.idleAssets + 1n) * (vault.totalSupply + VIRTUAL_SHARES)
  const payable = (worth - 1n) / (totalAssetsOf(vault, model.now) + 1n)
  const owned = balance(model, address, provider)
  return owned < payable ? owned : payable
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
  const vault = vaultOf(model, address)
  const worth = assets * (vault.totalSupply + VIRTUAL_SHARES)
  pay(model, provider, address, assets, ceilDiv(worth, totalAssetsOf(vault, model.now) + 1n))
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
  noteMove(model, address, { provider, assets: -assets, shares: -shares }, () => {
    move(model, address, provider, NOBODY, shares)
    move(model, vault.token, address, provider, assets)
    vault.idleAssets -= assets
    vault.totalSupply -= shares
  })
}
