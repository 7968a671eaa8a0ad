/** Repayments of a settlement, by vault. */
import { z } from '@hono/zod-openapi'
import type { LensAllocation } from '../../chain/lens-types.ts'
import { address } from '../../domain/address.ts'
import { MAX_SLICES_PER_CLAIM } from '../../domain/limits.ts'
import { formatMoney, money } from '../../domain/money.ts'
import { type NameOf, vaultName } from './vault-names.ts'

export const repayments = z
  .array(z.object({ vault: address, vaultName, faceAmount: money }).openapi('Repayment'))
  .max(MAX_SLICES_PER_CLAIM)
  .openapi({ description: 'Part of the payment for each vault, in proportion to the face that it financed.' })

export function presentRepayments(
  rows: readonly LensAllocation[],
  nameOf: NameOf,
): z.output<typeof repayments> {
  return rows.map(({ vault, faceAmount }) => ({
    vault,
    vaultName: nameOf(vault),
    faceAmount: formatMoney(faceAmount),
  }))
}
