/** Compares the promise of a deposit or a withdrawal with the effect of its transaction. */
import type { Address, Hex, TransactionReceipt } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { financingVaultAbi as abi } from '../../abis/FinancingVault.ts'
import type { World } from '../support/protocol.ts'
import { eventsOf } from '../support/transactions.ts'

/** State that a transaction met, and its time in Unix seconds. */
type Before = { blockNumber: bigint; timestamp: bigint }
/** `errorName` is undefined for a transaction that succeeded. */
export type Sent = { receipt: TransactionReceipt; before: Before; errorName: string | undefined }

type Bounds = Record<'minShares' | 'maxAssets' | 'maxShares' | 'minAssets', bigint | null>
export type Exchange = Bounds & {
  kind: 'deposit' | 'withdrawal'
  assets: bigint
  shares: bigint
  receiver: string
  exitAssets?: bigint | undefined
}

type Place = { world: World; vault: Hex }

const moved = z.object({ assets: z.bigint(), shares: z.bigint(), owner: z.string() })
const withdrawn = moved.extend({ receiver: z.string() })

/** @param isExact whether the block has the time and the state of the price */
export async function checkExchange(
  place: Place,
  promised: Exchange,
  { receipt, before }: Sent,
  isExact: boolean,
): Promise<void> {
  const { kind, assets, shares, receiver, exitAssets } = promised
  const event = eventsOf(receipt).at(-1)
  expect(event).toMatchObject({ name: kind === 'deposit' ? 'Deposit' : 'Withdraw', emitter: place.vault })
  const actual = kind === 'deposit' ? moved.parse(event?.args) : withdrawn.parse(event?.args)
  expect('receiver' in actual ? actual.receiver : actual.owner).toBe(receiver)
  expect(keeps(promised, actual)).toBe(true)
  if (!isExact) return
  expect(actual).toMatchObject({ assets, shares })
  if (exitAssets === undefined) return
  const at = { blockNumber: receipt.blockNumber, timestamp: before.timestamp }
  const value = await priceAt(place, 'previewRedeem', shares, at)
  const wasWorth = await place.world.chain.readContract({
    abi,
    address: place.vault,
    functionName: 'totalAssets',
    blockNumber: before.blockNumber,
    blockOverrides: { time: before.timestamp },
  })
  if (wasWorth > 0n) expect(exitAssets).toBe(value)
  else expect(exitAssets).toBeLessThanOrEqual(value)
}

/** The approval is for the bound, so the token can find out first. */
const BOUND_ERRORS = new Set<unknown>(['BelowMinimum', 'AboveMaximum', 'ERC20InsufficientAllowance'])

/** Whether the transaction failed because the price at its block is worse than its bound. */
export async function isBeyondBound(
  place: Place,
  promised: Exchange,
  { before, errorName }: Sent,
): Promise<boolean> {
  if (!BOUND_ERRORS.has(errorName)) return false
  const { minShares, maxAssets, maxShares, assets, shares } = promised
  const price = (functionName: Preview, amount: bigint) => priceAt(place, functionName, amount, before)
  if (minShares !== null) return !keeps(promised, { assets, shares: await price('previewDeposit', assets) })
  if (maxAssets !== null) return !keeps(promised, { shares, assets: await price('previewMint', shares) })
  if (maxShares !== null) return !keeps(promised, { assets, shares: await price('previewWithdraw', assets) })
  return !keeps(promised, { shares, assets: await price('previewRedeem', shares) })
}

function keeps(
  { minShares, maxAssets, maxShares, minAssets }: Bounds,
  { assets, shares }: { assets: bigint; shares: bigint },
): boolean {
  return (
    (minShares === null || shares >= minShares) &&
    (maxAssets === null || assets <= maxAssets) &&
    (maxShares === null || shares <= maxShares) &&
    (minAssets === null || assets >= minAssets)
  )
}

type Preview = 'previewDeposit' | 'previewMint' | 'previewWithdraw' | 'previewRedeem'

function priceAt(
  { world, vault: address }: { world: World; vault: Address },
  functionName: Preview,
  amount: bigint,
  { blockNumber, timestamp }: Before,
): Promise<bigint> {
  const blockOverrides = { time: timestamp }
  return world.chain.readContract({ abi, address, functionName, args: [amount], blockNumber, blockOverrides })
}
