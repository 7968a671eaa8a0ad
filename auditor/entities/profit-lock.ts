import { lowercaseAddress } from '../../api/domain/address.ts'
import { auditTable } from '../entity.ts'
import { idOf, placeOfId } from './event-id.ts'

/** The event at the row's position has every column. The vault's state has the amount of its last event. */
export const profitLock = auditTable('profitLock', {
  key: ['id'],
  order: { column: 'id', of: 'event' },
  implied: (log) => (log.eventName === 'ProfitLocked' ? [idOf(log)] : []),
  related: async () => () => undefined,
  prove: async ({ id }, _, { logs, timestamp }) => {
    const { block, logIndex } = placeOfId(id)
    const log = (await logs(block)).find((one) => one.logIndex === logIndex)
    if (log?.eventName !== 'ProfitLocked') return undefined
    return {
      id: idOf(log),
      vault: lowercaseAddress(log.address),
      amount: log.args.amount,
      until: log.args.until,
      block: log.blockNumber,
      at: await timestamp(log.blockNumber),
      tx: log.transactionHash,
    }
  },
})
