/** Positions of wallets in vaults: each event of shares changes them, their days and their history. */
import type { Context, Event } from 'ponder:registry'
import { positionChange, positionDay, vaultPosition } from 'ponder:schema'
import { type Address, zeroAddress } from 'viem'
import type { PositionChangeKind } from '../ponder.schema.ts'
import {
  NO_POSITION,
  type Position,
  realizedGainOf,
  withDeposit,
  withoutShares,
  withReceived,
  withSent,
  withShares,
  withWithdrawal,
} from './average-cost.ts'
import { invariant } from './invariant.ts'
import { dayOf, ordinalOfEvent, placeOf } from './position.ts'

type SharesEvent = Event<'FinancingVault:Transfer' | 'FinancingVault:Deposit' | 'FinancingVault:Withdraw'>
type Change = { kind: PositionChangeKind; assets: bigint; shares: bigint; counterparty?: Address }
type Flows = Pick<typeof positionDay.$inferSelect, 'deposited' | 'withdrawn' | 'received' | 'sent'>

/**
 * Moves shares with their cost. Those that are issued have no cost before their deposit; the cost of those that are
 * burnt is gone. The event of the deposit or the withdrawal books the rest.
 */
export async function moveShares(db: Context['db'], event: Event<'FinancingVault:Transfer'>): Promise<void> {
  const { from, to, value } = event.args
  // Anyone may move nothing between any two wallets; that makes neither a holder.
  if (value === 0n || from === to) return
  const { timestamp } = event.block
  if (from === zeroAddress) {
    return write(db, event, to, withShares(await find(db, event, to), value, timestamp))
  }
  const held = await find(db, event, from)
  invariant(
    held.shares >= value,
    'FinancingVault:Transfer',
    `${from} holds ${held.shares} shares of vault ${event.log.address} and gave away ${value}`,
  )
  const { position, cost } = withoutShares(held, value)
  if (to === zeroAddress) return write(db, event, from, position)
  const moved = { assets: cost, shares: value }
  await book(db, event, from, withSent(position, cost), { kind: 'SENT', ...moved, counterparty: to })
  const received = withReceived(withShares(await find(db, event, to), value, timestamp), cost)
  await book(db, event, to, received, { kind: 'RECEIVED', ...moved, counterparty: from })
}

/** Books the assets of a deposit, whose shares the event before has issued. */
export async function bookDeposit(db: Context['db'], event: Event<'FinancingVault:Deposit'>): Promise<void> {
  const { owner, assets, shares } = event.args
  if (assets === 0n && shares === 0n) return
  const after = withDeposit(await find(db, event, owner), assets)
  await book(db, event, owner, after, { kind: 'DEPOSIT', assets, shares })
}

/** Books the assets of a withdrawal, whose shares an earlier event has burnt. */
export async function bookWithdrawal(
  db: Context['db'],
  event: Event<'FinancingVault:Withdraw'>,
): Promise<void> {
  const { owner, assets, shares } = event.args
  // Anyone may withdraw nothing from any wallet.
  if (assets === 0n && shares === 0n) return
  const after = withWithdrawal(await find(db, event, owner), assets)
  await book(db, event, owner, after, { kind: 'WITHDRAWAL', assets, shares })
}

async function find(db: Context['db'], { log }: SharesEvent, owner: Address): Promise<Position> {
  return (await db.find(vaultPosition, { vault: log.address, owner })) ?? NO_POSITION
}

async function write(
  db: Context['db'],
  { log }: SharesEvent,
  owner: Address,
  position: Position,
): Promise<void> {
  const { shares, costBasis, deposited, withdrawn, received, sent, since } = position
  const columns = { shares, costBasis, deposited, withdrawn, received, sent, since }
  await db
    .insert(vaultPosition)
    .values({ vault: log.address, owner, ...columns })
    .onConflictDoUpdate(columns)
}

/** Writes a position after a change of it, with the change and its day. */
async function book(
  db: Context['db'],
  event: SharesEvent,
  owner: Address,
  after: Position,
  { kind, assets, shares, counterparty }: Change,
): Promise<void> {
  const vault = event.log.address
  const held = { shares: after.shares, costBasis: after.costBasis }
  await write(db, event, owner, after)
  await db.insert(positionChange).values({
    id: ordinalOfEvent(event, kind === 'RECEIVED' ? 1n : 0n),
    vault,
    owner,
    kind,
    assets,
    shares,
    counterparty,
    sharesAfter: after.shares,
    costBasisAfter: after.costBasis,
    depositedAfter: after.deposited,
    withdrawnAfter: after.withdrawn,
    receivedAfter: after.received,
    sentAfter: after.sent,
    sinceAfter: after.since,
    realizedGainAfter: realizedGainOf(after),
    ...placeOf(event),
  })
  const flows = flowsOf(kind, assets)
  await db
    .insert(positionDay)
    .values({ vault, owner, day: dayOf(event), ...flows, ...held })
    .onConflictDoUpdate((day) => ({ ...sumOf(day, flows), ...held }))
}

function flowsOf(kind: PositionChangeKind, assets: bigint): Flows {
  return {
    deposited: kind === 'DEPOSIT' ? assets : 0n,
    withdrawn: kind === 'WITHDRAWAL' ? assets : 0n,
    received: kind === 'RECEIVED' ? assets : 0n,
    sent: kind === 'SENT' ? assets : 0n,
  }
}

function sumOf(a: Flows, b: Flows): Flows {
  return {
    deposited: a.deposited + b.deposited,
    withdrawn: a.withdrawn + b.withdrawn,
    received: a.received + b.received,
    sent: a.sent + b.sent,
  }
}
