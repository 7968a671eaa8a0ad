/** The value of the shares of a vault as SQL, as the contract computes it. */
import { sql } from 'kysely'
import { BPS_DENOMINATOR, SHARE_DIGITS } from '../../../domain/limits.ts'
import { VALUE_SCALE } from '../../../domain/value.ts'
import type { Sql } from '../../../projection/sql/json.ts'
import type { Scope } from '../../../projection/sql/scope.ts'
import { view } from '../../../projection/sql/source.ts'

const BPS = sql.lit(Number(BPS_DENOMINATOR))
const SCALE = sql.raw(String(VALUE_SCALE))
/** Shares of nobody. The first asset is worth as many shares. */
export const VIRTUAL_SHARES = sql.raw(String(10n ** BigInt(SHARE_DIGITS)))

/** Assets at cost. */
export function costSql(vault: Scope): Sql {
  return sql`(${vault.column('idleAssets')} + ${vault.column('outstandingAdvance')})`
}

/** The value of all shares to those who leave: `totalAssets` of the contract. */
export function totalAssetsSql(vault: Scope): Sql {
  const value = sql`${costSql(vault)} * ${SCALE} + ${vault.column('gains')} - ${vault.column('losses')}`
  return sql`div(greatest(${value}, 0), ${SCALE})`
}

/** The value of all shares to those who enter: `entryAssets` of the contract. */
export function entryAssetsSql(vault: Scope): Sql {
  return sql`div(${costSql(vault)} * ${SCALE} + ${vault.column('gains')} + ${SCALE} - 1, ${SCALE})`
}

/** Losses of overdue allocations, rounded up. */
export function writtenDownSql(vault: Scope): Sql {
  return sql`div(${vault.column('losses')} + ${SCALE} - 1, ${SCALE})`
}

/** Decimals of the token. */
function decimalsSql(vault: Scope): Sql {
  return sql`(select decimals from ${view('token')} as listed where listed.address = ${vault.column('token')})`
}

/** Decimals of the shares. */
export function shareDecimalsSql(vault: Scope): Sql {
  return sql`${decimalsSql(vault)} + ${sql.lit(SHARE_DIGITS)}`
}

export function allSharesSql(vault: Scope): Sql {
  return sql`(${vault.column('totalShares')} + ${VIRTUAL_SHARES})`
}

function wholeShareSql(vault: Scope): Sql {
  return sql`('1' || repeat('0', ${shareDecimalsSql(vault)}))::numeric`
}

/** The value of an amount of shares, rounded down: `convertToAssets` of the contract. */
export function assetsSql(vault: Scope, shares: Sql): Sql {
  return sql`div(${shares} * (${totalAssetsSql(vault)} + 1), ${allSharesSql(vault)})`
}

/** The most shares whose value idle assets cover, as `maxRedeem` of the contract limits a withdrawal. */
export function coveredSharesSql(vault: Scope): Sql {
  const assets = sql`(${totalAssetsSql(vault)} + 1)`
  return sql`div((${vault.column('idleAssets')} + 1) * ${allSharesSql(vault)} + ${assets} - 1, ${assets}) - 1`
}

/** The value of a whole share, rounded down: `previewRedeem` of the contract. */
export function sharePriceSql(vault: Scope): Sql {
  return assetsSql(vault, wholeShareSql(vault))
}

/** The price of a whole share, rounded up: `previewMint` of the contract. */
export function entryPriceSql(vault: Scope): Sql {
  const shares = allSharesSql(vault)
  return sql`div(${wholeShareSql(vault)} * (${entryAssetsSql(vault)} + 1) + ${shares} - 1, ${shares})`
}

/** Basis points, rounded down. */
export function yieldSql(vault: Scope): Sql {
  return sql`${assetsSql(vault, sql`${BPS}::numeric * ${VIRTUAL_SHARES}`)} - ${BPS}`
}

/** Basis points, rounded down; 0 where there are no assets. */
export function utilizationSql(vault: Scope): Sql {
  const [idle, advance] = [vault.column('idleAssets'), vault.column('outstandingAdvance')]
  return sql`case when ${idle} + ${advance} = 0 then 0 else div(${advance} * ${BPS}, ${idle} + ${advance}) end`
}
