import type { Context } from 'ponder:registry'
import { type claim, claimTotal } from 'ponder:schema'

type Claim = typeof claim.$inferSelect

/** Counts a claim in a state, by default its current one; `-1` subtracts it. */
export async function countClaim(
  db: Context['db'],
  claim: Claim,
  sign: 1 | -1,
  state = claim.state,
): Promise<void> {
  const { faceValue, financedFaceValue } = claim
  await addToTotal(db, claim, state, sign, BigInt(sign) * faceValue, BigInt(sign) * financedFaceValue)
}

/** Adds face that was financed of a claim that stays where it is counted. */
export async function countFinanced(db: Context['db'], claim: Claim, faceAmount: bigint): Promise<void> {
  await addToTotal(db, claim, claim.state, 0, 0n, faceAmount)
}

async function addToTotal(
  db: Context['db'],
  { token, issuer, claimType }: Claim,
  state: Claim['state'],
  claims: number,
  faceValue: bigint,
  financedFaceValue: bigint,
): Promise<void> {
  await db
    .insert(claimTotal)
    .values({ token, state, issuer, claimType, claims, faceValue, financedFaceValue })
    .onConflictDoUpdate((total) => ({
      claims: total.claims + claims,
      faceValue: total.faceValue + faceValue,
      financedFaceValue: total.financedFaceValue + financedFaceValue,
    }))
}
