/** Deposits and withdrawals. All figures are computed from the vault, at the block that the answer names. */
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { GatewayError } from '../errors.ts'
import { financingRouterAbi, financingVaultAbi, vaultRegistryAbi } from '../generated/contracts.ts'
import { pause } from '../pause.ts'
import { at, type Expected, hexAt, integerAt, isSameHex, mismatch } from './compare.ts'
import { toAddress } from './deployment.ts'
import { optional, paymentOf, tokenOf, transactionOf } from './parts.ts'
import { permitOf, signedPermitIn } from './permit.ts'
import type { Prepared } from './prepared.ts'

const BPS = 10_000n
/** Default of `slippageBps`. */
const SLIPPAGE_BPS = 10n
/** Shares of nobody in each vault. */
const VIRTUAL_SHARES = 1_000_000n
/** By how much the price may have changed since the block of the answer, beside the slippage. */
const STALE_BPS = 100n

/** `POST /vaults/{vault}/deposits/prepare`. */
export async function deposit(prepared: Prepared): Promise<Expected> {
  const { vault, receiver, slippage, isOfAssets, block } = requestOf(prepared)
  const read = readerOf(prepared, vault)
  const amount = integerAt(prepared.request, isOfAssets ? 'body.assets' : 'body.shares')
  const token = await requireVault(prepared, vault)
  const preview = isOfAssets ? 'previewDeposit' : 'previewMint'
  const other = await read(amountCall(preview, amount), block)
  const [assets, shares] = isOfAssets ? [amount, other] : [other, amount]
  const bound = isOfAssets ? atLeast(shares, slippage) : atMost(assets, slippage)
  const now = await read(amountCall(preview, amount))
  const isFair = isOfAssets
    ? bound >= atLeast(now, slippage + STALE_BPS)
    : bound <= atMost(now, slippage + STALE_BPS)
  if (!isFair) throw stale(block)
  const offer = { token, spender: vault, value: assets }
  const args = [amount, receiver, bound] as const
  return {
    ...(isOfAssets
      ? depositCall(prepared, { vault, token, args })
      : paymentOf(prepared, { to: vault, token, amount: bound, ...callOf('mint', args) })),
    permit: isOfAssets && !signedPermitIn(prepared.request) ? permitOf(prepared, offer) : null,
    ...exchangeOf(prepared, { vault, token, receiver, assets, shares }),
    minShares: isOfAssets ? `${bound}` : null,
    maxAssets: isOfAssets ? null : `${bound}`,
    exitAssets: `${exitAfter(
      { assets, shares },
      await read(totalCall('totalAssets'), block),
      await read(totalCall('totalSupply'), block),
    )}`,
  }
}

type DepositArguments = readonly [assets: bigint, receiver: Address, minShares: bigint]

function callOf(functionName: 'deposit' | 'mint', args: DepositArguments) {
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName, args })
  return { data, words: `${functionName}(${args.join(', ')})` }
}

/** The call with the permit of the request, or without it where the allowance suffices. Both have equal arguments. */
function depositCall(
  prepared: Prepared,
  { vault, token, args }: { vault: Address; token: Address; args: DepositArguments },
): { readonly [field: string]: Expected } {
  const signed = signedPermitIn(prepared.request)
  if (signed) {
    const functionName = 'depositWithPermit'
    const all = [...args, ...signed] as const
    const data = encodeFunctionData({ abi: financingVaultAbi, functionName, args: all })
    if (isSameHex(at(prepared.answer, 'transaction.data'), data))
      return transactionOf(prepared, { to: vault, data, words: `${functionName}(${all.join(', ')})` })
  }
  return paymentOf(prepared, { to: vault, token, amount: args[0], ...callOf('deposit', args) })
}

/** Computes what the shares pay right after the deposit; a lower bound if those of the vault are worth nothing. */
function exitAfter(
  { assets, shares }: { assets: bigint; shares: bigint },
  totalAssets: bigint,
  totalSupply: bigint,
): bigint {
  const value = totalSupply > 0n && totalAssets === 0n ? 0n : totalAssets + assets
  return (shares * (value + 1n)) / (totalSupply + shares + VIRTUAL_SHARES)
}

/** `POST /vaults/{vault}/withdrawals/prepare`. */
export async function withdrawal(prepared: Prepared): Promise<Expected> {
  const { wallet, request } = prepared
  const { vault, receiver, slippage, isOfAssets, block } = requestOf(prepared)
  const read = readerOf(prepared, vault)
  const token = await requireVault(prepared, vault)
  const held = await read(accountCall('balanceOf', wallet), block)
  const amount = isOfAssets ? integerAt(request, 'body.assets') : (optional(request, 'body.shares') ?? held)
  const preview = isOfAssets ? 'previewWithdraw' : 'previewRedeem'
  const other = await read(amountCall(preview, amount), block)
  const [assets, shares] = isOfAssets ? [amount, other] : [other, amount]
  const bound = isOfAssets ? atMost(shares, slippage) : atLeast(assets, slippage)
  const now = await read(amountCall(preview, amount))
  const isFair = isOfAssets
    ? bound <= atMost(now, slippage + STALE_BPS)
    : bound >= atLeast(now, slippage + STALE_BPS)
  if (!isFair) throw stale(block)
  const functionName = isOfAssets ? 'withdraw' : 'redeem'
  const args = [amount, receiver, wallet, bound] as const
  const data = encodeFunctionData({ abi: financingVaultAbi, functionName, args })
  const value = await read(amountCall('previewRedeem', held), block)
  const withdrawable = await read(accountCall('maxWithdraw', wallet), block)
  return {
    ...transactionOf(prepared, { to: vault, data, words: `${functionName}(${args.join(', ')})` }),
    ...exchangeOf(prepared, { vault, token, receiver, assets, shares }),
    maxShares: isOfAssets ? `${bound}` : null,
    minAssets: isOfAssets ? null : `${bound}`,
    position: {
      shares: `${held}`,
      assets: `${value}`,
      withdrawableShares: `${await read(accountCall('maxRedeem', wallet), block)}`,
      withdrawableAssets: `${withdrawable}`,
      lentAssets: `${value - withdrawable}`,
    },
  }
}

