/**
 * The entries of statements. An entry is one change of one balance. Its event can have several: a deposit changes the
 * tokens and the shares of a wallet. `id` and `part` order entries as the chain does.
 */
import { sql } from 'kysely'
import type { StatementAccount, StatementKind, StatementSubject } from '../../domain/statement.ts'
import type { Sql } from '../sql/json.ts'
import { view } from '../sql/source.ts'

/**
 * Writes a relation of all entries of a subject since the first block, with the columns `id`, `part`, `account`,
 * `unit`, `kind`, `amount`, `counterparty`, `claim_id`, `execution_id`, `block`, `at` and `tx`. `unit` is the address
 * of the token, or of the vault whose shares the amount counts. No entry has the amount 0.
 */
export function entriesOf(subject: StatementSubject, address: Sql): Sql {
  const arms = ARMS[subject](address).map(armSql)
  return sql`(select * from (${sql.join(arms, sql` union all `)}) as entry where amount <> 0)`
}

/** One row of a source makes these entries. */
type Change = { readonly account: StatementAccount; readonly unit: Sql; readonly amount: Sql }

type Arm = {
  readonly kind: StatementKind
  /** `from` with the row `own`, which has `id`, `block`, `at` and `tx`, and the condition. */
  readonly rows: Sql
  readonly changes: readonly Change[]
  /** Distinguishes rows with one `id`. Default: 0. */
  readonly index?: Sql
  readonly counterparty?: Sql
  readonly claimId?: Sql
  readonly executionId?: Sql
}

const NONE = sql`null::text`

function armSql({ kind, rows, changes, index, counterparty, claimId, executionId }: Arm): Sql {
  const values = changes.map(
    ({ account, unit, amount }, i) => sql`(${sql.lit(i)}, ${sql.lit(account)}::text, ${unit}, ${amount})`,
  )
  const part = index ? sql`(${index}) * ${sql.lit(changes.length)} + change.place` : sql`change.place`
  return sql`
    select own.id, (${part})::bigint as part, change.account, change.unit, ${sql.lit(kind)}::text as kind,
      change.amount::numeric as amount, ${counterparty ?? NONE} as counterparty, ${claimId ?? NONE} as claim_id,
      ${executionId ?? NONE} as execution_id, own.block, own.at, own.tx
    ${rows} cross join lateral (values ${sql.join(values)}) as change (place, account, unit, amount)`
}

const activities = (conditions: Sql) => sql`from (
  select * from ${view('activity')} as activity where ${conditions}
) as own`

/** One wallet can be both payer and beneficiary. */
const settlements = (role: 'payer' | 'beneficiary', wallet: Sql) => sql`from (
  select id + ${sql.lit(role === 'beneficiary' ? 1 : 0)} as id, token, claim_id, payer, beneficiary, face_amount, beneficiary_amount, block, at, tx
  from ${view('settlement')} as settlement where ${sql.raw(role)} = ${wallet}
) as own`

const positionChanges = (owner: Sql, kind: Sql) => sql`from (
  select change.*, vault.token from ${view('positionChange')} as change join ${view('vault')} as vault on vault.address = change.vault
  where change.owner = ${owner} and change.kind = ${kind}
) as own`

const column = (name: string) => sql.raw(name)
const minus = (amount: Sql) => sql`-(${amount})`

function walletArms(wallet: Sql): Arm[] {
  const [token, amount, claimId] = [column('own.token'), column('own.amount'), column('own.claim_id')]
  const of = (kind: string) => activities(sql`wallet = ${wallet} and kind = ${sql.lit(kind)}`)
  const receivable = (change: Sql): Change => ({ account: 'RECEIVABLE', unit: token, amount: change })
  const cash = (change: Sql): Change => ({ account: 'CASH', unit: token, amount: change })
  const credit = (change: Sql): Change => ({ account: 'CREDIT', unit: token, amount: change })
  const claim = sql`join ${view('claim')} as claim on claim.id = own.claim_id`
  const received = column('own.beneficiary_amount')
  // No settlement pays a vault in its role as a wallet: its credits are repayments.
  const credited = sql`case when exists (select 1 from ${view('vault')} as vault where vault.address = ${wallet}) then 0 else own.amount end`
  const leg = sql`join ${view('executionLeg')} as leg on leg.execution_id = own.execution_id`
  return [
    {
      kind: 'CLAIM_REGISTERED',
      rows: sql`${of('CLAIM_REGISTERED')} ${claim}`,
      changes: [receivable(amount)],
      counterparty: column('claim.issuer'),
      claimId,
    },
    {
      kind: 'CLAIM_REVOKED',
      // One that is partially financed is closed instead, and stays payable in full.
      rows: sql`${of('CLAIM_REVOKED')} ${claim} and claim.state = 'REVOKED'`,
      changes: [receivable(minus(amount))],
      counterparty: column('claim.issuer'),
      claimId,
    },
    {
      kind: 'FINANCED',
      rows: sql`${of('EXECUTION')} ${leg}`,
      changes: [receivable(minus(column('leg.face_amount'))), cash(column('leg.advance_amount'))],
      index: column('leg.leg_index'),
      counterparty: column('leg.vault'),
      claimId: column('leg.claim_id'),
      executionId: column('own.execution_id'),
    },
    {
      kind: 'CLAIM_PAID',
      rows: settlements('beneficiary', wallet),
      changes: [receivable(minus(received)), cash(received)],
      counterparty: column('own.payer'),
      claimId,
    },
    {
      kind: 'PAYMENT_MADE',
      rows: settlements('payer', wallet),
      changes: [cash(minus(column('own.face_amount')))],
      counterparty: column('own.beneficiary'),
      claimId,
    },
    { kind: 'CREDITED', rows: of('CREDITED'), changes: [cash(minus(credited)), credit(amount)], claimId },
    {
      kind: 'CREDIT_WITHDRAWN',
      rows: of('CREDIT_WITHDRAWN'),
      changes: [credit(minus(amount)), cash(credited)],
    },
    ...shareArms(wallet),
  ]
}

