/** Prices of the shares of a vault, and what a wallet holds of them, at the latest block. */
import type { Address } from 'viem'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { SHARE_DIGITS } from '../domain/limits.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { UnixSeconds } from '../domain/time.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/** Shares of nobody, of contracts/FinancingVault.sol. */
const VIRTUAL_SHARES = 10n ** BigInt(SHARE_DIGITS)

/** An amount of the token of a vault, or of its shares. */
export type Asked = { unit: 'assets' | 'shares'; amount: BaseUnits }

/** A block that is not final. */
export type LatestBlock = { number: bigint; timestamp: UnixSeconds }

/** Assets and shares that are exchanged at `at`. */
export type Exchange = { assets: BaseUnits; shares: BaseUnits; at: LatestBlock }

/** `exitAssets` is what the shares would pay right after the deposit. */
export type Entry = Exchange & { exitAssets: BaseUnits }

/** Shares of a wallet with their value, and the part of both that idle assets of the vault cover. */
export type Position = {
  shares: BaseUnits
  assets: BaseUnits
  withdrawableShares: BaseUnits
  withdrawableAssets: BaseUnits
}

/** `exchange` is undefined for assets that no number of shares is worth. */
export type Exit = { position: Position; exchange: Exchange | undefined }

/** @throws CodedError `CHAIN_UNAVAILABLE` */
export function readEntry(chain: Chain, address: Address, { unit, amount }: Asked): Promise<Entry> {
  return readLatest(chain, async (at, block) => {
    const vault = { address, abi: financingVaultAbi } as const
    const functionName = unit === 'assets' ? 'previewDeposit' : 'previewMint'
    const [other, totalAssets, totalSupply] = await chain.multicall({
      deployless: true,
      allowFailure: false,
      ...block,
      contracts: [
        { ...vault, functionName, args: [amount] },
        { ...vault, functionName: 'totalAssets' },
        { ...vault, functionName: 'totalSupply' },
      ],
    })
    const [assets, shares] = unit === 'assets' ? [amount, other] : [other, amount]
    return { assets, shares, exitAssets: exitAfter({ assets, shares }, { totalAssets, totalSupply }), at }
  })
}

/**
 * Computes what shares pay right after the deposit that issued them, which raises the price of exit where losses have
 * lowered it. A vault with shares and no assets may owe losses beyond its value, which the deposit would pay first: the
 * result is a lower bound there.
 */
function exitAfter(
  { assets, shares }: { assets: BaseUnits; shares: BaseUnits },
  { totalAssets, totalSupply }: { totalAssets: BaseUnits; totalSupply: BaseUnits },
): BaseUnits {
  const isWorthless = totalSupply > 0n && totalAssets === 0n
  const value = isWorthless ? 0n : totalAssets + assets
  return (shares * (value + 1n)) / (totalSupply + shares + VIRTUAL_SHARES)
}

/**
 * @param asked the default is all shares of the wallet
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export function readExit(
  chain: Chain,
  address: Address,
  { wallet, asked }: { wallet: Address; asked: Asked | undefined },
): Promise<Exit> {
  return readLatest(chain, async (at, block) => {
    const vault = { address, abi: financingVaultAbi } as const
    const [shares, withdrawableShares, withdrawableAssets] = await chain.multicall({
      deployless: true,
      allowFailure: false,
      ...block,
      contracts: [
        { ...vault, functionName: 'balanceOf', args: [wallet] },
        { ...vault, functionName: 'maxRedeem', args: [wallet] },
        { ...vault, functionName: 'maxWithdraw', args: [wallet] },
      ],
    })
    const { unit, amount } = asked ?? { unit: 'shares', amount: shares }
    const functionName = unit === 'assets' ? 'previewWithdraw' : 'previewRedeem'
    const [value, other] = await chain.multicall({
      deployless: true,
      ...block,
      contracts: [
        { ...vault, functionName: 'previewRedeem', args: [shares] },
        { ...vault, functionName, args: [amount] },
      ],
    })
    if (value.result === undefined) throw value.error
    const position = { shares, assets: value.result, withdrawableShares, withdrawableAssets }
    if (other.result === undefined) return { position, exchange: undefined }
    const [assets, needed] = unit === 'assets' ? [amount, other.result] : [other.result, amount]
    return { position, exchange: { assets, shares: needed, at } }
  })
}

type AtHash = { blockHash: `0x${string}`; requireCanonical: true }

function readLatest<T>(chain: Chain, read: (at: LatestBlock, block: AtHash) => Promise<T>): Promise<T> {
  return readChain('the price of shares', async () => {
    const { hash, number, timestamp } = await chain.getBlock({ blockTag: 'latest' })
    return read({ number, timestamp }, { blockHash: hash, requireCanonical: true })
  })
}
