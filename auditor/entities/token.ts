import { lowercaseAddress } from '../../api/domain/address.ts'
import { event } from '../chain/logs.ts'
import { auditTable } from '../entity.ts'

/**
 * The registry has all values but the times, and lists all tokens. The block of the last change has an event of the
 * token.
 */
export const token = auditTable('token', {
  key: ['address'],
  order: { column: 'addedAt', of: 'time' },
  listed: ({ state }) => state.tokens(),
  implied: (log) => (log.eventName === 'TokenAdded' ? [lowercaseAddress(log.args.token)] : []),
  touched: (log) => (log.eventName === 'TokenStatusChanged' ? [lowercaseAddress(log.args.token)] : []),
  related: async () => () => undefined,
  prove: async ({ address, addedBlock, changedBlock }, _, chain) => {
    const isOwn = ({ args }: { args: { token: `0x${string}` } }) => lowercaseAddress(args.token) === address
    const metadata = await chain.state.tokenMetadata(address)
    const added = await chain.find(event('TokenAdded', isOwn), addedBlock)
    const changed = await chain.find(event('TokenStatusChanged', isOwn), changedBlock)
    return {
      address: metadata?.known ? address : undefined,
      symbol: metadata?.symbol,
      name: metadata?.name,
      decimals: metadata?.decimals,
      listed: await chain.state.isTokenListed(address),
      addedBlock: added?.blockNumber,
      addedAt: added && (await chain.timestamp(added.blockNumber)),
      changedBlock: changed?.blockNumber,
      changedAt: changed && (await chain.timestamp(changed.blockNumber)),
    }
  },
})
