import { firstRowOf } from '../../api/domain/ordinal.ts'
import { claimStates } from '../../indexer/codes.ts'
import type { ActivityKind } from '../../ponder.schema.ts'
import { type Evidence, stored } from '../chain/evidence.ts'
import type { ProtocolLog } from '../chain/logs.ts'
import type { Value } from '../comparison.ts'
import { auditTable } from '../entity.ts'
import { idOf, placeOfId } from './event-id.ts'

/** The columns that depend on the kind. */
type Facts = Partial<Record<'wallet' | 'token' | 'amount' | 'claimId' | 'executionId' | 'vault', Value>>

/**
 * All columns are in the event at the row's position, or in the state of the claim or the vault that the event is of.
 */
export const activity = auditTable('activity', {
  key: ['id'],
  order: { column: 'id', of: 'event' },
  implied: (log) => kindsOf(log).map((kind) => String(idOf(log, kind))),
  related: async (db, rows) => {
    const ids = [-1n, ...rows.map(({ id }) => firstRowOf(id))]
    const changes = await db.selectFrom('capitalChange').select('id').where('id', 'in', ids).execute()
    const known = new Set(changes.map(({ id }) => id))
    return ({ id }) => ({ changes: known.has(firstRowOf(id)) ? 1 : 0 })
  },
  prove: async ({ id }, _, chain) => {
    const { block, logIndex } = placeOfId(id)
    const log = (await chain.logs(block)).find((one) => one.logIndex === logIndex)
    const kind = log && kindsOf(log).find((one) => idOf(log, one) === id)
    if (!kind) return undefined
    const { wallet, token, amount, claimId, executionId, vault } = await factsOf(log, kind, chain)
    return {
      id,
      wallet,
      kind,
      token,
      amount,
      claimId,
      executionId,
      vault,
      block: log.blockNumber,
      at: await chain.timestamp(log.blockNumber),
      tx: log.transactionHash,
    }
  },
  count: async ({ kind }, { changes }) => [
    { field: 'count(capitalChange)', projected: changes, onChain: kind.startsWith('VAULT_') ? 1 : 0 },
  ],
})

/** The rows that result from one event. */
function kindsOf(log: ProtocolLog): ActivityKind[] {
  if (log.eventName === 'ClaimRegistered') return ['CLAIM_REGISTERED']
  if (log.eventName === 'ClaimStateChanged') {
    const to = claimStates[log.args.to]
    return to === 'REVOKED' || to === 'CLOSED' ? ['CLAIM_REVOKED'] : []
  }
  if (log.eventName === 'Executed') return ['EXECUTION']
  if (log.eventName === 'ClaimPaid') return ['SETTLEMENT_PAID', 'SETTLEMENT_RECEIVED']
  if (log.eventName === 'Deposit') return ['VAULT_DEPOSIT']
  if (log.eventName === 'Withdraw') return ['VAULT_WITHDRAWAL']
  if (log.eventName === 'Credited') return ['CREDITED']
  if (log.eventName === 'CreditWithdrawn') return ['CREDIT_WITHDRAWN']
  return []
}

async function factsOf(log: ProtocolLog, kind: ActivityKind, { state }: Evidence): Promise<Facts> {
  if (log.eventName === 'ClaimRegistered') {
    const { beneficiary, token, faceValue: amount, claimId } = log.args
    return { wallet: stored(beneficiary), token: stored(token), amount, claimId }
  }
  if (log.eventName === 'Executed') {
    const { user, token, totalAdvance: amount, executionId } = log.args
    return { wallet: stored(user), token: stored(token), amount, executionId }
  }
  if (log.eventName === 'Deposit' || log.eventName === 'Withdraw') {
    const vault = stored(log.address)
    const held = vault && (await state.vault(vault))
    return { wallet: stored(log.args.owner), token: stored(held?.asset), amount: log.args.assets, vault }
  }
  if (log.eventName === 'Credited' || log.eventName === 'CreditWithdrawn') {
    const claimId = log.eventName === 'Credited' ? log.args.claimId : undefined
    const { account, token, amount } = log.args
    return { wallet: stored(account), token: stored(token), amount, claimId }
  }
  if (log.eventName !== 'ClaimPaid' && log.eventName !== 'ClaimStateChanged') return {}
  const { claimId } = log.args
  const claim = await state.claim(claimId)
  const [token, beneficiary] = [stored(claim?.token), stored(claim?.beneficiary)]
  if (log.eventName === 'ClaimStateChanged') {
    const amount = claim && claim.faceValue - claim.financedFaceValue
    return { wallet: beneficiary, token, amount, claimId }
  }
  const { payer, faceAmount, beneficiaryAmount } = log.args
  return kind === 'SETTLEMENT_PAID'
    ? { wallet: stored(payer), token, amount: faceAmount, claimId }
    : { wallet: beneficiary, token, amount: beneficiaryAmount, claimId }
}
