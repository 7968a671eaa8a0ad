import { lowercaseAddress } from '../../api/domain/address.ts'
import { stored } from '../chain/evidence.ts'
import { event, type ProtocolLog } from '../chain/logs.ts'
import { auditTable, BETWEEN } from '../entity.ts'
import { mandateOf, pricingOf } from './terms.ts'

/** The vault that an event is of, if it changes what the rows have. */
function vaultOf(log: ProtocolLog): string | undefined {
  switch (log.eventName) {
    case 'VaultRegistered':
    case 'VaultStatusChanged':
      return lowercaseAddress(log.args.vault)
    case 'MandateChanged':
    case 'PricingChanged':
      return lowercaseAddress(log.address)
    case 'OwnershipTransferred':
      // The construction of a vault names its first owner, before the registration.
      return BigInt(log.args.previousOwner) === 0n ? undefined : lowercaseAddress(log.address)
    default:
      return undefined
  }
}

/** The last events of the block show what changed; the rest is that of the row before, which is proven itself. */
export const vaultVersion = auditTable('vaultVersion', {
  key: ['vault', 'block'],
  order: { column: 'vault', of: 'address' },
  implied: (log) => {
    const vault = vaultOf(log)
    return vault === undefined ? [] : [`${vault}${BETWEEN}${log.blockNumber}`]
  },
  related: async (db, rows) => {
    const vaults = ['0x' as const, ...rows.map(({ vault }) => vault)]
    const all = await db
      .selectFrom('vaultVersion')
      .selectAll()
      .where('vault', 'in', vaults)
      .orderBy('block')
      .execute()
    const byVault = Map.groupBy(all, ({ vault }) => vault)
    return ({ vault, block }) => byVault.get(vault)?.findLast((version) => version.block < block)
  },
  prove: async ({ vault, block }, before, { logs, timestamp }) => {
    const own = (await logs(block)).filter((log) => vaultOf(log) === vault)
    const first = own.find(event('VaultRegistered'))?.args
    const known = first
      ? {
          ...mandateOf(first.mandate),
          ...pricingOf(first.pricing),
          curator: stored(first.curator),
          active: false,
        }
      : before
    if (own.length === 0 || !known) return undefined
    const mandate = own.findLast(event('MandateChanged'))?.args.mandate
    const pricing = own.findLast(event('PricingChanged'))?.args.pricing
    return {
      ...known,
      vault,
      block,
      at: await timestamp(block),
      curator: stored(own.findLast(event('OwnershipTransferred'))?.args.newOwner) ?? known.curator,
      active: own.findLast(event('VaultStatusChanged'))?.args.active ?? known.active,
      ...(mandate && mandateOf(mandate)),
      ...(pricing && pricingOf(pricing)),
    }
  },
})
