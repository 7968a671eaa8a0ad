import { stored } from '../chain/evidence.ts'
import { event } from '../chain/logs.ts'
import { auditTable, BETWEEN } from '../entity.ts'

/** The event has every column. The nonce of a wallet shows that a row is missing. */
export const routeCancellation = auditTable('routeCancellation', {
  key: ['user', 'nonce'],
  order: { column: 'at', of: 'time' },
  implied: (log) =>
    log.eventName === 'RoutesCancelled' ? [`${log.args.user.toLowerCase()}${BETWEEN}${log.args.nonce}`] : [],
  related: async () => () => undefined,
  prove: async ({ user, nonce, block, tx }, _, { find, timestamp }) => {
    const cancelled = await find(
      event('RoutesCancelled', ({ args }) => args.nonce === nonce && stored(args.user) === user),
      block,
      tx,
    )
    if (!cancelled) return undefined
    const { args, blockNumber, transactionHash } = cancelled
    return {
      user: stored(args.user),
      nonce: args.nonce,
      block: blockNumber,
      at: await timestamp(blockNumber),
      tx: transactionHash,
    }
  },
})
