/** Cases that show a difference, which a history must contain: bounds of arguments, coincidences of place and time. */
import { zeroAddress } from 'viem'
import { lowercase } from '../../support/parties.ts'
import { stateOf } from './claims.ts'
import { by, dayOf, type History } from './history.ts'
import type { Truth } from './tables.ts'

const LARGEST = 2n ** 256n - 1n
const some = <Item>(items: readonly Item[], holds: (item: Item) => boolean) => items.some(holds)
const same = (a: string, b: string) => lowercase(`0x${a.slice(2)}`) === lowercase(`0x${b.slice(2)}`)

/** In each pair of events of one emitter, one after the other. */
function pairs<L extends { address: `0x${string}` }>(
  logs: readonly L[],
  holds: (before: L, after: L) => boolean,
) {
  return logs.some((log, index) => {
    const before = logs.slice(0, index).findLast(({ address }) => same(address, log.address))
    return before !== undefined && holds(before, log)
  })
}

export const BOUNDS: readonly (readonly [string, (history: History, truth: Truth) => boolean])[] = [
  ['a claim of the least face', ({ registered }) => some(registered, ({ args }) => args.faceValue === 1n)],
  [
    'a claim of the largest face',
    ({ registered }) => some(registered, ({ args }) => args.faceValue === 2n ** 128n - 1n),
  ],
  [
    'a claim of the latest due date',
    ({ registered }) => some(registered, ({ args }) => args.dueDate === 2n ** 64n - 1n),
  ],
  [
    'claims of the first and of the last type',
    (_, { claim }) => [0, 255].every((type) => some(claim, ({ claim_type }) => claim_type === type)),
  ],
  [
    'claims in every state, and one that was in it and is not any more',
    (_, { claim, claim_total }) =>
      new Set(claim.map(({ state }) => state)).size === 6 && some(claim_total, ({ claims }) => claims === 0),
  ],
  [
    'a claim that was last changed by its third slice or a later one',
    ({ reserved }, { claim }) =>
      some(reserved, ({ args, blockNumber }) => {
        const row = claim.find(({ id }) => id === args.claimId)
        const isLast = args.sliceIndex === (row?.slice_count ?? 0) - 1
        return (
          args.sliceIndex >= 2 &&
          isLast &&
          row?.state === 'PARTIALLY_FUNDED' &&
          row.changed_block === blockNumber
        )
      }),
  ],
  ['an advance of nothing', (_, { allocation }) => some(allocation, (part) => part.advance_amount === 0n)],
  [
    'executions of one leg and of several, by the user and by a relayer, of both kinds',
    (_, { execution }) =>
      some(execution, (row) => row.leg_count > 1n) &&
      some(execution, (row) => row.submitter !== row.user) &&
      new Set(execution.map(({ kind }) => kind)).size === 2,
  ],
  [
    'a settlement that leaves the beneficiary a rest, and one that does not',
    (_, { settlement }) =>
      some(settlement, (row) => row.beneficiary_amount > 0n) &&
      some(settlement, (row) => row.beneficiary_amount === 0n),
  ],
  [
    'claims that are paid in parts, and settled then, or not',
    (_, { settlement, claim }) => {
      const parts = Map.groupBy(settlement, ({ claim_id }) => claim_id)
      const inParts = claim.filter(({ id }) => (parts.get(id)?.length ?? 0) > 1)
      return (
        some(inParts, ({ state, slice_count }) => state === 'SETTLED' && slice_count > 1) &&
        some(claim, (row) => row.paid_face_value > 0n && row.paid_face_value < row.face_value)
      )
    },
  ],
  [
    'allocations that are overdue, and repaid before, during, on the last day of and after their write-down',
    (_, { allocation }) => {
      const lateness = ({ due_at, repaid_at }: Truth['allocation'][number]) =>
        repaid_at === null ? undefined : (repaid_at - dayOf(due_at)) / 86_400n
      const days = allocation.map(lateness).filter((late) => late !== undefined)
      return (
        some(allocation, (part) => !part.settled) &&
        some(days, (late) => late < 0n) &&
        some(days, (late) => late === 0n) &&
        some(days, (late) => late > 0n && late < 90n) &&
        some(days, (late) => late === 90n) &&
        some(days, (late) => late > 90n)
      )
    },
  ],
  [
    'repayments that the router holds, and that it released, and credits that were withdrawn, or not',
    ({ creditsWithdrawn }, { allocation, credit }) =>
      creditsWithdrawn.length > 1 &&
      some(allocation, (part) => part.repaid_face > 0n && part.repaid_face < part.paid_face) &&
      some(credit, ({ amount }) => amount > 0n),
  ],
  [
    'a claim that was closed, and paid then, and one that was closed and is not paid',
    ({ stateChanges }, { claim }) => {
      const closed = stateChanges.filter(({ args }) => stateOf(args.to) === 'CLOSED')
      return ['SETTLED', 'CLOSED'].every((state) =>
        some(closed, ({ args }) => some(claim, (row) => row.id === args.claimId && row.state === state)),
      )
    },
  ],
  [
    'a claim that was settled on the day on which it is due, before it was',
    (_, { settlement, claim }) =>
      some(settlement, ({ claim_id, at, vaults_amount }) => {
        const { due_at = 0n } = claim.find(({ id }) => id === claim_id) ?? {}
        return vaults_amount > 0n && at < due_at && dayOf(at) === dayOf(due_at)
      }),
  ],
  [
    'a deposit for another wallet',
    ({ deposits }) => some(deposits, ({ args }) => !same(args.sender, args.owner)),
  ],
  [
    'withdrawals to another receiver, by the owner and by another caller',
    ({ withdrawals }) =>
      some(withdrawals, ({ args }) => !same(args.receiver, args.owner) && same(args.sender, args.owner)) &&
      some(withdrawals, ({ args }) => !same(args.receiver, args.owner) && !same(args.sender, args.owner)),
  ],
  [
    'a transfer of shares to oneself, and one of no shares to a wallet that never holds any',
    ({ transfers }, { vault_position }) =>
      some(transfers, ({ args }) => args.value > 0n && same(args.from, args.to)) &&
      some(
        transfers,
        ({ address, args }) =>
          args.value === 0n &&
          args.to !== zeroAddress &&
          !some(vault_position, ({ vault, owner }) => same(vault, address) && same(owner, args.to)),
      ),
  ],
  [
    'transfers of a part and of all shares, to a holder, to a wallet without shares, and to the vault',
    (_, { position_change }) => {
      const sent = position_change.filter(({ kind }) => kind === 'SENT')
      const received = position_change.filter(({ kind }) => kind === 'RECEIVED')
      return (
        some(sent, (row) => row.assets > 0n && row.shares_after === 0n) &&
        some(sent, (row) => row.assets > 0n && row.shares_after > 0n) &&
        some(sent, (row) => row.counterparty !== null && same(row.counterparty, row.vault)) &&
        some(received, (row) => row.shares_after === row.shares) &&
        some(received, (row) => row.shares_after > row.shares)
      )
    },
  ],
  [
    'gains and losses that are realized',
    (_, { position_change }) =>
      some(position_change, (row) => row.realized_gain_after > 0n) &&
      some(position_change, (row) => row.realized_gain_after < 0n),
  ],
  [
    'a position that was empty and is held again, and one that is empty',
    (_, { position_change, vault_position }) =>
      some(
        vault_position,
        ({ vault, owner, since }) =>
          since !== null &&
          some(position_change, (row) => row.vault === vault && row.owner === owner && row.at < since),
      ) && some(vault_position, ({ since }) => since === null),
  ],
  [
    'mandates of all types and of none, and for the longest duration and face of a claim',
    ({ mandates }) =>
      [LARGEST, 0n].every((bitmap) =>
        some(mandates, ({ args }) => args.mandate.supportedTypesBitmap === bitmap),
      ) &&
      some(mandates, ({ args }) => args.mandate.minDurationDays === 2 ** 32 - 1) &&
      some(mandates, ({ args }) => args.mandate.maxDurationDays === 2 ** 32 - 1) &&
      some(mandates, ({ args }) => args.mandate.maxClaimFace === LARGEST) &&
      some(mandates, ({ args }) => args.mandate.maxIssuerFace < LARGEST),
  ],
  [
    'a mandate that drops a claim type',
    ({ mandates }) =>
      pairs(
        mandates,
        (before, after) =>
          (before.args.mandate.supportedTypesBitmap & ~after.args.mandate.supportedTypesBitmap) !== 0n,
      ),
  ],
  [
    'two mandates of a vault in one block',
    ({ mandates }) => pairs(mandates, (before, after) => before.blockNumber === after.blockNumber),
  ],
  [
    'pricings with a premium for every type, and with the largest discount per day',
    ({ pricings }) =>
      some(pricings, ({ args }) => args.pricing.premiumBps.length === 256) &&
      some(pricings, ({ args }) => args.pricing.durationBpsPerDay === 65_535),
  ],
  [
    'terms that were replaced, revoked and put into effect before, and terms that are pending',
    ({ submitted, revokedTerms, mandates }, { pending_terms }) =>
      revokedTerms.length > 0 &&
      pending_terms.length > 0 &&
      pairs(submitted, (before, after) => before.args.effectiveAt < after.args.effectiveAt) &&
      some(mandates, ({ address, blockNumber }) =>
        some(submitted, (log) => same(log.address, address) && log.blockNumber < blockNumber),
      ),
  ],
  [
    'a token that was delisted and listed again, and one without a symbol',
    ({ tokenStatus }, { token }) =>
      some(tokenStatus, ({ args }) => !args.listed) && some(token, ({ symbol }) => symbol === ''),
  ],
  ['a vault without a curator', (_, { vault }) => some(vault, ({ curator }) => curator === zeroAddress)],
  [
    'a vault that was deactivated, an issuer that was activated again, and a pause that ended',
    ({ vaultStatus, issuerStatus, unpaused }) =>
      some(vaultStatus, ({ args }) => !args.active) &&
      some(
        issuerStatus,
        ({ args, blockNumber }) =>
          !args.active && some(issuerStatus, (next) => next.args.active && next.blockNumber > blockNumber),
      ) &&
      unpaused.length > 0,
  ],
  [
    'deposits of a vault in the last second of a day and in the first of the next',
    ({ deposits }) =>
      some(deposits, ({ address, at }) => {
        const own = by(deposits, lowercase(address))
        return dayOf(at) === at && some(own, (before) => before.at === at - 1n)
      }),
  ],
]
