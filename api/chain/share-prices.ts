/** Prices of the shares of a vault, and what a wallet holds of them, at the latest block. */
import type { Address } from 'viem'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { UnixSeconds } from '../domain/time.ts'
import type { Chain } from './client.ts'
import { readChain } from './read-chain.ts'

/** An amount of the token of a vault, or of its shares. */
export type Asked = { unit: 'assets' | 'shares'; amount: BaseUnits }

/** A block that is not final. */
export type LatestBlock = { number: bigint; timestamp: UnixSeconds }

/** Assets and shares that are exchanged at `at`. */
export type Exchange = { assets: BaseUnits; shares: BaseUnits; at: LatestBlock }

/** `exitAssets` is what the same shares would pay at once. */
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
    const vault = { address, abi: financingVaultAbi, ...block } as const
    const functionName = unit === 'assets' ? 'previewDeposit' : 'previewMint'
    const other = await chain.readContract({ ...vault, functionName, args: [amount] })
    const [assets, shares] = unit === 'assets' ? [amount, other] : [other, amount]
    const exitAssets = await chain.readContract({ ...vault, functionName: 'previewRedeem', args: [shares] })
    return { assets, shares, exitAssets, at }
  })
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
