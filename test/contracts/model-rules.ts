/** The rules of value that hold in the model, and so on the chain, whatever happens. */
import { balance, type Model } from './model.ts'
import { assetsFor } from './model-capital.ts'
import { entryAssetsOf, PARTS, totalAssetsOf, VIRTUAL_SHARES } from './model-value.ts'

/** Rules that do not hold now: none. */
export function brokenRules(model: Model): string[] {
  return [...model.vaults].flatMap(([address, vault]) => {
    const { idleAssets, outstandingFace, ledger } = vault
    const [entry, exit] = [entryAssetsOf(vault, model.now), totalAssetsOf(vault, model.now)]
    const tooRich = [...ledger.providers].filter(([provider, { net, earned }]) => {
      const worth = assetsFor(vault, balance(model, address, provider), model.now)
      return worth > net + earned / PARTS + ledger.moves + 1n
    })
    return [
      ...(exit > idleAssets + outstandingFace ? [`${address} is worth more than it can be paid`] : []),
      ...(exit > entry ? [`${address} pays more for a share than it takes`] : []),
      ...tooRich.map(([provider]) => `${provider} has more of ${address} than it paid and earned`),
    ]
  })
}

export type EntryPrice = { assets: bigint; shares: bigint }

/** The price of a share at the entry of each vault. */
export function entryPrices(model: Model): EntryPrice[] {
  return [...model.vaults.values()].map((vault) => ({
    assets: entryAssetsOf(vault, model.now) + 1n,
    shares: vault.totalSupply + VIRTUAL_SHARES,
  }))
}

export function isLower(price: EntryPrice, before: EntryPrice | undefined): boolean {
  return before !== undefined && price.assets * before.shares < before.assets * price.shares
}
