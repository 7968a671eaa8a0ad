/** Gains and value of positions as SQL. `vaultPosition` in ponder.schema.ts states the rule of their cost. */
import { sql } from 'kysely'
import { BPS_DENOMINATOR } from '../../../domain/limits.ts'
import type { Sql } from '../../../projection/sql/json.ts'
import { rowScope, type Scope } from '../../../projection/sql/scope.ts'
import { view } from '../../../projection/sql/source.ts'
import { vaults } from '../../../projection/tables/vault.ts'
import { valuedBy, valueNow } from '../../../projection/tables/vault-value.ts'
import { assetsSql, coveredSharesSql } from './vault-sql.ts'

const BPS = sql.lit(Number(BPS_DENOMINATOR))

/** Amounts that left the position and the cost of the shares that are left, less the amounts that came. */
export function realizedGainSql(position: Scope): Sql {
  const [out, paid] = [outSql(position), paidSql(position)]
  return sql`${out} + ${position.column('costBasis')} - ${paid}`
}

/** The value of the shares: `convertToAssets` of the contract. */
export function positionAssetsSql(position: Scope): Sql {
  return ofVault(position, (vault) => assetsSql(vault, position.column('shares')))
}

/** The value of the shares that idle assets cover: `maxWithdraw` of the contract. */
export function withdrawableSql(position: Scope): Sql {
  return ofVault(position, (vault) =>
    assetsSql(vault, sql`least(${position.column('shares')}, ${coveredSharesSql(vault)})`),
  )
}

export function unrealizedGainSql(position: Scope): Sql {
  return sql`${positionAssetsSql(position)} - ${position.column('costBasis')}`
}

/**
 * Basis points, rounded down; null where nothing was paid. Value and proceeds are not negative, so it is -10000 or
 * more.
 */
export function positionReturnSql(position: Scope): Sql {
  const proceeds = sql`${positionAssetsSql(position)} + ${outSql(position)}`
  return sql`div((${proceeds}) * ${BPS}, nullif(${paidSql(position)}, 0)) - ${BPS}`
}

/** The assets and the cost that left the position with shares. */
function outSql(position: Scope): Sql {
  return sql`(${position.column('withdrawn')} + ${position.column('sent')})`
}

/** The assets and the cost that came with shares. */
function paidSql(position: Scope): Sql {
  return sql`(${position.column('deposited')} + ${position.column('received')})`
}

/** A value of the vault of a position, with the value of what the vault has financed. */
function ofVault(position: Scope, value: (vault: Scope) => Sql): Sql {
  const vault = valuedBy(rowScope('held', vaults), 'worth')
  return sql`(
    select ${value(vault)} from ${view('vault')} as held cross join lateral ${valueNow(vault)} as worth
    where held.address = ${position.column('vault')}
  )`
}
