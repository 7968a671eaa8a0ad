/** Payments of issuers by their delay, from the logs alone. */
import { sum } from '../../support/sum.ts'
import { type ClaimTruth, claimById } from './claims.ts'
import { dayOf, type History } from './history.ts'

const DAY = 86_400n

/** Each payment with its claim, and the whole days from the due date to it. */
export function paymentsOf({ payments }: History, claims: readonly ClaimTruth[]) {
  return payments.map(({ at, args }) => {
    const claim = claimById(claims, args.claimId)
    const days = at < claim.due_at ? 0n : (at - claim.due_at) / DAY
    return { claim, at, face: args.faceAmount, days }
  })
}

export function paymentRecordsOf(history: History, claims: readonly ClaimTruth[]) {
  const keys = new Map(claims.map(({ issuer, token }) => [`${issuer} ${token}`, { issuer, token }]))
  const payments = paymentsOf(history, claims)
  return [...keys.values()].map(({ issuer, token }) => {
    const isOwn = (claim: ClaimTruth) => claim.issuer === issuer && claim.token === token
    const paid = payments.filter(({ claim }) => isOwn(claim))
    const faceOf = (own: typeof paid) => sum(own.map(({ face }) => face))
    const within = (least: bigint, most: bigint) =>
      faceOf(paid.filter(({ days }) => days >= least && days <= most))
    const [settled, face_days] = [faceOf(paid), sum(paid.map(({ face, days }) => face * days))]
    return {
      issuer,
      token,
      face: sum(
        claims.filter((claim) => isOwn(claim) && claim.state !== 'REVOKED').map((claim) => claim.face_value),
      ),
      settled,
      on_time: within(0n, 0n),
      up_to1: within(1n, 1n),
      up_to7: within(2n, 7n),
      up_to30: within(8n, 30n),
      up_to90: within(31n, 90n),
      more: within(91n, 2n ** 64n),
      recovered: faceOf(paid.filter(({ at, claim }) => at >= dayOf(claim.due_at) + 91n * DAY)),
      face_days,
      average_delay: settled === 0n ? 0n : (face_days * 100n) / settled,
    }
  })
}
