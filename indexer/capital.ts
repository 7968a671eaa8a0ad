import type { Context, Event } from 'ponder:registry'
import { capitalChange, vault, vaultDay } from 'ponder:schema'
import type { CapitalChangeKind } from '../ponder.schema.ts'
import { addToTokenDay } from './days.ts'
import { invariant, unknown } from './invariant.ts'
import { changeOf, dayOf, eventId, placeOf } from './position.ts'

type CapitalEvent =
  | 'FinancingVault:Deposit'
  | 'FinancingVault:Withdraw'
  | 'FinancingVault:Funded'
  | 'FinancingVault:Repaid'

/** Change of a vault's figures by one event, base units; negative values subtract. */
type Movement = {
  kind: CapitalChangeKind
  /** Assets that moved, never negative. */
  amount: bigint
  idleAssets: bigint
  outstandingFace: bigint
  outstandingAdvance: bigint
  discountEarned: bigint
}

type DayFigures = Pick<
  typeof vaultDay.$inferSelect,
  'allocations' | 'deposited' | 'withdrawn' | 'faceFinanced' | 'advanced' | 'faceRepaid' | 'discountEarned'
>

/** Books one movement of a vault's capital: on the vault, in its history, in its day and its token's. Returns the vault after. */
export async function moveCapital(
  db: Context['db'],
  name: CapitalEvent,
  event: Event<CapitalEvent>,
  movement: Movement,
): Promise<typeof vault.$inferSelect> {
  const address = event.log.address
  const after = await db
    .update(vault, { address })
    .set((before) => {
      const figures = figuresAfter(before, movement)
      for (const [figure, value] of Object.entries(figures)) {
        invariant(value >= 0n, name, `vault ${address} would have ${figure} = ${value}`)
      }
      const discountEarned = before.discountEarned + movement.discountEarned
      return { ...figures, discountEarned, ...changeOf(event) }
    })
    .catch(unknown(name, `vault ${address}`))
  const { token, idleAssets, outstandingFace, outstandingAdvance } = after
  const figures = { idleAssets, outstandingFace, outstandingAdvance }
  const { kind, amount } = movement
  await db
    .insert(capitalChange)
    .values({ id: eventId(event), vault: address, kind, amount, ...figures, ...placeOf(event) })
  const today = dayFigures(movement)
  await db
    .insert(vaultDay)
    .values({ vault: address, day: dayOf(event), token, ...today, ...figures })
    .onConflictDoUpdate((day) => ({ ...sumOf(day, today), ...figures }))
  // The token's day gets face and advance from the execution.
  const { deposited, withdrawn, faceRepaid, discountEarned } = today
  await addToTokenDay(db, event, token, { deposited, withdrawn, faceRepaid, discountEarned })
  return after
}

function figuresAfter(before: typeof vault.$inferSelect, movement: Movement) {
  return {
    idleAssets: before.idleAssets + movement.idleAssets,
    outstandingFace: before.outstandingFace + movement.outstandingFace,
    outstandingAdvance: before.outstandingAdvance + movement.outstandingAdvance,
  }
}

function dayFigures({ kind, amount, outstandingFace, discountEarned }: Movement): DayFigures {
  return {
    allocations: kind === 'FUNDING' ? 1 : 0,
    deposited: kind === 'DEPOSIT' ? amount : 0n,
    withdrawn: kind === 'WITHDRAWAL' ? amount : 0n,
    faceFinanced: kind === 'FUNDING' ? outstandingFace : 0n,
    advanced: kind === 'FUNDING' ? amount : 0n,
    faceRepaid: kind === 'REPAYMENT' ? amount : 0n,
    discountEarned,
  }
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
