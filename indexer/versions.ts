/** Rows that state what an address was, from a block on: they are read as of an earlier block. */
import type { Context } from 'ponder:registry'
import { statusVersion, type vault, vaultVersion } from 'ponder:schema'
import type { Address } from 'viem'

type Located = { block: { number: bigint; timestamp: bigint } }

/** Keeps the status, curator, mandate and pricing of a vault after an event that changed one of them. */
export async function keepVault(
  db: Context['db'],
  { block }: Located,
  row: typeof vault.$inferSelect,
): Promise<void> {
  const values = {
    at: block.timestamp,
    curator: row.curator,
    active: row.active,
    supportedTypesBitmap: row.supportedTypesBitmap,
    minDurationDays: row.minDurationDays,
    maxDurationDays: row.maxDurationDays,
    minFace: row.minFace,
    maxFace: row.maxFace,
    maxClaimFace: row.maxClaimFace,
    maxIssuerFace: row.maxIssuerFace,
    baseDiscountBps: row.baseDiscountBps,
    durationBpsPerDay: row.durationBpsPerDay,
    premiumBps: row.premiumBps,
  }
  await db
    .insert(vaultVersion)
    .values({ vault: row.address, block: block.number, ...values })
    .onConflictDoUpdate(values)
}

/** Keeps the status of an issuer, a token or the router after an event that changed it. */
export async function keepStatus(
  db: Context['db'],
  { block }: Located,
  subject: Address,
  status: boolean,
): Promise<void> {
  const values = { at: block.timestamp, status }
  await db
    .insert(statusVersion)
    .values({ subject, block: block.number, ...values })
    .onConflictDoUpdate(values)
}
