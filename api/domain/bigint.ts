/** Arithmetic and order of whole numbers. */

/** Quotient rounded up, for a non-negative numerator and a positive denominator. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

export function smaller(a: bigint, b: bigint): bigint {
  return b < a ? b : a
}

/** Returns the smallest; undefined for an empty list. */
export function least(amounts: readonly bigint[]): bigint | undefined {
  const [first, ...others] = amounts
  return first === undefined ? undefined : others.reduce(smaller, first)
}

/** Returns the sum; 0 for an empty list. */
export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

/** Returns the sums of the amounts from each index on, and 0 after the last one. */
export function suffixSums(amounts: readonly bigint[]): bigint[] {
  const sums = [...amounts, 0n]
  for (let index = amounts.length - 1; index >= 0; index--)
    sums[index] = (sums[index] ?? 0n) + (sums[index + 1] ?? 0n)
  return sums
}

/** Compares numbers by value, or strings by code unit: a total order for `sort`. */
export function compare<T extends string | number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
