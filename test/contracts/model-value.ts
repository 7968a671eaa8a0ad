/**
 * The model of value: each allocation on its own, from its funding, its due date, its amounts and whether it is paid.
 * Values are in parts of a base unit, in which the contract counts: it rounds gains per second down to a whole part,
 * and counts the whole discount from the end of the due day on.
 */
import type { ModelFinanced, ModelVault } from './model.ts'

const DAY = 86_400n
const WRITE_DOWN = 90n * DAY
export const PARTS = WRITE_DOWN * 2n ** 32n
/** Shares of nobody, which stand behind every price with one asset. */
export const VIRTUAL_SHARES = 1_000_000n

/** The value of a vault at its entry: losses are ignored, and a broken unit is one more to pay. */
export function entryAssetsOf(vault: ModelVault, now: bigint): bigint {
  return ceilDiv(beforeLosses(vault, now), PARTS)
}

/**
 * The value of a vault at its exit: a broken unit is one less to receive. Where discounts that were paid and not earned
 * are lent again and lost, more is missing than there is: the value is zero then.
 */
export function totalAssetsOf(vault: ModelVault, now: bigint): bigint {
  const losses = sum([...vault.financed.values()].map((financed) => lossOf(financed, now)))
  const value = beforeLosses(vault, now) - losses
  return value > 0n ? value / PARTS : 0n
}

/** The discounts that have been earned until `now`, paid or not. */
export function earnedBy(vault: ModelVault, now: bigint): bigint {
  return sum([...vault.financed.values()].map((financed) => earnedOf(financed, now)))
}

function beforeLosses(vault: ModelVault, now: bigint): bigint {
  const paid = [...vault.financed.values()].map((part) => part.repaidFace - repaidAdvanceOf(part))
  return (vault.idleAssets + vault.outstandingAdvance - sum(paid)) * PARTS + earnedBy(vault, now)
}

/** Linear from the funding to the end of the due day. */
function earnedOf(financed: ModelFinanced, now: bigint): bigint {
  const { fundedAt } = financed
  const end = endOfDueDay(financed)
  const discount = discountOf(financed) * PARTS
  return now < end ? (discount / (end - fundedAt)) * (now - fundedAt) : discount
}

/** Linear to the whole face, from the end of the due day on, while it is not paid. */
function lossOf(financed: ModelFinanced, now: bigint): bigint {
  const late = now - endOfDueDay(financed)
  if (late <= 0n) return 0n
  const unpaid = financed.faceAmount - financed.repaidFace
  return (unpaid * PARTS * (late < WRITE_DOWN ? late : WRITE_DOWN)) / WRITE_DOWN
}

/** Advance of the face that is repaid, rounded down. */
export function repaidAdvanceOf({ faceAmount, advanceAmount, repaidFace }: ModelFinanced): bigint {
  return (advanceAmount * repaidFace) / faceAmount
}

export function endOfDueDay({ dueDate }: { dueDate: bigint }): bigint {
  return dueDate - (dueDate % DAY) + DAY
}

function discountOf({ faceAmount, advanceAmount }: ModelFinanced): bigint {
  return faceAmount - advanceAmount
}

export function ceilDiv(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
