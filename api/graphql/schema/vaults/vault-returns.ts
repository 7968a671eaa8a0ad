/** Returns of the shares of a vault over time. */
import { sql } from 'kysely'
import { BPS_DENOMINATOR, SECONDS_PER_DAY } from '../../../domain/limits.ts'
import { columnOf, type Sql } from '../../../projection/sql/json.ts'
import { midnightBefore } from '../../../projection/sql/period.ts'
import { type Scope, tupleScope } from '../../../projection/sql/scope.ts'
import type { VaultRow } from '../../../projection/tables/vault.ts'
import { firstDepositAt, valuedBy, valueNow, vaultBefore } from '../../../projection/tables/vault-value.ts'
import { builder } from '../../kit/builder.ts'
import { computed, samePart } from '../../kit/reads.ts'
import { NOW } from './vault-parts.ts'
import { allSharesSql, totalAssetsSql, VIRTUAL_SHARES } from './vault-sql.ts'

/** Each adds up the daily lines of a vault. */
const RETURN_COST = 10

const DAY = Number(SECONDS_PER_DAY)
/** Basis points times seconds of a year: of a return that doubles the price in a second. */
const YEAR = sql.raw(`${Number(BPS_DENOMINATOR) * 365 * DAY}::numeric`)

/** Price of shares, as a fraction: their assets over their number, with those of nobody. */
type Price = { readonly assets: Sql; readonly shares: Sql }

const FIRST_PRICE: Price = { assets: sql`1`, shares: VIRTUAL_SHARES }

function priceOf(vault: Scope): Price {
  return { assets: sql`(${totalAssetsSql(vault)} + 1)`, shares: allSharesSql(vault) }
}

/**
 * The change of the price in some seconds, in a year of such seconds. The change is -1 or more, so the quotient has a
 * dividend that is not negative once 1 is added for each second: `div` rounds it down then.
 */
function annualized(now: Price, then: Price, seconds: Sql): Sql {
  const [worth, paid] = [sql`${now.assets} * ${then.shares}`, sql`${then.assets} * ${now.shares}`]
  return sql`div((${worth} + ${paid} * (${seconds} - 1)) * ${YEAR}, ${paid} * nullif(${seconds}, 0)) - ${YEAR}`
}

/** Since the last second before the day that began some number of days before that of the block. */
function returnOfDays(vault: Scope, days: number): Sql {
  const midnight = sql`(${midnightBefore(vault.now)} - ${sql.lit(days * DAY)})`
  const change = annualized(
    priceOf(valuedBy(vault, 'worth')),
    priceOf(tupleScope('past')),
    sql`(${vault.now} - ${midnight} + 1)`,
  )
  return sql`(
    select case when ${columnOf('past', 'totalShares')} > 0 then ${change} end
    from ${valueNow(vault)} as worth cross join ${vaultBefore(vault.column('address'), midnight)} as past
  )`
}

function returnToDate(vault: Scope): Sql {
  const seconds = sql`(${vault.now} - first.at)`
  const change = annualized(priceOf(valuedBy(vault, 'worth')), FIRST_PRICE, seconds)
  return sql`(
    select ${change} from ${valueNow(vault)} as worth cross join ${firstDepositAt(vault.column('address'))} as first
  )`
}

export const VaultReturns = builder.objectRef<VaultRow>('VaultReturns')

/** No column of an export of vaults, whose pages would cost too much with it. */
export const returnsOfVault = { ...samePart, extensions: { ...samePart.extensions, isColumn: false } }

const lastDays = (days: number) => ({
  type: 'SafeInt' as const,
  nullable: true as const,
  description: `Annualized return since the last second before 00:00 UTC of the day ${days} days before that of the block, basis points, rounded down. Null if the vault had no shares then.`,
  complexity: RETURN_COST,
  ...computed((vault) => returnOfDays(vault, days)),
})

VaultReturns.implement({
  description: `Annualized returns of a share, ${NOW}. Each is (price now / price then - 1) × 365 days / seconds between the two. A price is (\`totalAssets\` + 1) / (\`totalShares\` + 10^6), not rounded. So the returns are weighted by time: deposits and withdrawals do not change them. They are negative after losses.`,
  fields: (t) => ({
    last7DaysBps: t.field(lastDays(7)),
    last30DaysBps: t.field(lastDays(30)),
    last90DaysBps: t.field(lastDays(90)),
    toDateBps: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'Annualized return since the block time of the first deposit, basis points, rounded down. Null before a later block.',
      complexity: RETURN_COST,
      ...computed(returnToDate),
    }),
  }),
})
