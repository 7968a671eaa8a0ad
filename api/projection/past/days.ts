/**
 * Daily figures as of a block: the days before that of the block as they are, and the day of the block from its events
 * until then.
 */
import { sql } from 'kysely'
import type { Sql } from '../sql/json.ts'
import { DAY } from '../sql/period.ts'
import { ref, view } from '../sql/source.ts'
import { type At, isEventUntil, isUntil } from './at.ts'
import { lastChange, VAULT_FIGURES } from './vaults.ts'

/** Events of the day of the block, until the block. */
const events = (at: At) => sql`at >= ${at.day} and at <= ${at.time} and ${isEventUntil(at)}`
const registered = (at: At) =>
  sql`${view('claim')} where registered_at >= ${at.day} and ${isUntil(at, 'registered_block', 'registered_at')}`
const settled = (at: At) => sql`${view('settlement')} where at >= ${at.day} and ${isUntil(at, 'block', 'at')}`

/** Rows that add to the figures of the day: a relation with the key, and the figures that each row has. */
type Addition = {
  readonly from: Sql
  readonly key?: Sql
  readonly figures: { readonly [figure: string]: Sql }
}

const ONE = sql`1`
const REGISTERED = { claimsRegistered: ONE, faceRegistered: sql`face_value` }
const COUNTS = ['claimsRegistered', 'allocations', 'executions', 'settlements']

/** Selects the days of a table of sums. */
function daysOf(
  table: 'tokenDay' | 'issuerDay',
  key: Sql,
  figures: readonly string[],
  additions: readonly Addition[],
  { day }: At,
): Sql {
  const sums = figures.map((figure) => {
    const type = sql.raw(COUNTS.includes(figure) ? 'int4' : 'numeric')
    return sql`sum(${ref(figure)})::${type}`
  })
  const added = additions.map(({ from, key: own = key, figures: values }) => {
    const columns = figures.map((figure) => sql`${values[figure] ?? sql`0`} as ${ref(figure)}`)
    return sql`select ${own}, ${sql.join(columns)} from ${from}`
  })
  return sql`
    select ${key}, day, ${sql.join(figures.map((figure) => ref(figure)))} from ${view(table)} where day < ${day}
    union all
    select ${key}, ${day}, ${sql.join(sums)} from (${sql.join(added, sql` union all `)}) as added group by ${key}`
}

export function pastTokenDays(at: At): Sql {
  const ifKind = (kind: string, amount: Sql) =>
    sql`case when kind = ${sql.lit(kind)} then ${amount} else 0 end`
  const figures = [
    ...['claimsRegistered', 'faceRegistered', 'executions', 'faceFinanced', 'advanced', 'settlements'],
    ...['faceSettled', 'deposited', 'withdrawn', 'faceRepaid', 'discountEarned'],
  ]
  const additions = [
    { from: registered(at), figures: REGISTERED },
    {
      from: sql`${view('execution')} where at >= ${at.day} and ${isUntil(at, 'block', 'at')}`,
      figures: { executions: ONE, faceFinanced: sql`total_face`, advanced: sql`total_advance` },
    },
    { from: settled(at), figures: { settlements: ONE, faceSettled: sql`face_amount` } },
    {
      from: sql`${view('capitalChange')} as change join ${view('vault')} as vault on vault.address = change.vault
        where ${events(at)}`,
      figures: {
        deposited: ifKind('DEPOSIT', sql`amount`),
        withdrawn: ifKind('WITHDRAWAL', sql`amount`),
        faceRepaid: ifKind('REPAYMENT', sql`amount`),
        discountEarned: ifKind('REPAYMENT', sql`discount`),
      },
    },
  ]
  return daysOf('tokenDay', sql`token`, figures, additions, at)
}

export function pastIssuerDays(at: At): Sql {
  const figures = [
    ...['claimsRegistered', 'faceRegistered', 'allocations', 'faceFinanced', 'advanced', 'settlements'],
    ...['faceSettled', 'vaultsAmount', 'faceRepaid', 'discountEarned'],
  ]
  const additions = [
    { from: registered(at), figures: REGISTERED },
    {
      from: sql`${view('allocation')} where funded_at >= ${at.day} and ${isUntil(at, 'funded_block', 'funded_at')}`,
      figures: { allocations: ONE, faceFinanced: sql`face_amount`, advanced: sql`advance_amount` },
    },
    {
      from: settled(at),
      figures: { settlements: ONE, faceSettled: sql`face_amount`, vaultsAmount: sql`vaults_amount` },
    },
    {
      key: sql`issuer, token`,
      from: sql`(
        select claim.issuer, claim.token, amount, discount
        from ${view('capitalChange')} as change join ${view('claim')} as claim on claim.id = change.claim_id
        where kind = 'REPAYMENT' and at >= ${at.day} and at <= ${at.time} and change.id < ${at.nextId}
      ) as repaid`,
      figures: { faceRepaid: sql`amount`, discountEarned: sql`discount` },
    },
  ]
  return daysOf('issuerDay', sql`issuer, token`, figures, additions, at)
}

