/** Executions, settlements, the router's pause and what happened to each wallet, from the logs alone. */
import type { Address } from 'viem'
import { lowercase } from '../../support/parties.ts'
import { sum } from '../../support/sum.ts'
import { type ClaimTruth, claimById, stateOf } from './claims.ts'
import { changeBy, type History, idOf, inOrder, missing, placeOf } from './history.ts'
import { tokenOf, type VaultTruth } from './vaults.ts'

export function routersOf({ router, start, paused, unpaused }: History) {
  const last = inOrder([...paused, ...unpaused]).at(-1)
  const change = last ? changeBy([last]) : { changed_block: start.block, changed_at: start.at }
  return [{ id: router, paused: last?.eventName === 'Paused', ...change }]
}

export function executionsOf({ executed }: History) {
  return executed.map((event) => {
    const { executionId, user, token, kind, submitter, legCount, totalFace, totalAdvance } = event.args
    return {
      id: executionId,
      user: lowercase(user),
      token: lowercase(token),
      kind: ['ROUTE', 'DIRECT'][kind] ?? missing(`an execution of kind ${kind}`),
      submitter: lowercase(submitter),
      leg_count: legCount,
      total_face: totalFace,
      total_advance: totalAdvance,
      ...placeOf(event),
      ordinal: idOf(event),
    }
  })
}

/** A leg has the time of its execution. */
export function legsOf({ legs, executed }: History) {
  return legs.map(({ args, ...event }) => ({
    execution_id: args.executionId,
    leg_index: args.legIndex,
    claim_id: args.claimId,
    vault: lowercase(args.vault),
    slice_index: args.sliceIndex,
    face_amount: args.faceAmount,
    advance_amount: args.advanceAmount,
    at: executed.find((event) => event.args.executionId === args.executionId)?.at ?? missing('an execution'),
    ordinal: idOf(event),
  }))
}

export function settlementsOf({ payments }: History, claims: readonly ClaimTruth[]) {
  return payments.map((event) => {
    const { claimId, payer, token, faceAmount, sliceAmounts, beneficiaryAmount } = event.args
    const { beneficiary, issuer, claim_type } = claimById(claims, claimId)
    return {
      id: idOf(event),
      claim_id: claimId,
      payer: lowercase(payer),
      beneficiary,
      token: lowercase(token),
      issuer,
      claim_type,
      face_amount: faceAmount,
      slice_amounts: [...sliceAmounts],
      vaults_amount: sum(sliceAmounts),
      beneficiary_amount: beneficiaryAmount,
      ...placeOf(event),
    }
  })
}

/** A row for each account and token that was ever credited. */
export function creditsOf({ credited, creditsWithdrawn }: History) {
  const rows = new Map<string, { account: Address; token: Address; amount: bigint }>()
  for (const { eventName, args } of [...credited, ...creditsWithdrawn]) {
    const [account, token] = [lowercase(args.account), lowercase(args.token)]
    const before = rows.get(account + token)?.amount ?? 0n
    const change = eventName === 'Credited' ? args.amount : -args.amount
    rows.set(account + token, { account, token, amount: before + change })
  }
  return [...rows.values()]
}

/** An entry for each event and role. */
export function activityOf(history: History, claims: readonly ClaimTruth[], vaults: readonly VaultTruth[]) {
  const entry = (event: Parameters<typeof idOf>[0], kind: string) => ({
    id: idOf(event, kind === 'SETTLEMENT_RECEIVED' ? 1 : 0),
    kind,
    claim_id: null,
    execution_id: null,
    vault: null,
    ...placeOf(event),
  })
  const revoked = history.stateChanges.filter(({ args }) => ['REVOKED', 'CLOSED'].includes(stateOf(args.to)))
  return [
    ...history.registered.map((event) => {
      const { beneficiary, token, faceValue: amount, claimId: claim_id } = event.args
      return { ...entry(event, 'CLAIM_REGISTERED'), wallet: beneficiary, token, amount, claim_id }
    }),
    ...revoked.map((event) => {
      const { id: claim_id, beneficiary, token, ...claim } = claimById(claims, event.args.claimId)
      const amount = claim.face_value - claim.financed_face_value
      return { ...entry(event, 'CLAIM_REVOKED'), wallet: beneficiary, token, amount, claim_id }
    }),
    ...history.executed.map((event) => {
      const { user, token, totalAdvance: amount, executionId: execution_id } = event.args
      return { ...entry(event, 'EXECUTION'), wallet: user, token, amount, execution_id }
    }),
    ...history.payments.flatMap((event) => {
      const { payer, token, faceAmount, beneficiaryAmount, claimId: claim_id } = event.args
      const { beneficiary } = claimById(claims, claim_id)
      return [
        { ...entry(event, 'SETTLEMENT_PAID'), wallet: payer, token, amount: faceAmount, claim_id },
        {
          ...entry(event, 'SETTLEMENT_RECEIVED'),
          wallet: beneficiary,
          token,
          amount: beneficiaryAmount,
          claim_id,
        },
      ]
    }),
    ...[...history.credited, ...history.creditsWithdrawn].map((event) => {
      const kind = event.eventName === 'Credited' ? 'CREDITED' : 'CREDIT_WITHDRAWN'
      const claim_id = 'claimId' in event.args ? event.args.claimId : null
      const { account: wallet, token, amount } = event.args
      return { ...entry(event, kind), wallet, token, amount, claim_id }
    }),
    ...[...history.deposits, ...history.withdrawals].map((event) => {
      const { owner, assets: amount } = event.args
      const kind = event.eventName === 'Deposit' ? 'VAULT_DEPOSIT' : 'VAULT_WITHDRAWAL'
      const token = tokenOf(vaults, event.address)
      return { ...entry(event, kind), wallet: owner, token, amount, vault: event.address }
    }),
  ]
}

export function cancellationsOf({ cancelled }: History) {
  return cancelled.map((event) => {
    const { user, nonce } = event.args
    return { user: lowercase(user), nonce, ...placeOf(event) }
  })
}
