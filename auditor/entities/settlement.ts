import { stored } from '../chain/evidence.ts'
import { event } from '../chain/logs.ts'
import { auditTable } from '../entity.ts'

/**
 * Columns are in the event, those of the claim in the registry's state. The claim's state shows that a row is missing.
 */
export const settlement = auditTable('settlement', {
  key: ['claimId'],
  order: { column: 'at', of: 'time' },
  implied: (log) => (log.eventName === 'ClaimSettled' ? [log.args.claimId] : []),
  related: async () => () => undefined,
  prove: async ({ claimId, block, tx }, _, { state, find, timestamp }) => {
    const settled = await find(
      event('ClaimSettled', ({ args }) => args.claimId === claimId),
      block,
      tx,
    )
    if (!settled) return undefined
    const claim = await state.claim(claimId)
    const { args, blockNumber, transactionHash } = settled
    return {
      claimId,
      payer: stored(args.payer),
      beneficiary: stored(claim?.beneficiary),
      token: stored(args.token),
      issuer: stored(claim?.issuer),
      claimType: claim?.claimType,
      faceValue: args.faceValue,
      vaultsAmount: args.vaultsAmount,
      beneficiaryAmount: args.beneficiaryAmount,
      block: blockNumber,
      at: await timestamp(blockNumber),
      tx: transactionHash,
    }
  },
})
