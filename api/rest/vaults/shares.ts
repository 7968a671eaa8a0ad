/** Parts of what is prepared for a holder of shares of a vault. */
import { z } from '@hono/zod-openapi'
import type { Asked, LatestBlock, Position } from '../../chain/share-prices.ts'
import { address, addressInput } from '../../domain/address.ts'
import { basisPoints, wholeNumber } from '../../domain/integer.ts'
import { formatMoney, money, positiveMoneyInput } from '../../domain/money.ts'
import { SLIPPAGE_BPS_DEFAULT } from '../../domain/slippage.ts'
import { formatTime, time } from '../../domain/time.ts'
import { preparedTransaction } from '../shared/prepared.ts'
import { foundToken, vaultName } from '../shared/vault-names.ts'

export const ofVault = z.object({ vault: addressInput })

/** Fields of a request. `assets` and `shares` exclude each other. */
export const exchangeFields = {
  assets: positiveMoneyInput.optional().openapi({ description: 'Base units of the token of the vault.' }),
  shares: positiveMoneyInput.optional().openapi({ description: 'Base units of shares.' }),
  receiver: addressInput
    .optional()
    .openapi({ description: 'Account that receives what is given. Default: the wallet.' }),
  slippageBps: basisPoints.default(SLIPPAGE_BPS_DEFAULT).openapi({
    description: 'By how much the price may become worse until the transaction is mined, basis points.',
  }),
}

/** Whether exactly one of the values is given. */
export function isOne(...values: readonly unknown[]): boolean {
  return values.filter((value) => value !== undefined).length === 1
}

export function toAsked({ assets, shares }: { assets?: bigint | undefined; shares?: bigint | undefined }) {
  const asked = (unit: Asked['unit'], amount: bigint | undefined): Asked[] =>
    amount === undefined ? [] : [{ unit, amount }]
  return [...asked('assets', assets), ...asked('shares', shares)][0]
}

export const pricedAt = z
  .object({ blockNumber: wholeNumber, timestamp: time })
  .openapi('PricedAt', { description: 'The latest block, which is not final, at which the price was read.' })

export function presentPricedAt({ number, timestamp }: LatestBlock): z.output<typeof pricedAt> {
  return { blockNumber: Number(number), timestamp: formatTime(timestamp) }
}

export const preparedExchange = preparedTransaction.extend({
  vault: address,
  vaultName,
  tokenInfo: foundToken,
  receiver: address,
  assets: money.openapi({ description: 'Assets at the price of `pricedAt`, base units of the token.' }),
  shares: money.openapi({ description: 'Shares at the same price, base units.' }),
  pricedAt,
})

export const position = z
  .object({
    shares: money.openapi({ description: 'Shares of the wallet, base units.' }),
    assets: money.openapi({ description: 'Value of these shares, base units of the token.' }),
    withdrawableShares: money.openapi({
      description: 'Shares that idle assets of the vault cover now: `maxRedeem` of the contract.',
    }),
    withdrawableAssets: money.openapi({
      description: 'Assets that can be withdrawn now: `maxWithdraw` of the contract.',
    }),
    lentAssets: money.openapi({
      description: '`assets` less `withdrawableAssets`: the vault has lent them.',
    }),
  })
  .openapi('WithdrawablePosition', { description: 'Shares of the wallet at `pricedAt`.' })

export function presentPosition(own: Position): z.output<typeof position> {
  return {
    shares: formatMoney(own.shares),
    assets: formatMoney(own.assets),
    withdrawableShares: formatMoney(own.withdrawableShares),
    withdrawableAssets: formatMoney(own.withdrawableAssets),
    lentAssets: formatMoney(own.assets - own.withdrawableAssets),
  }
}
