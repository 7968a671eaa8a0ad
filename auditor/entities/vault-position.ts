import { zeroAddress } from 'viem'
import { lowercaseAddress } from '../../api/domain/address.ts'
import { auditTable, BETWEEN } from '../entity.ts'

/**
 * The shares are in the vault's state. A row without shares is equivalent to no row; the vault's supply shows that any
 * other row is missing.
 */
export const vaultPosition = auditTable('vaultPosition', {
  key: ['vault', 'owner'],
  order: { column: 'vault', of: 'address' },
  implied: (log) =>
    log.eventName === 'Transfer' && log.args.value > 0n
      ? [log.args.from, log.args.to]
          .filter((owner) => owner !== zeroAddress)
          .map((owner) => [log.address, owner].map(lowercaseAddress).join(BETWEEN))
      : [],
  related: async () => () => undefined,
  prove: async ({ vault, owner }, _, { state }) => {
    const shares = await state.shares({ vault, owner })
    return shares === undefined ? undefined : { vault, owner, shares }
  },
})
