/** The daily figures of tokens, issuers and due dates: each event adds its amounts. */
import type { Context } from 'ponder:registry'
import { dueDay, issuerDay, tokenDay } from 'ponder:schema'
import type { Address } from 'viem'
import { dayOf, midnightOf } from './position.ts'

type Event = Parameters<typeof dayOf>[0]
type TokenFigures = Omit<typeof tokenDay.$inferSelect, 'token' | 'day'>
type IssuerFigures = Omit<typeof issuerDay.$inferSelect, 'issuer' | 'token' | 'day'>

const NO_TOKEN_FIGURES: TokenFigures = {
  claimsRegistered: 0,
  faceRegistered: 0n,
  executions: 0,
  faceFinanced: 0n,
  advanced: 0n,
  settlements: 0,
  faceSettled: 0n,
  deposited: 0n,
  withdrawn: 0n,
  faceRepaid: 0n,
  discountEarned: 0n,
}

const NO_ISSUER_FIGURES: IssuerFigures = {
  claimsRegistered: 0,
  faceRegistered: 0n,
  allocations: 0,
  faceFinanced: 0n,
  advanced: 0n,
  settlements: 0,
  faceSettled: 0n,
  vaultsAmount: 0n,
  faceRepaid: 0n,
  discountEarned: 0n,
}

export async function addToTokenDay(
  db: Context['db'],
  event: Event,
  token: Address,
  figures: Partial<TokenFigures>,
): Promise<void> {
  const added = { ...NO_TOKEN_FIGURES, ...figures }
  await db
    .insert(tokenDay)
    .values({ token, day: dayOf(event), ...added })
    .onConflictDoUpdate((day) => ({
      claimsRegistered: day.claimsRegistered + added.claimsRegistered,
      faceRegistered: day.faceRegistered + added.faceRegistered,
      executions: day.executions + added.executions,
      faceFinanced: day.faceFinanced + added.faceFinanced,
      advanced: day.advanced + added.advanced,
      settlements: day.settlements + added.settlements,
      faceSettled: day.faceSettled + added.faceSettled,
      deposited: day.deposited + added.deposited,
      withdrawn: day.withdrawn + added.withdrawn,
      faceRepaid: day.faceRepaid + added.faceRepaid,
      discountEarned: day.discountEarned + added.discountEarned,
    }))
}

/** @param claim whose issuer and token the day is of */
export async function addToIssuerDay(
  db: Context['db'],
  event: Event,
  { issuer, token }: { issuer: Address; token: Address },
  figures: Partial<IssuerFigures>,
): Promise<void> {
  const added = { ...NO_ISSUER_FIGURES, ...figures }
  await db
    .insert(issuerDay)
    .values({ issuer, token, day: dayOf(event), ...added })
    .onConflictDoUpdate((day) => ({
      claimsRegistered: day.claimsRegistered + added.claimsRegistered,
      faceRegistered: day.faceRegistered + added.faceRegistered,
      allocations: day.allocations + added.allocations,
      faceFinanced: day.faceFinanced + added.faceFinanced,
      advanced: day.advanced + added.advanced,
      settlements: day.settlements + added.settlements,
      faceSettled: day.faceSettled + added.faceSettled,
      vaultsAmount: day.vaultsAmount + added.vaultsAmount,
      faceRepaid: day.faceRepaid + added.faceRepaid,
      discountEarned: day.discountEarned + added.discountEarned,
    }))
}

/**
 * Adds face of a slice that is paid to the day of the event; of one that is not due yet, to the day of its due date: it
 * is never overdue.
 */
export async function addSettledToDueDay(
  db: Context['db'],
  { block }: Event,
  part: { vault: Address; issuer: Address; token: Address; dueAt: bigint },
  faceSettled: bigint,
): Promise<void> {
  const isDue = block.timestamp >= part.dueAt
  await addToDueDay(db, isDue ? block.timestamp : part.dueAt, part, { faceSettled })
}

/** Adds financed face to the day of a time: of its due date, or of its settlement. */
export async function addToDueDay(
  db: Context['db'],
  at: bigint,
  { vault, issuer, token }: { vault: Address; issuer: Address; token: Address },
  { faceDue = 0n, faceSettled = 0n }: { faceDue?: bigint; faceSettled?: bigint },
): Promise<void> {
  await db
    .insert(dueDay)
    .values({ vault, issuer, token, day: midnightOf(at), faceDue, faceSettled })
    .onConflictDoUpdate((day) => ({
      faceDue: day.faceDue + faceDue,
      faceSettled: day.faceSettled + faceSettled,
    }))
}
