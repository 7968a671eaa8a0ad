/** The books of vaults at the end of each period of a series, from which the value of their shares follows. */
import { sql } from 'kysely'
import type { Books } from '../domain/vault.ts'
import { groupBy } from './keys.ts'
import { periodsOf, type SeriesRequest } from './series.ts'
import type { Snapshot } from './snapshot.ts'
import { view } from './source.ts'

/** Books after all events before `at`: the end of the period, or the time of the block if that is earlier. Unix seconds. */
export type BooksPoint = Books & {
  readonly at: bigint
  /** Of the token, and of the shares. */
  readonly decimals: number
}

/** The books of each vault, in the order of the vaults, with the periods of `readSeries` for the same request. */
export async function readVaultBooks(
  { db, finalizedThrough }: Snapshot,
  vaults: readonly string[],
  request: SeriesRequest,
): Promise<(readonly BooksPoint[])[]> {
  const { rows } = await sql<BooksPoint & { vault: string }>`
    select parent.vault, token.decimals, least(point.end, ${finalizedThrough.timestamp}::numeric) as at,
      coalesce(capital.idle_assets, 0) as idle_assets,
      coalesce(capital.outstanding_advance, 0) as outstanding_advance,
      coalesce(capital.outstanding_impairment, 0) as outstanding_impairment,
      coalesce(capital.total_shares, 0) as total_shares, coalesce(lock.amount, 0) as unlocking_amount,
      coalesce(lock.at, 0) as unlocking_since, coalesce(lock.until, 0) as unlocking_until
    from unnest(${[...vaults]}::text[]) as parent (vault)
    join ${view('vault')} as vault on vault.address = parent.vault
    join ${view('token')} as token on token.address = vault.token
    cross join ${periodsOf(request).points} as point
    left join lateral (
      select idle_assets, outstanding_advance, outstanding_impairment, total_shares from ${view('vaultDay')} as own
      where own.vault = parent.vault and own.day < point.end order by own.day desc limit 1
    ) as capital on true
    left join lateral (
      select own.amount, own.at, own.until from ${view('profitLock')} as own
      where own.vault = parent.vault and own.at < point.end order by own.at desc, own.id desc limit 1
    ) as lock on true
    order by point.start`.execute(db)
  const byVault = groupBy(rows, 'vault')
  return vaults.map((vault) => byVault.get(vault) ?? [])
}
