import type { Address } from 'viem'
import { auditRows } from '../entity.ts'

/** Owners of claims. The router counts the routes of each of them that were executed, and the cancellations. */
export const wallet = auditRows<{ wallet: Address }, { uses: bigint }>(
  'wallet',
  (schema) => `(select distinct beneficiary as wallet from ${schema}.claim)`,
  {
    key: ['wallet'],
    order: { column: 'wallet', of: 'address' },
    touched: (log) =>
      log.eventName === 'Executed' || log.eventName === 'RoutesCancelled'
        ? [log.args.user.toLowerCase()]
        : [],
    related: async (db, rows) => {
      const users = ['0x' as const, ...rows.map(({ wallet }) => wallet)]
      const routes = db.selectFrom('execution').select('user').where('user', 'in', users)
      const cancelled = db.selectFrom('routeCancellation').select('user').where('user', 'in', users)
      const counts = await db
        .selectFrom(routes.where('kind', '=', 'ROUTE').unionAll(cancelled).as('use'))
        .select(({ fn }) => ['user', fn.countAll<bigint>().as('uses')])
        .groupBy('user')
        .execute()
      const byUser = new Map(counts.map(({ user, uses }) => [user, uses]))
      return ({ wallet }) => ({ uses: byUser.get(wallet) ?? 0n })
    },
    prove: async ({ wallet }) => ({ wallet }),
    count: async ({ wallet }, { uses }, { state }) => [
      { field: 'count(uses of nonces)', projected: uses, onChain: await state.nonce(wallet) },
    ],
  },
)
