import { lowercaseAddress } from '../../api/domain/address.ts'
import type { ProtocolLog } from '../chain/logs.ts'
import { auditTable, BETWEEN } from '../entity.ts'

/** The address whose status an event states, and the status; undefined for other events. */
function statusOf(log: ProtocolLog): { subject: string; status: boolean } | undefined {
  switch (log.eventName) {
    case 'IssuerStatusChanged':
      return { subject: lowercaseAddress(log.args.issuer), status: log.args.active }
    case 'TokenAdded':
      // The event after this one lists the token.
      return { subject: lowercaseAddress(log.args.token), status: false }
    case 'TokenStatusChanged':
      return { subject: lowercaseAddress(log.args.token), status: log.args.listed }
    case 'Paused':
    case 'Unpaused':
      return { subject: lowercaseAddress(log.address), status: log.eventName === 'Paused' }
    default:
      return undefined
  }
}

/**
 * The last event of the block states the status. The first row of the router has no event: it was deployed unpaused.
 */
export const statusVersion = auditTable('statusVersion', {
  key: ['subject', 'block'],
  order: { column: 'subject', of: 'address' },
  listed: async ({ contracts, startBlock }) => [`${contracts.financingRouter}${BETWEEN}${startBlock}`],
  implied: (log) => {
    const stated = statusOf(log)
    return stated ? [`${stated.subject}${BETWEEN}${log.blockNumber}`] : []
  },
  related: async () => () => undefined,
  prove: async ({ subject, block }, _, { contracts, startBlock, logs, timestamp }) => {
    const stated = (await logs(block)).map(statusOf).findLast((one) => one?.subject === subject)
    const isDeployed = subject === contracts.financingRouter && block === startBlock
    if (!stated && !isDeployed) return undefined
    return { subject, block, at: await timestamp(block), status: stated?.status ?? false }
  },
})
