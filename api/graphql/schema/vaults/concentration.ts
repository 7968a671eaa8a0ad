/** How the outstanding face of a vault is spread over issuers, due dates and discounts. */
import { sql } from 'kysely'
import { BPS_DENOMINATOR, PAGE_LIMIT_MAX } from '../../../domain/limits.ts'
import type { Sql } from '../../../projection/sql/json.ts'
import { DAY } from '../../../projection/sql/period.ts'
import { type Scope, tupleScope } from '../../../projection/sql/scope.ts'
import { issuers } from '../../../projection/tables/issuer.ts'
import { outstandingOf } from '../../../projection/tables/outstanding.ts'
import { builder } from '../../kit/builder.ts'
import { type Relation, reading } from '../../kit/declared-read.ts'
import { checkCount } from '../../kit/lists.ts'
import { computed, discountOfSum, refersTo } from '../../kit/reads.ts'
import { Issuer, Vault } from '../shared/refs.ts'

/** Cost of the sums over the allocations of the vault, and of the same by issuer. */
const SUMS_COST = 50
const ISSUERS_COST = 25

export const ISSUERS_DEFAULT = 10

const BPS = sql.lit(Number(BPS_DENOMINATOR))

type IssuerShareShape = { readonly issuer: string; readonly face: bigint; readonly shareBps: number }

const IssuerShare = builder.objectRef<IssuerShareShape>('IssuerShare').implement({
  description: 'Outstanding face of a vault on the claims of one issuer.',
  fields: (t) => ({
    issuer: t.field({ type: Issuer, description: 'The issuer.', ...refersTo('issuer', issuers) }),
    outstandingFace: t.expose('face', { type: 'AmountSum', description: 'Outstanding face, base units.' }),
    shareBps: t.exposeInt('shareBps', {
      description: '`outstandingFace` over that of the vault, basis points, rounded down.',
    }),
  }),
})

/** Selects outstanding amounts by issuer. `face_seconds` is the face times the seconds until it is due. */
function amountsByIssuer(vault: Sql, now: Sql): Sql {
  return sql`(
    select issuer, sum(face) as face, sum(advance) as advance, sum(face * (due_at - ${now})) as face_seconds
    from ${outstandingOf('vault', vault)} as outstanding group by issuer
  )`
}

function sharesOf({ column, now }: Scope, first: number): Relation {
  return {
    from: (row) => sql`from (
      select issuer, face, div(${BPS} * face, sum(face) over ()) as share_bps,
        row_number() over (order by face desc, issuer) as position
      from ${amountsByIssuer(column('vault'), now)} as own order by position limit ${sql.lit(first)}
    ) as ${sql.raw(row)}`,
    scopeOf: tupleScope,
    orderBy: 'position',
  }
}

function herfindahl({ column }: Scope): Sql {
  return sql`div(${BPS} * ${column('squares')}, nullif(${column('face')} * ${column('face')}, 0))`
}

/** Rounds down, also below 0: `div` rounds towards 0, and a remainder has the sign of its dividend. */
function daysToDue({ column }: Scope): Sql {
  const dividend = sql`100 * ${column('faceSeconds')}`
  const divisor = sql`nullif(${column('face')} * ${DAY}, 0)`
  return sql`(div(${dividend}, ${divisor}) - case when mod(${dividend}, ${divisor}) < 0 then 1 else 0 end) / 100.0`
}

type ConcentrationShape = { readonly vault: string }

const Concentration = builder.objectRef<ConcentrationShape>('Concentration').implement({
  description:
    'How the outstanding face of a vault is spread, at the time of the finalized block of the answer.',
  fields: (t) => ({
    byIssuer: t.field({
      type: [IssuerShare],
      description: 'Issuers by outstanding face, the largest first; equal ones by address.',
      args: {
        first: t.arg.int({
          required: true,
          defaultValue: ISSUERS_DEFAULT,
          description: `Number of issuers, 1 to ${PAGE_LIMIT_MAX}.`,
        }),
      },
      complexity: ({ first }) => ({
        field: ISSUERS_COST,
        multiplier: checkCount(first, 'first', PAGE_LIMIT_MAX),
      }),
      ...reading<{ first: number }>({
        kind: 'relation',
        relation: (concentration, { first }) => sharesOf(concentration, first),
      }),
    }),
    herfindahlBps: t.int({
      nullable: true,
      description:
        'Herfindahl index: the sum of the squares of the shares of all issuers in the outstanding face, basis points, rounded down. 10000 for one issuer; null without outstanding face.',
      ...computed(herfindahl),
    }),
    weightedDaysToDue: t.float({
      nullable: true,
      description:
        'Average time to the due date, weighted by outstanding face, days, rounded down to hundredths. Face that is past due counts as negative. Null without outstanding face.',
      ...computed(daysToDue),
    }),
    weightedDiscountBps: t.int({
      nullable: true,
      description:
        'Outstanding face less outstanding advance, over outstanding face, basis points, rounded up. Null without outstanding face.',
      ...discountOfSum('face', 'advance'),
    }),
  }),
})

const { resolve, extensions } = reading({
  kind: 'relation',
  relation: ({ column, now }): Relation => ({
    from: (row) => sql`from (
      select ${column('address')} as vault, coalesce(sum(face), 0) as face, coalesce(sum(advance), 0) as advance,
        coalesce(sum(face * face), 0) as squares, coalesce(sum(face_seconds), 0) as face_seconds
      from ${amountsByIssuer(column('address'), now)} as own
    ) as ${sql.raw(row)}`,
    scopeOf: tupleScope,
    orderBy: 'vault',
  }),
})

builder.objectField(Vault, 'concentration', (t) =>
  t.field({
    type: Concentration,
    description: 'How the outstanding face of the vault is spread over issuers, due dates and discounts.',
    complexity: { field: SUMS_COST, multiplier: 1 },
    resolve,
    // No column of an export of vaults, whose pages would cost too much with it.
    extensions: { ...extensions, isColumn: false },
  }),
)
