/** Vaults: mandate, pricing and capital as they are now. */

import type { Address } from 'viem'
import type { Snapshot } from '../session/snapshot.ts'
import { readByKeys } from '../sql/keys.ts'
import type { Row, Source } from '../sql/source.ts'

export type VaultRow = Row<'vault'>

export const vaults = {
  table: 'vault',
  key: ['address'],
  columns: {
    address: 'hex',
    token: 'hex',
    curator: 'hex',
    active: 'boolean',
    minDurationDays: 'integer',
    maxDurationDays: 'integer',
    minFace: 'integer',
    maxFace: 'integer',
    maxClaimFace: 'integer',
    maxIssuerFace: 'integer',
    baseDiscountBps: 'count',
    durationBpsPerDay: 'count',
    idleAssets: 'integer',
    outstandingFace: 'integer',
    outstandingAdvance: 'integer',
    discountEarned: 'integer',
    registeredAt: 'integer',
  },
  orders: {
    registeredAt: ['registeredAt', 'address'],
    baseDiscountBps: ['baseDiscountBps', 'address'],
    idleAssets: ['idleAssets', 'address'],
    outstandingFace: ['outstandingFace', 'address'],
  },
  parents: ['curator'],
  isSmall: true,
} as const satisfies Source<'vault'>

/** Reads the addresses of all vaults. */
export async function readVaultAddresses({ db }: Snapshot): Promise<readonly Address[]> {
  const rows = await db.selectFrom('vault').select('address').execute()
  return rows.map(({ address }) => address)
}

/** Reads the names of the vaults that are known, by address. */
export async function readVaultNames(
  snapshot: Snapshot,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await readByKeys(snapshot, vaults, 'address', addresses)
  return new Map(rows.flatMap((row) => (row ? [[row.address, row.name]] : [])))
}
