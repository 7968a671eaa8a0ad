import { lowercaseAddress } from '../../api/domain/address.ts'
import { event } from '../chain/logs.ts'
import { auditTable } from '../entity.ts'

/**
 * `active` is in the registry's state. The blocks of the first and the last change have an event of the issuer. The
 * registry does not count issuers: only an event shows that a row is missing.
 */
export const issuer = auditTable('issuer', {
  key: ['address'],
  order: { column: 'addedAt', of: 'time' },
  implied: (log) =>
    log.eventName === 'IssuerStatusChanged' || log.eventName === 'ClaimRegistered'
      ? [lowercaseAddress(log.args.issuer)]
      : [],
  related: async (db, rows) => {
    const counts = await db
      .selectFrom('claim')
      .select(({ fn }) => ['issuer', fn.countAll<bigint>().as('claims')])
      .where('issuer', 'in', ['0x', ...rows.map(({ address }) => address)])
      .groupBy('issuer')
      .execute()
    const byIssuer = new Map(counts.map(({ issuer, claims }) => [issuer, claims]))
    return ({ address }) => ({ claims: byIssuer.get(address) ?? 0n })
  },
  prove: async ({ address, addedBlock, changedAt }, { claims }, chain) => {
    const isOwn = event('IssuerStatusChanged', ({ args }) => lowercaseAddress(args.issuer) === address)
    const added = await chain.find(isOwn, addedBlock)
    const changed = (await chain.logsAt(changedAt)).find(isOwn)
    return {
      address,
      active: await chain.state.isIssuerActive(address),
      claimCount: claims,
      addedBlock: added?.blockNumber,
      addedAt: added && (await chain.timestamp(added.blockNumber)),
      changedAt: changed && (await chain.timestamp(changed.blockNumber)),
    }
  },
})
