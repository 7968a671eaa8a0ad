/** Credits: what the router holds for accounts that settlements could not pay. */
import { readShortLists } from './keys.ts'
import type { Snapshot } from './snapshot.ts'
import type { Row, Source } from './source.ts'

export type CreditRow = Row<'credit'>

const credits = {
  table: 'credit',
  key: ['account', 'token'],
  columns: { account: 'hex', token: 'hex', amount: 'integer' },
  orders: {},
  parents: ['account'],
} as const satisfies Source<'credit'>

/** Each account's credits by token, of those that are not withdrawn: at most one per token of a claim. */
export async function readCreditsOfAccounts(
  snapshot: Snapshot,
  accounts: readonly string[],
): Promise<(readonly CreditRow[])[]> {
  const rows = await readShortLists(
    snapshot,
    { source: credits, column: 'account', orderBy: 'token' },
    accounts,
  )
  return rows.map((own) => own.filter(({ amount }) => amount > 0n))
}
