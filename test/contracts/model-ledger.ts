/**
 * Who may have earned how much: the discounts that a vault earns belong to the shares that exist meanwhile, and what a
 * provider leaves behind when it leaves during a loss belongs to the shares that stay.
 */
import type { Address } from 'viem'
import { balance, type Model, vaultOf } from './model.ts'
import { ceilDiv, earnedBy, entryAssetsOf, PARTS, VIRTUAL_SHARES } from './model-value.ts'

/** Lets time pass: every provider earns its part of the discounts that are earned meanwhile. */
export function passTime(model: Model, until: bigint): void {
  for (const [address, vault] of model.vaults) {
    share(model, address, earnedBy(vault, until) - earnedBy(vault, model.now))
  }
  model.now = until
}

/** Moves `assets` and `shares` (negative: out of the vault), and gives all shares what the move leaves to the vault. */
export function noteMove(
  model: Model,
  address: Address,
  { provider, assets, shares }: { provider: Address; assets: bigint; shares: bigint },
  moveBoth: () => void,
): void {
  const vault = vaultOf(model, address)
  const { moves, providers } = vault.ledger
  const worth =
    (shares * (entryAssetsOf(vault, model.now) + 1n) * PARTS) / (vault.totalSupply + VIRTUAL_SHARES)
  const { net, earned } = providers.get(provider) ?? { net: 0n, earned: 0n }
  providers.set(provider, { net: net + assets, earned })
  vault.ledger.moves = moves + 1n
  moveBoth()
  share(model, address, assets * PARTS - worth)
}

function share(model: Model, address: Address, parts: bigint): void {
  const { ledger, totalSupply } = vaultOf(model, address)
  for (const [provider, { net, earned }] of ledger.providers) {
    const part = ceilDiv(parts * balance(model, address, provider), totalSupply + VIRTUAL_SHARES)
    ledger.providers.set(provider, { net, earned: earned + part })
  }
}