function requestOf({ request, answer, wallet }: Prepared) {
  return {
    vault: hexAt(request, 'params.path.vault'),
    receiver: at(request, 'body.receiver') === undefined ? wallet : hexAt(request, 'body.receiver'),
    slippage: optional(request, 'body.slippageBps') ?? SLIPPAGE_BPS,
    isOfAssets: at(request, 'body.assets') !== undefined,
    block: integerAt(answer, 'pricedAt.blockNumber'),
  }
}

type Exchange = { vault: Address; token: Address; receiver: Address; assets: bigint; shares: bigint }

function exchangeOf(prepared: Prepared, { vault, token, receiver, assets, shares }: Exchange) {
  return {
    vault,
    tokenInfo: tokenOf(prepared, token),
    receiver,
    assets: `${assets}`,
    shares: `${shares}`,
  }
}

function atLeast(amount: bigint, bps: bigint): bigint {
  return bps < BPS ? (amount * (BPS - bps)) / BPS : 0n
}

function atMost(amount: bigint, bps: bigint): bigint {
  const most = (amount * (BPS + bps) + BPS - 1n) / BPS
  return most < 2n ** 256n ? most : 2n ** 256n - 1n
}

function stale(block: bigint): GatewayError {
  const words = 'a block whose price is about that of the latest block'
  return mismatch('pricedAt.blockNumber', Number(block), words)
}

/**
 * The token of a vault that the registry of the router has. Another contract at the address could keep what it is paid.
 *
 * @throws GatewayError `ANSWER_MISMATCH` for any other address
 */
export async function requireVault({ deployment, callContract }: Prepared, vault: Address): Promise<Address> {
  const ofRouter = encodeFunctionData({ abi: financingRouterAbi, functionName: 'vaults' })
  const registry = toWord(await callContract({ to: deployment.contracts.financingRouter, data: ofRouter }))
  const isRegistered = { abi: vaultRegistryAbi, functionName: 'isRegistered', args: [vault] } as const
  const known = await callContract({ to: addressIn(registry), data: encodeFunctionData(isRegistered) })
  if (toWord(known) !== 1n) throw mismatch('vault', vault, 'a vault of the registry')
  const asset = encodeFunctionData({ abi: financingVaultAbi, functionName: 'asset' })
  return addressIn(toWord(await callContract({ to: vault, data: asset })))
}

type OfAmount = 'previewDeposit' | 'previewMint' | 'previewWithdraw' | 'previewRedeem'
type OfAccount = 'balanceOf' | 'maxRedeem' | 'maxWithdraw'

function amountCall(functionName: OfAmount, amount: bigint): Hex {
  return encodeFunctionData({ abi: financingVaultAbi, functionName, args: [amount] })
}

function totalCall(functionName: 'totalAssets' | 'totalSupply'): Hex {
  return encodeFunctionData({ abi: financingVaultAbi, functionName })
}

function accountCall(functionName: OfAccount, account: Address): Hex {
  return encodeFunctionData({ abi: financingVaultAbi, functionName, args: [account] })
}

/** Reads a number of the vault, at a block or at the latest one. */
function readerOf({ callContract, answer }: Prepared, vault: Address) {
  return async (data: Hex, block?: bigint): Promise<bigint> => {
    if (block === undefined) return toWord(await callContract({ to: vault, data }))
    for (let tries = 1; tries <= TRIES; tries += 1) {
      if (tries > 1) await pause(BETWEEN_TRIES_MS, new AbortController().signal)
      const found = await callContract({ to: vault, data }, block).catch(() => undefined)
      if (found !== undefined) return toWord(found)
    }
    const words = 'a block that the node of the wallet has'
    throw mismatch('pricedAt.blockNumber', at(answer, 'pricedAt.blockNumber'), words)
  }
}

/** The node of the wallet can be behind that of the gateway. */
const TRIES = 4
const BETWEEN_TRIES_MS = 500

function toWord(data: Hex): bigint {
  if (data.length === 66) return BigInt(data)
  throw new GatewayError({ code: 'WALLET_FAILED', message: 'The node of the wallet has no such contract.' })
}

function addressIn(word: bigint): Address {
  return toAddress(`0x${word.toString(16).padStart(40, '0')}`)
}
