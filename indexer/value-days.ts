/** Lines of the value of vaults, as in contracts/CarryingValue.sol: allocations add to the days that change them. */
import type { Context } from 'ponder:registry'
import { valueDay, vault } from 'ponder:schema'
import type { Address } from 'viem'
import { midnightOf } from './position.ts'

type Lines = Pick<typeof vault.$inferSelect, keyof typeof NO_LINES>
/** The lines of a vault, through a day. */
export type VaultLines = Lines & { throughDay: bigint }
type Part = { vault: Address; dueAt: bigint; faceAmount: bigint; advanceAmount: bigint }

const SECONDS_PER_DAY = 86_400n
const WRITE_DOWN_SECONDS = 90n * SECONDS_PER_DAY
/** Loss of one base unit of face in a second of the write-down. */
const LOSS_PER_SECOND = 2n ** 32n
/** The values are base units times this. */
const VALUE_SCALE = WRITE_DOWN_SECONDS * LOSS_PER_SECOND

const NO_LINES = { gainPerSecond: 0n, gainOffset: 0n, lossPerSecond: 0n, lossOffset: 0n }

/** The lines of a vault that has financed nothing, through the day of a time, Unix seconds. */
export function noLines(at: bigint): VaultLines {
  return { ...NO_LINES, throughDay: midnightOf(at) }
}

/** Carries the lines of a vault forward to the day of a time, Unix seconds. */
export async function carryForward(db: Context['db'], address: Address, at: bigint): Promise<VaultLines> {
  const throughDay = midnightOf(at)
  const held = (await db.find(vault, { address })) ?? noLines(at)
  let lines: Lines = held
  for (let day = held.throughDay + SECONDS_PER_DAY; day <= throughDay; day += SECONDS_PER_DAY) {
    lines = sumOf(lines, (await db.find(valueDay, { vault: address, day })) ?? NO_LINES)
  }
  return { ...sumOf(lines, NO_LINES), throughDay }
}

/**
 * Adds an allocation that is funded at a time (Unix seconds): its discount is earned until the end of its due day, and
 * its face is lost from then on.
 */
export async function addValue(db: Context['db'], part: Part, at: bigint): Promise<VaultLines> {
  const before = await carryForward(db, part.vault, at)
  const overdueFrom = overdueFromOf(part)
  const discount = (part.faceAmount - part.advanceAmount) * VALUE_SCALE
  const perSecond = discount / (overdueFrom - at)
  const gain = { gainPerSecond: perSecond, gainOffset: -perSecond * at }
  await addLines(db, part.vault, at, gain)
  const end = { gainPerSecond: -gain.gainPerSecond, gainOffset: discount - gain.gainOffset }
  await scheduleLines(db, part.vault, overdueFrom, end)
  await scheduleLoss(db, part.vault, overdueFrom, part.faceAmount)
  await scheduleLoss(db, part.vault, overdueFrom + WRITE_DOWN_SECONDS, -part.faceAmount)
  return { ...before, ...sumOf(before, { ...NO_LINES, ...gain }) }
}

/**
 * Removes what is repaid of an allocation at a time (Unix seconds): the discount of that part, and what is lost of its
 * face.
 */
export async function removeValue(db: Context['db'], part: Part, at: bigint): Promise<VaultLines> {
  const { faceAmount } = part
  const before = await carryForward(db, part.vault, at)
  const overdueFrom = overdueFromOf(part)
  const end = overdueFrom + WRITE_DOWN_SECONDS
  const isLost = at >= end
  if (at < overdueFrom) await scheduleLoss(db, part.vault, overdueFrom, -faceAmount)
  if (!isLost) await scheduleLoss(db, part.vault, end, faceAmount)
  const lost = isLost ? { lossOffset: -faceAmount * VALUE_SCALE } : lossFrom(overdueFrom, -faceAmount)
  const gainOffset = -(faceAmount - part.advanceAmount) * VALUE_SCALE
  const removed = { ...NO_LINES, ...(at < overdueFrom ? {} : lost), gainOffset }
  await addLines(db, part.vault, at, removed)
  return { ...before, ...sumOf(before, removed) }
}

/** Midnight (UTC) after the due day, Unix seconds. */
function overdueFromOf({ dueAt }: Part): bigint {
  return midnightOf(dueAt) + SECONDS_PER_DAY
}

function scheduleLoss(db: Context['db'], vault: Address, from: bigint, face: bigint) {
  return scheduleLines(db, vault, from, lossFrom(from, face))
}

/** The loss of a face, which grows by each second since a time. */
function lossFrom(since: bigint, face: bigint) {
  const lossPerSecond = face * LOSS_PER_SECOND
  return { lossPerSecond, lossOffset: -lossPerSecond * since }
}

function sumOf(a: Lines, b: Lines): Lines {
  return {
    gainPerSecond: a.gainPerSecond + b.gainPerSecond,
    gainOffset: a.gainOffset + b.gainOffset,
    lossPerSecond: a.lossPerSecond + b.lossPerSecond,
    lossOffset: a.lossOffset + b.lossOffset,
  }
}

/** Adds to the day of the event, at its time. */
function addLines(db: Context['db'], vault: Address, at: bigint, lines: Partial<Lines>): Promise<void> {
  return addToDay(db, vault, at, lines, {})
}

/** Adds to the later day that begins at a time. */
function scheduleLines(
  db: Context['db'],
  vault: Address,
  from: bigint,
  lines: Partial<Lines>,
): Promise<void> {
  return addToDay(db, vault, from, lines, lines)
}

async function addToDay(
  db: Context['db'],
  vault: Address,
  at: bigint,
  lines: Partial<Lines>,
  ofEarlierDays: Partial<Lines>,
): Promise<void> {
  const added = { ...NO_LINES, ...lines }
  const scheduled = { ...NO_LINES, ...ofEarlierDays }
  await db
    .insert(valueDay)
    .values({ vault, day: midnightOf(at), ...added, ...toScheduled(scheduled) })
    .onConflictDoUpdate((day) => ({
      ...sumOf(day, added),
      ...toScheduled(sumOf(scheduledOf(day), scheduled)),
    }))
}

function scheduledOf(day: typeof valueDay.$inferSelect): Lines {
  return {
    gainPerSecond: day.scheduledGainPerSecond,
    gainOffset: day.scheduledGainOffset,
    lossPerSecond: day.scheduledLossPerSecond,
    lossOffset: day.scheduledLossOffset,
  }
}

function toScheduled({ gainPerSecond, gainOffset, lossPerSecond, lossOffset }: Lines) {
  return {
    scheduledGainPerSecond: gainPerSecond,
    scheduledGainOffset: gainOffset,
    scheduledLossPerSecond: lossPerSecond,
    scheduledLossOffset: lossOffset,
  }
}
