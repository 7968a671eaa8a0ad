/** Issuers, claims, their allocations and how many there are, from the logs alone. */

import { lowercase } from '../../support/parties.ts'
import { CLAIM_STATES } from '../../support/scenario.ts'
import { sum } from '../../support/sum.ts'
import { changeBy, type History, idOf, inOrder, missing } from './history.ts'

export type ClaimTruth = ReturnType<typeof claimsOf>[number]

export function issuersOf({ issuerStatus, registered }: History) {
  const addresses = new Set(issuerStatus.map(({ args }) => lowercase(args.issuer)))
  return [...addresses].map((address) => {
    const own = issuerStatus.filter(({ args }) => lowercase(args.issuer) === address)
    const [first = missing('an issuer')] = own
    return {
      address,
      active: own.at(-1)?.args.active ?? false,
      claim_count: registered.filter(({ args }) => lowercase(args.issuer) === address).length,
      added_block: first.blockNumber,
      added_at: first.at,
      changed_at: changeBy(own).changed_at,
    }
  })
}

export function tokensOf({ tokensAdded, tokenStatus }: History) {
  return tokensAdded.map((event) => {
    const { token, symbol, name, decimals } = event.args
    const own = tokenStatus.filter(({ args }) => args.token === token)
    return {
      address: lowercase(token),
      symbol,
      name,
      decimals,
      listed: own.at(-1)?.args.listed ?? false,
      added_block: event.blockNumber,
      added_at: event.at,
      ...changeBy([event, ...own]),
    }
  })
}

export function claimsOf({ registered, stateChanges, reserved, payments }: History) {
  return registered.map((event) => {
    const {
      claimId: id,
      issuer,
      beneficiary,
      token,
      faceValue,
      dueDate,
      claimType,
      documentHash,
    } = event.args
    const states = stateChanges.filter(({ args }) => args.claimId === id)
    const slices = reserved.filter(({ args }) => args.claimId === id)
    const paid = payments.filter(({ args }) => args.claimId === id)
    return {
      id,
      issuer: lowercase(issuer),
      beneficiary: lowercase(beneficiary),
      token: lowercase(token),
      face_value: faceValue,
      financed_face_value: sum(slices.map(({ args }) => args.faceAmount)),
      paid_face_value: sum(paid.map(({ args }) => args.faceAmount)),
      due_at: dueDate,
      claim_type: claimType,
      slice_count: slices.length,
      state: stateOf(states.at(-1)?.args.to),
      document_hash: documentHash,
      registered_block: event.blockNumber,
      registered_at: event.at,
      registered_tx: event.transactionHash,
      ordinal: idOf(event),
      issuer_claim_number:
        inOrder(registered.filter(({ args }) => args.issuer === issuer)).indexOf(event) + 1,
      ...changeBy([event, ...states, ...slices, ...paid]),
    }
  })
}

export function stateOf(index: number | undefined) {
  return CLAIM_STATES[index ?? -1] ?? missing(`a claim state ${index}`)
}

export function claimById(claims: readonly ClaimTruth[], id: string): ClaimTruth {
  return claims.find((claim) => claim.id === id) ?? missing(`claim ${id}`)
}

export function allocationsOf(history: History, claims: readonly ClaimTruth[]) {
  return history.allocated.map((event) => {
    const { claimId, sliceIndex, vault, executionId, faceAmount, advanceAmount } = event.args
    const { token, issuer, claim_type, due_at } = claimById(claims, claimId)
    const isSlice = ({ args }: { args: { claimId: string; sliceIndex: number } }) =>
      args.claimId === claimId && args.sliceIndex === sliceIndex
    const paid_face = sum(
      history.payments.map(({ args }) =>
        args.claimId === claimId ? (args.sliceAmounts[sliceIndex] ?? 0n) : 0n,
      ),
    )
    const repayments = history.repayments.filter(isSlice)
    const repaid_face = sum(repayments.map(({ args }) => args.faceAmount))
    const last = repaid_face === faceAmount ? inOrder(repayments).at(-1) : undefined
    return {
      claim_id: claimId,
      slice_index: sliceIndex,
      vault: lowercase(vault),
      execution_id: executionId,
      token,
      issuer,
      claim_type,
      due_at,
      settled: paid_face > 0n && paid_face === faceAmount,
      face_amount: faceAmount,
      advance_amount: advanceAmount,
      paid_face,
      repaid_face,
      funded_block: event.blockNumber,
      funded_at: event.at,
      ordinal: idOf(event),
      repaid_block: last?.blockNumber ?? null,
      repaid_at: last?.at ?? null,
    }
  })
}

/** A row for each token, state, issuer and type that a claim ever had; of those that none has now the figures are 0. */
export function claimTotalsOf({ stateChanges }: History, claims: readonly ClaimTruth[]) {
  const seen = stateChanges.map(({ args }) => {
    const { token, issuer, claim_type } = claimById(claims, args.claimId)
    return { token, state: stateOf(args.to), issuer, claim_type }
  })
  const distinct = new Map(seen.map((key) => [Object.values(key).join(), key]))
  return [...distinct.values()].map((key) => {
    const now = claims.filter(
      (claim) =>
        claim.token === key.token &&
        claim.state === key.state &&
        claim.issuer === key.issuer &&
        claim.claim_type === key.claim_type,
    )
    return {
      ...key,
      claims: now.length,
      face_value: sum(now.map((claim) => claim.face_value)),
      financed_face_value: sum(now.map((claim) => claim.financed_face_value)),
    }
  })
}
