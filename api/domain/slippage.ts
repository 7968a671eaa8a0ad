/** Bounds of a call whose price can change until its block. */
import { ceilDiv, smaller } from './bigint.ts'
import { BPS_DENOMINATOR } from './limits.ts'
import { type BaseUnits, MAX_UINT256 } from './money.ts'

/** Default of `slippageBps`: what a share can lose in about two hours while all that its vault holds is overdue. */
export const SLIPPAGE_BPS_DEFAULT = 10

/** Computes the least that a call must give for it to succeed, rounded down. */
export function atLeast(amount: BaseUnits, slippageBps: number): BaseUnits {
  return (amount * (BPS_DENOMINATOR - BigInt(slippageBps))) / BPS_DENOMINATOR
}

/** Computes the most that a call may take, rounded up. */
export function atMost(amount: BaseUnits, slippageBps: number): BaseUnits {
  return smaller(ceilDiv(amount * (BPS_DENOMINATOR + BigInt(slippageBps)), BPS_DENOMINATOR), MAX_UINT256)
}
