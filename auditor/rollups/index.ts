import { claimTotal } from './claim-total.ts'
import { dueDay } from './due-day.ts'
import { issuerDay } from './issuer-day.ts'
import { paymentRecord } from './payment-record.ts'
import { positionDay } from './position-day.ts'
import type { Rollup } from './rollup.ts'
import { tokenDay } from './token-day.ts'
import { valueDay } from './value-day.ts'
import { vaultDay } from './vault-day.ts'

/** Every table whose rows are sums of others. */
export const rollups: readonly Rollup[] = [
  claimTotal,
  paymentRecord,
  tokenDay,
  issuerDay,
  vaultDay,
  dueDay,
  valueDay,
  positionDay,
]
