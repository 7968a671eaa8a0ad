/** Credits: amounts that the router holds for accounts that settlements could not pay. */
import { sql } from 'kysely'
import type { ShortList } from '../sql/keys.ts'
import type { Row, Source } from '../sql/source.ts'

export type CreditRow = Row<'credit'>

const credits = {
  table: 'credit',
  key: ['account', 'token'],
  columns: { account: 'hex', token: 'hex', amount: 'integer' },
  orders: {},
  parents: ['account'],
} as const satisfies Source<'credit'>

/** Credits of an account that are not withdrawn, by token: at most one per token of a claim. */
export const creditsOfAccount: ShortList<'credit'> = {
  source: credits,
  column: 'account',
  orderBy: 'token',
  where: ({ column }) => sql`${column('amount')} > 0`,
}
