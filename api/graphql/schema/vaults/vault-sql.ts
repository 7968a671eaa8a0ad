/** The value of the shares of a vault as SQL, as the functions of `domain/vault.ts` compute it. */
import { sql } from 'kysely'
import { BPS_DENOMINATOR } from '../../../domain/limits.ts'
import type { Sql } from '../../../projection/sql/json.ts'
import type { Scope } from '../../../projection/sql/scope.ts'
import { view } from '../../../projection/sql/source.ts'

const BPS = sql.lit(Number(BPS_DENOMINATOR))

export function bookSql(vault: Scope): Sql {
  const [idle, advance] = [vault.column('idleAssets'), vault.column('outstandingAdvance')]
  return sql`(${idle} + ${advance} - ${vault.column('outstandingImpairment')})`
}

export function lockedSql(vault: Scope): Sql {
  const [amount, since, until] = [
    vault.column('unlockingAmount'),
    vault.column('unlockingSince'),
    vault.column('unlockingUntil'),
  ]
  return sql`(case when ${vault.column('totalShares')} = 0 then ${bookSql(vault)}
    when ${vault.now} >= ${until} then 0
    else ${amount} - div(${amount} * (${vault.now} - ${since}), ${until} - ${since}) end)`
}

export function totalAssetsSql(vault: Scope): Sql {
  return sql`${bookSql(vault)} - ${lockedSql(vault)}`
}

/** Decimals of the token, which are also those of the shares. */
export function decimalsSql(vault: Scope): Sql {
  return sql`(select decimals from ${view('token')} as listed where listed.address = ${vault.column('token')})`
}

/** The value of an amount of shares. */
function assetsSql(vault: Scope, shares: Sql): Sql {
  return sql`div(${shares} * (${totalAssetsSql(vault)} + 1), ${vault.column('totalShares')} + 1)`
}

export function sharePriceSql(vault: Scope): Sql {
  return assetsSql(vault, sql`('1' || repeat('0', ${decimalsSql(vault)}))::numeric`)
}

/** Basis points, rounded down. */
export function yieldSql(vault: Scope): Sql {
  return sql`${assetsSql(vault, BPS)} - ${BPS}`
}

/** Basis points, rounded down; 0 where there are no assets. */
export function utilizationSql(vault: Scope): Sql {
  const [idle, advance] = [vault.column('idleAssets'), vault.column('outstandingAdvance')]
  return sql`case when ${idle} + ${advance} = 0 then 0 else div(${advance} * ${BPS}, ${idle} + ${advance}) end`
}
