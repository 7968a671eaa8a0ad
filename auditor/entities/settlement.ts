import { stored } from '../chain/evidence.ts'
import { auditTable } from '../entity.ts'
import { idOf, placeOfId } from './event-id.ts'

/** Columns are in the event at the row's position, those of the claim in the registry's state. */
export const settlement = auditTable('settlement', {
  key: ['id'],
  order: { column: 'id', of: 'event' },
  implied: (log) => (log.eventName === 'ClaimPaid' ? [String(idOf(log))] : []),
  related: async () => () => undefined,
  prove: async ({ id }, _, { state, logs, timestamp }) => {
    const place = placeOfId(id)
    const paid = (await logs(place.block)).find(({ logIndex }) => logIndex === place.logIndex)
    if (paid?.eventName !== 'ClaimPaid') return undefined
    const { args, blockNumber, transactionHash } = paid
    const claim = await state.claim(args.claimId)
    return {
      id,
      claimId: args.claimId,
      payer: stored(args.payer),
      beneficiary: stored(claim?.beneficiary),
      token: stored(args.token),
      issuer: stored(claim?.issuer),
      claimType: claim?.claimType,
      faceAmount: args.faceAmount,
      sliceAmounts: args.sliceAmounts,
      vaultsAmount: args.sliceAmounts.reduce((sum, amount) => sum + amount, 0n),
      beneficiaryAmount: args.beneficiaryAmount,
      block: blockNumber,
      at: await timestamp(blockNumber),
      tx: transactionHash,
    }
  },
})
