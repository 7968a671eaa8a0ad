/** Expected parts that several answers have: transactions, approvals, amounts, tokens, times. */
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { at, type Expected, integerAt, isSameHex, listAt, mismatch, Rule } from './compare.ts'
import type { Prepared, RequestRecord } from './prepared.ts'

type Sender = Pick<Prepared, 'deployment' | 'wallet'>
type Fields = { readonly [field: string]: Expected }

/** Calldata, and what it is, for the error: `approve(0x…, 5)`. */
export type Call = { to: string; data: Hex; words: string }

/** A call of the wallet that moves none of the chain's own currency, for the two fields that state it. */
function callOf({ deployment, wallet }: Sender, { to, data: calldata, words }: Call): Fields {
  const { chainId } = deployment
  const data = new Rule(`the call \`${words}\``, (received) => isSameHex(received, calldata))
  const params = [{ from: wallet, to, data, value: '0x0', chainId: numberToHex(chainId) }]
  return {
    transaction: { chainId, from: wallet, to, data, value: '0' },
    rpc: { method: 'eth_sendTransaction', params },
  }
}

/** A transaction that needs no approval. */
export function transactionOf(sender: Sender, call: Call): Fields {
  return { ...callOf(sender, call), approvals: [] }
}

/**
 * A call of `to` that takes at most `amount` of the token from the wallet. Approvals are of that amount, for `to`; the
 * first of two sets a stale allowance to 0. Without one that is needed, the call reverts.
 */
export function paymentOf(
  prepared: Prepared,
  { to, token, amount, data, words }: Call & { to: Address; token: Address; amount: bigint },
): Fields {
  const approve = (approved: bigint) => {
    const args = [to, approved] as const
    const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    return callOf(prepared, { to: token, data: approval, words: `approve(${args.join(', ')})` })
  }
  const all = [approve(0n), approve(amount)]
  const count = listAt(prepared.answer, 'approvals').length
  const approvals = count === 0 ? [] : all.slice(count === 1 ? 1 : 0)
  return { ...callOf(prepared, { to, data, words }), approvals }
}

/** The token of the amounts; null while the gateway cannot describe it. */
export function tokenOf({ answer, deployment }: Prepared, token: Address): Expected {
  if (at(answer, 'tokenInfo') === null) return null
  const known = deployment.tokens.find(({ address }) => address.toLowerCase() === token)
  if (!known) return { address: token }
  const { symbol, name, decimals } = known
  return { address: token, symbol, name, decimals }
}

const BPS = 10_000n

function discountOf(face: bigint, cost: bigint): number {
  return face === 0n ? 0 : Number((cost * BPS + face - 1n) / face)
}

export type Leg = {
  claimId: Hex
  vault: Address
  faceAmount: bigint
  minimumAdvanceAmount: bigint
  advanceAmount: bigint
}

/** Legs, and totals that are their sums. */
export function legsOf(legs: readonly Leg[]): Fields {
  const totalFace = sum(legs.map(({ faceAmount }) => faceAmount))
  const totalAdvance = sum(legs.map(({ advanceAmount }) => advanceAmount))
  const totalCost = totalFace - totalAdvance
  return {
    legs: legs.map(legOf),
    totals: {
      totalFace: `${totalFace}`,
      totalAdvance: `${totalAdvance}`,
      totalCost: `${totalCost}`,
      effectiveDiscountBps: discountOf(totalFace, totalCost),
    },
  }
}

function legOf({ claimId, vault, faceAmount, minimumAdvanceAmount, advanceAmount }: Leg): Expected {
  const discountAmount = faceAmount - advanceAmount
  return {
    claimId,
    vault,
    faceAmount: `${faceAmount}`,
    minimumAdvanceAmount: `${minimumAdvanceAmount}`,
    advanceAmount: `${advanceAmount}`,
    discountAmount: `${discountAmount}`,
    effectiveDiscountBps: discountOf(faceAmount, discountAmount),
  }
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

/** A time as the gateway writes it, to the second; a later year than 9999 is written as its last second. */
export function timeOf(seconds: bigint): string {
  const last = 253_402_300_799n
  return new Date(Number(seconds < last ? seconds : last) * 1000).toISOString().replace('.000Z', 'Z')
}

/** Unix seconds of a time in ISO 8601. @throws GatewayError `ANSWER_MISMATCH` for any other value */
export function secondsAt(value: unknown, path: string): bigint {
  const found = at(value, path)
  const milliseconds = typeof found === 'string' ? Date.parse(found) : Number.NaN
  if (Number.isFinite(milliseconds)) return BigInt(Math.floor(milliseconds / 1000))
  throw mismatch(path, found, 'a time')
}

/** By how much this machine's clock may be behind that of the gateway, seconds. */
const CLOCKS_DIFFER = 300

/** @param seconds between the request and the last second @throws GatewayError `ANSWER_MISMATCH` for a later one */
export function refuseLater({ requestedAt }: RequestRecord, path: string, at: bigint, seconds: number): void {
  const latest = BigInt(Math.floor(requestedAt / 1000) + seconds + CLOCKS_DIFFER)
  if (at <= latest) return
  const words = `at most ${timeOf(latest)}: ${seconds} s after the request by the clock of this machine, and ${CLOCKS_DIFFER} s for clocks that differ`
  throw mismatch(path, timeOf(at), words)
}

/** The integer of a request; the default if it has none. */
export function optional(value: unknown, path: string): bigint | undefined {
  return at(value, path) === undefined ? undefined : integerAt(value, path)
}

/** An amount that is computed from others, which `words` name. */
export function equal(amount: bigint, words: string): Rule {
  return new Rule(`"${amount}", ${words}`, (received) => received === `${amount}`)
}

type Definition = { readonly types: Expected; readonly primaryType: string }

/** Typed data as `eth_signTypedData_v4` takes it: the chain is a number, all other integers are decimal strings. */
export function typedDataOf(
  { types, primaryType }: Definition,
  domain: { readonly chainId: bigint; readonly [name: string]: string | bigint },
  message: Struct,
): Expected {
  return {
    domain: {
      ...Object.fromEntries(Object.entries(domain).map(([name, value]) => [name, `${value}`])),
      chainId: Number(domain.chainId),
    },
    types,
    primaryType,
    message: written(message),
  }
}

type Struct = { readonly [name: string]: StructValue }
type StructValue = bigint | number | string | readonly StructValue[] | Struct

function written(value: StructValue): Expected {
  if (isList(value)) return value.map(written)
  if (typeof value !== 'object') return `${value}`
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, written(one)]))
}

function isList(value: StructValue): value is readonly StructValue[] {
  return Array.isArray(value)
}