/** Deposits, withdrawals and transfers of shares of a wallet. */
function shareArms(wallet: Sql): Arm[] {
  const [assets, shares] = [column('own.assets'), column('own.shares')]
  const held = (amount: Sql): Change => ({ account: 'SHARES', unit: column('own.vault'), amount })
  const cash = (amount: Sql): Change => ({ account: 'CASH', unit: column('own.token'), amount })
  const of = (kind: string) => positionChanges(wallet, sql.lit(kind))
  const vault = column('own.vault')
  const other = column('own.counterparty')
  return [
    {
      kind: 'DEPOSIT',
      rows: of('DEPOSIT'),
      changes: [cash(minus(assets)), held(shares)],
      counterparty: vault,
    },
    {
      kind: 'WITHDRAWAL',
      rows: of('WITHDRAWAL'),
      changes: [held(minus(shares)), cash(assets)],
      counterparty: vault,
    },
    { kind: 'SHARES_SENT', rows: of('SENT'), changes: [held(minus(shares))], counterparty: other },
    { kind: 'SHARES_RECEIVED', rows: of('RECEIVED'), changes: [held(shares)], counterparty: other },
  ]
}

function vaultArms(vault: Sql): Arm[] {
  const token = sql`(select token from ${view('vault')} as of_token where of_token.address = ${vault})`
  const [assets, shares, amount] = [column('own.assets'), column('own.shares'), column('own.amount')]
  const idle = (change: Sql): Change => ({ account: 'IDLE', unit: token, amount: change })
  const advanced = (change: Sql): Change => ({ account: 'ADVANCED', unit: token, amount: change })
  const issued = (change: Sql): Change => ({ account: 'ISSUED', unit: vault, amount: change })
  const changes = (kind: string) => sql`from (
    select * from ${view('positionChange')} as change where vault = ${vault} and kind = ${sql.lit(kind)}
  ) as own`
  const capital = (kind: string) => sql`from (
    select change.*, claim.issuer, claim.beneficiary, part.execution_id
    from ${view('capitalChange')} as change
      join ${view('claim')} as claim on claim.id = change.claim_id
      join ${view('allocation')} as part on part.claim_id = change.claim_id and part.slice_index = change.slice_index
    where change.vault = ${vault} and change.kind = ${sql.lit(kind)}
  ) as own`
  const ofSlice = { claimId: column('own.claim_id'), executionId: column('own.execution_id') }
  const owner = column('own.owner')
  return [
    {
      kind: 'DEPOSIT',
      rows: changes('DEPOSIT'),
      changes: [idle(assets), issued(shares)],
      counterparty: owner,
    },
    {
      kind: 'WITHDRAWAL',
      rows: changes('WITHDRAWAL'),
      changes: [idle(minus(assets)), issued(minus(shares))],
      counterparty: owner,
    },
    {
      kind: 'FINANCED',
      rows: capital('FUNDING'),
      changes: [idle(minus(amount)), advanced(amount)],
      counterparty: column('own.beneficiary'),
      ...ofSlice,
    },
    {
      kind: 'REPAYMENT',
      rows: capital('REPAYMENT'),
      changes: [idle(amount), advanced(sql`own.discount - own.amount`)],
      counterparty: column('own.issuer'),
      ...ofSlice,
    },
  ]
}

function issuerArms(issuer: Sql): Arm[] {
  // `offset 0` keeps one search for each claim: the planner could read the activity of all issuers instead.
  const of = (kind: string, also = sql``) => sql`from (
    select found.* from ${view('claim')} as claim cross join lateral (
      select * from ${view('activity')} as activity where activity.claim_id = claim.id and kind = ${sql.lit(kind)} offset 0
    ) as found where claim.issuer = ${issuer}${also}
  ) as own`
  const owed = (amount: Sql): Change => ({ account: 'OWED', unit: column('own.token'), amount })
  const shared = { counterparty: column('own.wallet'), claimId: column('own.claim_id') }
  const amount = column('own.amount')
  return [
    { kind: 'CLAIM_REGISTERED', rows: of('CLAIM_REGISTERED'), changes: [owed(amount)], ...shared },
    {
      kind: 'CLAIM_REVOKED',
      rows: of('CLAIM_REVOKED', sql` and claim.state = 'REVOKED'`),
      changes: [owed(minus(amount))],
      ...shared,
    },
    { kind: 'CLAIM_PAID', rows: of('SETTLEMENT_PAID'), changes: [owed(minus(amount))], ...shared },
  ]
}

const ARMS: Readonly<Record<StatementSubject, (address: Sql) => Arm[]>> = {
  wallet: walletArms,
  vault: vaultArms,
  issuer: issuerArms,
}
