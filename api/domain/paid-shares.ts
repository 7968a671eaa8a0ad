/** The division of what is paid on a claim, as contracts/PaidShares.sol. */
import type { BaseUnits } from './money.ts'

type Face = { readonly faceAmount: BaseUnits }

/**
 * Divides the first `paidFaceValue` of a claim between its slices, in proportion to their faces. Each share is rounded
 * down, in proportion to what the slices before it leave; the beneficiary has the rest.
 */
export function divide(
  slices: readonly Face[],
  { faceValue, paidFaceValue }: { faceValue: BaseUnits; paidFaceValue: BaseUnits },
): { shares: BaseUnits[]; beneficiaryShare: BaseUnits } {
  let beneficiaryShare = paidFaceValue
  let remainingFace = faceValue
  const shares = slices.map(({ faceAmount }) => {
    const share = (faceAmount * beneficiaryShare) / remainingFace
    beneficiaryShare -= share
    remainingFace -= faceAmount
    return share
  })
  return { shares, beneficiaryShare }
}
