import { event } from '../chain/logs.ts'
import { auditTable } from '../entity.ts'

/**
 * `paused` is in the router's state. The block of the last change has such an event, or is the block of the deployment.
 */
export const router = auditTable('router', {
  key: ['id'],
  order: { column: 'id', of: 'address' },
  listed: async ({ contracts }) => [contracts.financingRouter],
  related: async () => () => undefined,
  touched: (log) => (log.eventName === 'Paused' || log.eventName === 'Unpaused' ? [log.address] : []),
  prove: async ({ id, changedBlock }, _, { contracts, startBlock, state, find, timestamp }) => {
    if (id !== contracts.financingRouter) return undefined
    const paused = await state.isPaused(id)
    const changed = paused
      ? await find(event('Paused'), changedBlock)
      : await find(event('Unpaused'), changedBlock)
    const block = changed?.blockNumber ?? (paused || changedBlock !== startBlock ? undefined : startBlock)
    return {
      id: contracts.financingRouter,
      paused,
      changedBlock: block,
      changedAt: block && (await timestamp(block)),
    }
  },
})
