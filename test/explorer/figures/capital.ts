/**
 * The capital of vaults over time in SQL, from the movements in the lists alone. A vault is worth its deposits less its
 * withdrawals, and the discounts earned so far less its losses. A slice earns its discount evenly until the end of its
 * due day, also if it is repaid before. From then on, the face that is not repaid is lost evenly in 90 days.
 */
import type { Figures } from './support.ts'

const DAY = 86_400
const LOST_AFTER = 90 * DAY
/** Parts of a base unit in which fractions are added. */
const PARTS = 1_000_000_000
/** Shares of nobody. */
const VIRTUAL_SHARES = 1_000_000n

export type Capital = {
  /** Seconds. */
  at: number
  vault: string
  idle: bigint
  face: bigint
  advance: bigint
  assets: bigint
  shares: bigint
  lost: bigint
}

/** A row for each of these days: its date, and the last second of it, or the block. */
export function lastDays(now: number, count: number): string {
  const today = `date_trunc('day', to_timestamp(${now}))`
  return `
    SELECT strftime(day, '%Y-%m-%d') AS day, least(epoch(day)::BIGINT + ${DAY - 1}, ${now}) AS moment
    FROM generate_series(${today} - INTERVAL '${count} days', ${today}, INTERVAL '1 day') AS days(day)`
}

/** @param moments a statement with the column `moment`, seconds */
export async function capitalAt({ rowsOf }: Figures, moments: string, vault?: string): Promise<Capital[]> {
  const repaid = `SELECT coalesce(sum(amount_decimal), 0) FROM capitalChanges r
    WHERE kind = 'REPAYMENT' AND r.claimId = a.claimId AND r.sliceIndex = a.sliceIndex AND epoch("at") <= moment`
  const sumOf = (value: string, table = 'capitalChanges', at = '"at"') =>
    `coalesce((SELECT sum(${value}) FROM ${table} c WHERE c.vault = v.address AND epoch(${at}) <= moments.moment), 0)::HUGEINT`
  const byKind = (kinds: Record<string, string>) =>
    `CASE kind ${Object.entries(kinds)
      .map(([kind, value]) => `WHEN '${kind}' THEN ${value}`)
      .join(' ')} ELSE 0 END`
  const amount = 'amount_decimal'
  const put = sumOf(byKind({ DEPOSIT: amount, WITHDRAWAL: `-${amount}` }))
  const moved = byKind({
    DEPOSIT: amount,
    WITHDRAWAL: `-${amount}`,
    FUNDING: `-${amount}`,
    REPAYMENT: amount,
  })
  const back = (value: string) => sumOf(byKind({ REPAYMENT: value }))
  const shares = byKind({ DEPOSIT: 'shares_decimal', WITHDRAWAL: '-shares_decimal' })
  const rows = await rowsOf(`
    WITH moments AS (${moments}), slice AS (
      SELECT moment, vault, discountAmount_decimal::HUGEINT AS discount, epoch(fundedAt)::BIGINT AS since,
        epoch(date_trunc('day', dueDate))::BIGINT + ${DAY} AS until, (faceAmount_decimal - (${repaid}))::HUGEINT AS unpaid
      FROM moments JOIN allocations a ON epoch(fundedAt) <= moment
    ), part AS (
      SELECT moment, vault, discount * (least(moment, until) - since) AS earned, until - since AS term,
        unpaid * least(greatest(moment - until, 0), ${LOST_AFTER}) AS lost
      FROM slice
    ), worth AS (
      SELECT moment, vault, sum(earned // term) AS whole, sum(earned % term * ${PARTS} // term) AS parts, sum(lost) AS lost
      FROM part GROUP BY ALL
    )
    SELECT moments.moment, v.address, ${sumOf(moved)},
      ${sumOf('faceAmount_decimal', 'allocations', 'fundedAt')} - ${back(amount)},
      ${sumOf('advanceAmount_decimal', 'allocations', 'fundedAt')} - ${back(`${amount} - discountAmount_decimal`)},
      ${put} + coalesce(whole - lost // ${LOST_AFTER} - 1 + (parts - lost % ${LOST_AFTER} * ${PARTS} // ${LOST_AFTER} + ${PARTS}) // ${PARTS}, 0),
      ${sumOf(shares, 'positionChanges')},
      coalesce((lost + ${LOST_AFTER} - 1) // ${LOST_AFTER}, 0)
    FROM moments CROSS JOIN vaults v LEFT JOIN worth ON worth.vault = v.address AND worth.moment = moments.moment
    WHERE ${vault ? `v.address = '${vault}'` : 'true'} ORDER BY 1, 2`)
  return rows.map(([moment, address, ...amounts]) => {
    const [idle = 0n, face = 0n, advance = 0n, assets = 0n, shares = 0n, lost = 0n] = amounts.map((value) =>
      BigInt(value ?? 0),
    )
    return { at: Number(moment), vault: address ?? '', idle, face, advance, assets, shares, lost }
  })
}

type Priced = Pick<Capital, 'assets' | 'shares'>

/** The value of shares, rounded down. */
export function assetsOf({ assets, shares }: Priced, owned: bigint): bigint {
  return (owned * (assets + 1n)) / (shares + VIRTUAL_SHARES)
}

/** The value of one share with all its decimals, rounded down. @param decimals those of the token */
export function priceOf(capital: Priced, decimals: number): bigint {
  return assetsOf(capital, 10n ** BigInt(decimals) * VIRTUAL_SHARES)
}

/** Parts of the change of a price in basis points: of the whole time, or of a year of that time. */
export function changeOf(now: Priced, then: Priced, seconds?: number): { part: bigint; whole: bigint } {
  const value = (now.assets + 1n) * (then.shares + VIRTUAL_SHARES)
  const before = (then.assets + 1n) * (now.shares + VIRTUAL_SHARES)
  if (seconds === undefined) return { part: value - before, whole: before }
  return { part: (value - before) * 365n * BigInt(DAY), whole: before * BigInt(seconds) }
}

export const NOTHING: Priced = { assets: 0n, shares: 0n }
