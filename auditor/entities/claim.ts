import { claimStates } from '../../indexer/codes.ts'
import { stored } from '../chain/evidence.ts'
import { event } from '../chain/logs.ts'
import { auditTable } from '../entity.ts'
import { idOf } from './event-id.ts'
import { readPartsOfClaims } from './parts-of-claims.ts'

/**
 * Most columns are in the registry's state. The document and the position of the registration are in its event; the
 * last change is the last of registration, allocations, settlements and revocation, each of which is proven as a row.
 * The number of a claim follows the one of the claim before it. The registry does not count claims: only an event shows
 * that a claim without allocations is missing.
 */
export const claim = auditTable('claim', {
  key: ['id'],
  order: { column: 'registeredAt', of: 'time', within: ['ordinal'] },
  implied: (log) => ('claimId' in log.args ? [log.args.claimId] : []),
  related: readPartsOfClaims,
  prove: async ({ id, registeredBlock, registeredTx }, parts, { state, find, timestamp }) => {
    const held = await state.claim(id)
    if (!held || claimStates[held.state] === 'NONE') return undefined
    const registered = await find(
      event('ClaimRegistered', ({ args }) => args.claimId === id),
      registeredBlock,
      registeredTx,
    )
    const block = registered?.blockNumber
    const changedBlock = [block, ...parts.changes].reduce((a, b) => ((a ?? 0n) < (b ?? 0n) ? b : a), 0n)
    return {
      id,
      issuer: stored(held.issuer),
      beneficiary: stored(held.beneficiary),
      token: stored(held.token),
      faceValue: held.faceValue,
      financedFaceValue: held.financedFaceValue,
      paidFaceValue: held.paidFaceValue,
      dueAt: held.dueDate,
      claimType: held.claimType,
      sliceCount: held.sliceCount,
      state: claimStates[held.state],
      documentHash: registered?.args.documentHash,
      registeredBlock: block,
      registeredAt: block && (await timestamp(block)),
      registeredTx: registered?.transactionHash,
      ordinal: registered && idOf(registered),
      issuerClaimNumber: parts.earlierClaims + 1,
      changedBlock,
      changedAt: changedBlock && (await timestamp(changedBlock)),
    }
  },
  count: async ({ id }, parts, { state }) => {
    const held = await state.claim(id)
    return [
      { field: 'count(allocation)', projected: parts.allocations, onChain: held?.sliceCount },
      {
        field: 'sum(allocation.faceAmount)',
        projected: parts.faceAmount,
        onChain: held?.financedFaceValue,
        parts: { entity: 'allocation', column: 'claimId', value: id },
      },
      {
        field: 'sum(settlement.faceAmount)',
        projected: parts.paidFace,
        onChain: held?.paidFaceValue,
        parts: { entity: 'settlement', column: 'claimId', value: id },
      },
      {
        field: 'count(activity)',
        projected: parts.activities,
        onChain: held && 1n + 2n * parts.settlements,
      },
    ]
  },
})
