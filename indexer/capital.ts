import type { Context, Event } from 'ponder:registry'
import { capitalChange, vault, vaultDay } from 'ponder:schema'
import type { Hex } from 'viem'
import type { CapitalChangeKind } from '../ponder.schema.ts'
import { addToTokenDay } from './days.ts'
import { invariant, unknown } from './invariant.ts'
import { changeOf, dayOf, ordinalOfEvent, placeOf } from './position.ts'
import { carryForward, type VaultLines } from './value-days.ts'

type CapitalEvent =
  | 'FinancingVault:Deposit'
  | 'FinancingVault:Withdraw'
  | 'FinancingVault:Funded'
  | 'FinancingVault:Repaid'

type Figures = Pick<
  typeof vault.$inferSelect,
  'idleAssets' | 'outstandingFace' | 'outstandingAdvance' | 'totalShares'
>

/** Change of a vault's figures by one event, base units of its token, or of its shares; negative values subtract. */
type Movement = Partial<Figures> & {
  kind: CapitalChangeKind
  /** Assets that moved; never negative. */
  amount: bigint
  /** The slice that the event is about. */
  claimId?: Hex
  sliceIndex?: number
  /** Discount of the face that is funded or repaid. */
  discount?: bigint
  /** Value of what is financed after the event, if it changes that. */
  lines?: VaultLines
}

type DayFigures = Omit<
  typeof vaultDay.$inferSelect,
  'vault' | 'day' | 'token' | keyof Figures | keyof VaultLines
>

/**
 * Books one movement of a vault's capital: on the vault, in its history, in its day and its token's. Returns the vault
 * after.
 */
export async function moveCapital(
  db: Context['db'],
  name: CapitalEvent,
  event: Event<CapitalEvent>,
  movement: Movement,
): Promise<typeof vault.$inferSelect> {
  const address = event.log.address
  const lines = movement.lines ?? (await carryForward(db, address, event.block.timestamp))
  const after = await db
    .update(vault, { address })
    .set((before) => {
      const figures = figuresAfter(before, movement)
      for (const [figure, value] of Object.entries(figures)) {
        invariant(value >= 0n, name, `vault ${address} would have ${figure} = ${value}`)
      }
      const earned = before.discountEarned + earnedBy(movement)
      return { ...figures, ...lines, discountEarned: earned, ...changeOf(event) }
    })
    .catch(unknown(name, `vault ${address}`))
  const { token, discountEarned } = after
  const figures = figuresAfter(after, {})
  const { throughDay: _through, ...value } = lines
  const { kind, amount, claimId, sliceIndex, discount } = movement
  await db.insert(capitalChange).values({
    id: ordinalOfEvent(event),
    vault: address,
    kind,
    amount,
    claimId,
    sliceIndex,
    discount,
    ...figures,
    ...value,
    discountEarned,
    ...placeOf(event),
  })
  const today = dayFigures(movement)
  await db
    .insert(vaultDay)
    .values({ vault: address, day: dayOf(event), token, ...today, ...figures, ...value })
    .onConflictDoUpdate((day) => ({ ...sumOf(day, today), ...figures, ...value }))
  // The token's day gets face and advance from the execution.
  const { allocations: _, faceFinanced: _face, advanced: _advance, ...ofToken } = today
  await addToTokenDay(db, event, token, ofToken)
  return after
}

function figuresAfter(before: Figures, change: Partial<Figures>): Figures {
  return {
    idleAssets: before.idleAssets + (change.idleAssets ?? 0n),
    outstandingFace: before.outstandingFace + (change.outstandingFace ?? 0n),
    outstandingAdvance: before.outstandingAdvance + (change.outstandingAdvance ?? 0n),
    totalShares: before.totalShares + (change.totalShares ?? 0n),
  }
}

function dayFigures(movement: Movement): DayFigures {
  const { kind, amount, outstandingFace = 0n } = movement
  return {
    allocations: kind === 'FUNDING' ? 1 : 0,
    deposited: kind === 'DEPOSIT' ? amount : 0n,
    withdrawn: kind === 'WITHDRAWAL' ? amount : 0n,
    faceFinanced: kind === 'FUNDING' ? outstandingFace : 0n,
    advanced: kind === 'FUNDING' ? amount : 0n,
    faceRepaid: kind === 'REPAYMENT' ? amount : 0n,
    discountEarned: earnedBy(movement),
  }
}

function earnedBy({ kind, discount = 0n }: Movement): bigint {
  return kind === 'REPAYMENT' ? discount : 0n
}

function sumOf(a: DayFigures, b: DayFigures): DayFigures {
  return {
    allocations: a.allocations + b.allocations,
    deposited: a.deposited + b.deposited,
    withdrawn: a.withdrawn + b.withdrawn,
    faceFinanced: a.faceFinanced + b.faceFinanced,
    advanced: a.advanced + b.advanced,
    faceRepaid: a.faceRepaid + b.faceRepaid,
    discountEarned: a.discountEarned + b.discountEarned,
  }
}
