/** Statements: the movements of a wallet, a vault or an issuer in a period, with the balances before and after. */
import { sql } from 'kysely'
import { PAGE_LIMIT_MAX } from '../../../domain/limits.ts'
import type { StatementPeriod, StatementSubject } from '../../../domain/statement.ts'
import { validationFailed } from '../../../errors.ts'
import type { Sql } from '../../../projection/sql/json.ts'
import { type Scope, tupleScope } from '../../../projection/sql/scope.ts'
import { entriesOf } from '../../../projection/statements/entries.ts'
import { balancesOf, entriesWithin, totalsOf } from '../../../projection/statements/statement.ts'
import { builder } from '../../kit/builder.ts'
import { type Relation, reading } from '../../kit/declared-read.ts'
import { checkCount } from '../../kit/lists.ts'
import { computed } from '../../kit/reads.ts'
import { Account, Issuer, Vault } from '../shared/refs.ts'
import { Balance, Entry, Total } from './parts.ts'

/** Cost of reading all entries of a subject. */
const COST = 500
const FIRST_DEFAULT = 50

/** The statement is the relation of all entries of its subject, and its period. */
type StatementShape = StatementPeriod

function relationOf(relation: Sql): Relation {
  return {
    from: (row) => sql`from ${relation} as ${sql.raw(row)}`,
    scopeOf: tupleScope,
    orderBy: 'position',
  }
}

function periodOf(statement: Scope) {
  return { from: statement.column('from'), to: statement.column('to') }
}

function numbered(relation: Sql, order: Sql): Sql {
  return sql`(select *, row_number() over (order by ${order}) as position from ${relation} as own)`
}

const Statement = builder.objectRef<StatementShape>('Statement').implement({
  description:
    'Opening balances, entries and closing balances of a period, at the finalized block of the answer. The closing balances of a period are the opening balances of the next.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'Start, inclusive.' }),
    to: t.expose('to', { type: 'DateTime', description: 'End, exclusive.' }),
    isComplete: t.boolean({
      description: 'Whether the finalized block is at the end or later, so that no entry can follow.',
      ...computed((statement) => sql`${statement.now} >= ${statement.column('to')}`),
    }),
    balances: t.field({
      type: [Balance],
      description: 'Balances that are not zero at the start, or that have entries.',
      complexity: COST,
      ...reading({
        kind: 'relation',
        relation: (statement) =>
          relationOf(
            numbered(balancesOf(statement.column('entries'), periodOf(statement)), sql`account, unit`),
          ),
      }),
    }),
    totals: t.field({
      type: [Total],
      description: 'Sums by balance and kind.',
      complexity: COST,
      ...reading({
        kind: 'relation',
        relation: (statement) =>
          relationOf(
            numbered(totalsOf(statement.column('entries'), periodOf(statement)), sql`account, unit, kind`),
          ),
      }),
    }),
    entries: t.field({
      type: [Entry],
      description: 'Entries in the order of the chain.',
      args: {
        first: t.arg.int({
          required: true,
          defaultValue: FIRST_DEFAULT,
          description: `Maximum number of entries, 1 to ${PAGE_LIMIT_MAX}.`,
        }),
        skip: t.arg.int({
          required: true,
          defaultValue: 0,
          description: 'Number of entries before the first.',
        }),
      },
      complexity: (page) => {
        checkPage(page)
        return { field: COST, multiplier: page.first }
      },
      ...reading<Page>({ kind: 'relation', relation: pageOf }),
    }),
  }),
})

type Page = { readonly first: number; readonly skip: number }

/** @throws CodedError `VALIDATION_FAILED` */
function checkPage({ first, skip }: Page): void {
  checkCount(first, 'first', PAGE_LIMIT_MAX)
  if (skip < 0) throw validationFailed([{ path: 'skip', message: 'must not be negative' }])
}

function pageOf(statement: Scope, { first, skip }: Page): Relation {
  const entries = entriesWithin(statement.column('entries'), periodOf(statement))
  return relationOf(sql`(
    select * from ${numbered(entries, sql`id, part`)} as numbered
    where position > ${sql.lit(skip)} order by position limit ${sql.lit(first)}
  )`)
}

const statementArgs = builder.args((t) => ({
  from: t.field({ type: 'DateTime', required: true, description: 'Start, inclusive.' }),
  to: t.field({ type: 'DateTime', required: true, description: 'End, exclusive.' }),
}))

function statementOf(subject: StatementSubject) {
  return {
    type: Statement,
    args: statementArgs,
    complexity: ({ from, to }: StatementPeriod) => {
      if (from >= to) throw validationFailed([{ path: 'to', message: 'must be later than from' }])
      return 1
    },
    ...reading<StatementPeriod>({
      kind: 'relation',
      relation: (owner, { from, to }) => {
        const columns: Readonly<Record<string, Sql>> = {
          from: sql`${from}::numeric`,
          to: sql`${to}::numeric`,
          entries: entriesOf(subject, owner.column('address')),
        }
        return {
          from: (row) => sql`from (select 1 as position) as ${sql.raw(row)}`,
          scopeOf: (row) => {
            const own = tupleScope(row)
            return { ...own, column: (name) => columns[name] ?? own.column(name) }
          },
          orderBy: 'position',
        }
      },
    }),
  }
}

builder.objectField(Account, 'statement', (t) =>
  t.field({
    description: 'Statement of the account: tokens, claims, credits and shares.',
    ...statementOf('wallet'),
  }),
)

builder.objectField(Vault, 'statement', (t) =>
  t.field({
    description: 'Statement of the vault: idle assets, advances and shares.',
    ...statementOf('vault'),
  }),
)

builder.objectField(Issuer, 'statement', (t) =>
  t.field({ description: 'Statement of the issuer: face that it owes.', ...statementOf('issuer') }),
)