export function pastVaultDays(at: At): Sql {
  const total = (kind: string, amount: Sql, name: string) =>
    sql`coalesce(sum(${amount}) filter (where kind = ${sql.lit(kind)}), 0) as ${sql.raw(name)}`
  const flows = sql`allocations, deposited, withdrawn, face_financed, advanced, face_repaid, moved.discount_earned`
  const figures = sql.join(VAULT_FIGURES.map((name) => sql.raw(name)))
  return sql`
    select vault, day, token, ${flows}, ${figures} from ${view('vaultDay')} as moved where day < ${at.day}
    union all
    select moved.vault, ${at.day}, own.token, ${flows}, ${figures} from (
      select vault, (count(*) filter (where kind = 'FUNDING'))::int4 as allocations,
        ${total('DEPOSIT', sql`amount`, 'deposited')}, ${total('WITHDRAWAL', sql`amount`, 'withdrawn')},
        ${total('FUNDING', sql`amount + discount`, 'face_financed')}, ${total('FUNDING', sql`amount`, 'advanced')},
        ${total('REPAYMENT', sql`amount`, 'face_repaid')}, ${total('REPAYMENT', sql`discount`, 'discount_earned')}
      from ${view('capitalChange')} where ${events(at)} group by vault
    ) as moved
    join (select address, token from ${view('vault')}) as own on own.address = moved.vault
    cross join lateral ${lastChange(sql`moved.vault`, at)} as last`
}

export function pastPositionDays(at: At): Sql {
  const total = (kind: string, name: string) =>
    sql`coalesce(sum(assets) filter (where kind = ${sql.lit(kind)}), 0) as ${sql.raw(name)}`
  return sql`
    select vault, owner, day, deposited, withdrawn, received, sent, shares, cost_basis
    from ${view('positionDay')} where day < ${at.day}
    union all
    select moved.vault, moved.owner, ${at.day}, deposited, withdrawn, received, sent, last.* from (
      select vault, owner, ${total('DEPOSIT', 'deposited')}, ${total('WITHDRAWAL', 'withdrawn')},
        ${total('RECEIVED', 'received')}, ${total('SENT', 'sent')}
      from ${view('positionChange')} where ${events(at)} group by vault, owner
    ) as moved
    cross join lateral (
      select shares_after, cost_basis_after from ${view('positionChange')}
      where vault = moved.vault and owner = moved.owner and ${isEventUntil(at)} order by id desc limit 1
    ) as last`
}

/**
 * The dues until the day of the block. No later event adds to an earlier day: a claim is due after its funding, and a
 * payment counts on its own day or a later one.
 */
export function pastDueDays(at: At): Sql {
  const nextDay = sql`${at.day} + ${DAY}`
  const isUntilBlock = isUntil(at, 'payment.block', 'payment.at')
  const slices = sql`
    ${view('allocation')} as slice
    where settled in (true, false) and due_at >= ${at.day} and due_at < ${nextDay} and ${isUntil(at, 'funded_block', 'funded_at')}`
  const paidPart = sql`payment.slice_amounts[slice.slice_index + 1]`
  return sql`
    select vault, issuer, token, day, face_due, face_settled from ${view('dueDay')} where day < ${at.day}
    union all
    select vault, issuer, token, ${at.day}, sum(face_due), sum(face_settled) from (
      select vault, issuer, token, face_amount as face_due, (
        select coalesce(sum(${paidPart}), 0) from ${view('settlement')} as payment
        where paid_face > 0 and payment.claim_id = slice.claim_id and ${isUntilBlock}
      ) as face_settled from ${slices}
      union all
      select slice.vault, slice.issuer, slice.token, 0, ${paidPart}
      from ${view('settlement')} as payment join ${view('allocation')} as slice on slice.claim_id = payment.claim_id
      where payment.at >= ${at.day} and ${isUntilBlock} and slice.due_at < ${at.day} and ${paidPart} > 0
    ) as part group by vault, issuer, token`
}
