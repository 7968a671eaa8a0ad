import { sql } from 'kysely'
import type { Sql } from '../../../projection/sql/json.ts'
import { rowScope, type Scope, tupleScope } from '../../../projection/sql/scope.ts'
import { type Column, ref, view } from '../../../projection/sql/source.ts'
import { positions } from '../../../projection/tables/position.ts'
import { builder } from '../../kit/builder.ts'
import { type Relation, reading } from '../../kit/declared-read.ts'
import { computed, difference } from '../../kit/reads.ts'
import { Account } from '../shared/refs.ts'
import { tokenOfAmounts } from '../shared/token-info.ts'
import { positionAssetsSql, realizedGainSql, withdrawableSql } from '../vaults/position-sql.ts'

const SUMS = [
  'costBasis',
  'deposited',
  'withdrawn',
  'received',
  'sent',
] as const satisfies Column<'vaultPosition'>[]

type HoldingsShape = { readonly [Name in (typeof SUMS)[number] | 'assets' | 'withdrawableNow']: bigint } & {
  /** Address of the token of the amounts. */
  readonly token: string
}

const Holdings = builder.objectRef<HoldingsShape>('Holdings').implement({
  description:
    'Sums of the positions of an account in all vaults of one token, at the time of the finalized block of the answer, base units.',
  fields: (t) => ({
    tokenInfo: t.field(tokenOfAmounts),
    assets: t.expose('assets', { type: 'AmountSum', description: 'Value of the shares.' }),
    withdrawableNow: t.expose('withdrawableNow', {
      type: 'AmountSum',
      description: 'Part of `assets` that the idle assets of the vaults cover.',
    }),
    costBasis: t.expose('costBasis', { type: 'AmountSum', description: 'Cost of the shares.' }),
    deposited: t.expose('deposited', { type: 'AmountSum', description: 'Assets deposited so far.' }),
    withdrawn: t.expose('withdrawn', { type: 'AmountSum', description: 'Assets withdrawn so far.' }),
    received: t.expose('received', {
      type: 'AmountSum',
      description: 'Cost of all shares that other wallets transferred to the account.',
    }),
    sent: t.expose('sent', {
      type: 'AmountSum',
      description: 'Cost of all shares that the account transferred to others.',
    }),
    realizedGain: t.field({
      type: 'SignedAmount',
      description:
        'Assets withdrawn less the cost of the shares that were redeemed for them. Negative after losses.',
      ...computed(realizedGainSql),
    }),
    unrealizedGain: t.field({
      type: 'SignedAmount',
      description: '`assets` less `costBasis`. Negative after losses.',
      ...difference('assets', 'costBasis'),
    }),
  }),
})

/** The sums of the positions of an owner in the vaults of a token. Values are computed where a field uses them. */
function holdingsOf(owner: Sql, token: Sql): Relation {
  const part = rowScope('part', positions)
  const values = {
    assets: positionAssetsSql,
    withdrawableNow: withdrawableSql,
  }
  return {
    from: (row, uses) => {
      const sumOf = (value: Sql, name: string) => sql`coalesce(sum(${value}), 0) as ${ref(name)}`
      const used = Object.entries(values).filter(([name]) => uses.has(name))
      const columns = [
        sql`${token} as token`,
        ...SUMS.map((column) => sumOf(part.column(column), column)),
        ...used.map(([name, value]: [string, (position: Scope) => Sql]) => sumOf(value(part), name)),
      ]
      return sql`from (
        select ${sql.join(columns)} from ${view('vaultPosition')} as part where part.owner = ${owner}
          and part.vault in (select address from ${view('vault')} as of_token where of_token.token = ${token})
      ) as ${sql.raw(row)}`
    },
    scopeOf: (row) => tupleScope(row),
    orderBy: 'token',
  }
}

/** Cost of the sums over all positions. */
const HOLDINGS_COST = 50

builder.objectField(Account, 'holdings', (t) =>
  t.field({
    type: Holdings,
    description: 'Sums of the positions of the account in all vaults of one token.',
    args: {
      token: t.arg({
        type: 'Address',
        required: true,
        description: 'Token of the amounts. Amounts of different tokens are never added.',
      }),
    },
    complexity: { field: HOLDINGS_COST, multiplier: 1 },
    ...reading<{ token: string }>({
      kind: 'relation',
      relation: (account, { token }) => holdingsOf(account.column('address'), sql`${token}::text`),
    }),
  }),
)
