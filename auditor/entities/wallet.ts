import type { Address } from 'viem'
import { auditRows } from '../entity.ts'

/** Owners of claims. The router counts the routes that each of them signed and that were executed. */
export const wallet = auditRows<{ wallet: Address }, { routes: bigint }>(
  'wallet',
  (schema) => `(select distinct beneficiary as wallet from ${schema}.claim)`,
  {
    key: ['wallet'],
    order: { column: 'wallet', of: 'address' },
    touched: (log) => (log.eventName === 'Executed' ? [log.args.user.toLowerCase()] : []),
    related: async (db, rows) => {
      const counts = await db
        .selectFrom('execution')
        .select(({ fn }) => ['user', fn.countAll<bigint>().as('routes')])
        .where('user', 'in', ['0x', ...rows.map(({ wallet }) => wallet)])
        .where('kind', '=', 'ROUTE')
        .groupBy('user')
        .execute()
      const byUser = new Map(counts.map(({ user, routes }) => [user, routes]))
      return ({ wallet }) => ({ routes: byUser.get(wallet) ?? 0n })
    },
    prove: async ({ wallet }) => ({ wallet }),
    count: async ({ wallet }, { routes }, { state }) => [
      { field: 'count(execution of kind ROUTE)', projected: routes, onChain: await state.nonce(wallet) },
    ],
  },
)
