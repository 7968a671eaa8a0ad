/** Positions at average cost, without a database. `vaultPosition` in ponder.schema.ts states the rule. */
import type { vaultPosition } from '../ponder.schema.ts'

export type Position = Omit<typeof vaultPosition.$inferSelect, 'vault' | 'owner'>

export const NO_POSITION: Position = {
  shares: 0n,
  costBasis: 0n,
  deposited: 0n,
  withdrawn: 0n,
  received: 0n,
  sent: 0n,
  since: null,
}

/** Adds shares at a time, Unix seconds, without their cost. */
export function withShares(position: Position, shares: bigint, at: bigint): Position {
  return { ...position, shares: position.shares + shares, since: position.since ?? at }
}

/** Takes at least one and at most all of the shares, with their cost. */
export function withoutShares(position: Position, shares: bigint): { position: Position; cost: bigint } {
  const cost = (position.costBasis * shares) / position.shares
  const left = position.shares - shares
  const since = left === 0n ? null : position.since
  return { position: { ...position, shares: left, costBasis: position.costBasis - cost, since }, cost }
}

/** Adds the assets of a deposit, whose shares the position has. */
export function withDeposit(position: Position, assets: bigint): Position {
  return {
    ...position,
    deposited: position.deposited + assets,
    costBasis: position.costBasis + assets,
  }
}

/** Adds the assets of a withdrawal, whose shares the position has not any more. */
export function withWithdrawal(position: Position, assets: bigint): Position {
  return { ...position, withdrawn: position.withdrawn + assets }
}

/** Adds the cost of shares that were transferred to another wallet. */
export function withSent(position: Position, cost: bigint): Position {
  return { ...position, sent: position.sent + cost }
}

/** Adds the cost of shares that another wallet transferred. */
export function withReceived(position: Position, cost: bigint): Position {
  return { ...position, received: position.received + cost, costBasis: position.costBasis + cost }
}

export function realizedGainOf(position: Position): bigint {
  const { withdrawn, sent, costBasis, deposited, received } = position
  return withdrawn + sent + costBasis - deposited - received
}
