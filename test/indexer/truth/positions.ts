/** Positions of wallets in vaults at average cost, from the logs alone: every event of shares, in order. */
import { type Address, zeroAddress } from 'viem'
import { lowercase } from '../../support/parties.ts'
import { sum } from '../../support/sum.ts'
import { dayOf, type History, idOf, inOrder, type Located, missing, placeOf } from './history.ts'

type Holding = {
  readonly vault: Address
  readonly owner: Address
  readonly changes: Change[]
  shares: bigint
  cost: bigint
  /** Assets of withdrawals less the cost of all shares that were burnt. */
  gain: bigint
  since: bigint | null
}
export type PositionChangeTruth = ReturnType<typeof changeOf>

/** A row for each wallet that ever held shares, and a row for each of its deposits, withdrawals and transfers. */
export function positionsOf({ transfers, deposits, withdrawals }: History) {
  const holdings = new Map<string, Holding>()
  const changes: PositionChangeTruth[] = []
  const holdingOf = (address: Address, wallet: Address): Holding => {
    const [vault, owner] = [lowercase(address), lowercase(wallet)]
    const none = { vault, owner, changes: [], shares: 0n, cost: 0n, gain: 0n, since: null }
    const holding = holdings.get(vault + owner) ?? none
    holdings.set(vault + owner, holding)
    return holding
  }
  const note = (event: Located, of: Holding, change: Change) => changes.push(changeOf(event, of, change))

  for (const event of inOrder([...transfers, ...deposits, ...withdrawals])) {
    const { address, at } = event
    if (event.eventName === 'Transfer') {
      const { from, to, value: shares } = event.args
      if (shares === 0n || from === to) continue
      const cost = from === zeroAddress ? undefined : take(holdingOf(address, from), shares)
      if (to === zeroAddress) holdingOf(address, from).gain -= cost ?? 0n
      else give(holdingOf(address, to), shares, cost ?? 0n, at)
      if (cost === undefined || to === zeroAddress) continue
      const [sender, receiver] = [holdingOf(address, from), holdingOf(address, to)]
      note(event, sender, { kind: 'SENT', assets: cost, shares, counterparty: receiver.owner })
      note(event, receiver, { kind: 'RECEIVED', assets: cost, shares, counterparty: sender.owner })
      continue
    }
    const { owner, assets, shares } = event.args
    if (assets === 0n && shares === 0n) continue
    const holding = holdingOf(address, owner)
    const kind = event.eventName === 'Deposit' ? 'DEPOSIT' : 'WITHDRAWAL'
    if (kind === 'DEPOSIT') holding.cost += assets
    else holding.gain += assets
    note(event, holding, { kind, assets, shares, counterparty: null })
  }
  return { changes, positions: [...holdings.values()].map(positionOf) }
}

/** Takes shares with their part of the cost. */
function take(holding: Holding, shares: bigint): bigint {
  const cost = shares === holding.shares ? holding.cost : (holding.cost * shares) / holding.shares
  holding.shares -= shares
  holding.cost -= cost
  if (holding.shares === 0n) holding.since = null
  return cost
}

function give(holding: Holding, shares: bigint, cost: bigint, at: bigint): void {
  if (holding.shares === 0n) holding.since = at
  holding.shares += shares
  holding.cost += cost
}

type Change = {
  kind: 'DEPOSIT' | 'WITHDRAWAL' | 'SENT' | 'RECEIVED'
  assets: bigint
  shares: bigint
  counterparty: Address | null
}

/** Adds a change to a holding. @returns its row */
function changeOf(event: Located, holding: Holding, change: Change) {
  const { vault, owner, changes, shares, cost, gain, since } = holding
  changes.push(change)
  const { deposited, withdrawn, received, sent } = flowsOf(changes)
  return {
    id: idOf(event, change.kind === 'RECEIVED' ? 1 : 0),
    vault,
    owner,
    ...change,
    shares_after: shares,
    cost_basis_after: cost,
    deposited_after: deposited,
    withdrawn_after: withdrawn,
    received_after: received,
    sent_after: sent,
    since_after: since,
    realized_gain_after: gain,
    ...placeOf(event),
  }
}

const FLOWS = { deposited: 'DEPOSIT', withdrawn: 'WITHDRAWAL', received: 'RECEIVED', sent: 'SENT' } as const

function flowsOf(own: readonly Pick<Change, 'kind' | 'assets'>[]) {
  const flowOf = (flow: keyof typeof FLOWS) =>
    sum(own.filter(({ kind }) => kind === FLOWS[flow]).map(({ assets }) => assets))
  return {
    deposited: flowOf('deposited'),
    withdrawn: flowOf('withdrawn'),
    received: flowOf('received'),
    sent: flowOf('sent'),
  }
}

function positionOf({ vault, owner, changes, shares, cost, since }: Holding) {
  return { vault, owner, shares, cost_basis: cost, ...flowsOf(changes), since }
}

/** A row for each position and day on which it changed. */
export function positionDaysOf(changes: readonly PositionChangeTruth[]) {
  const days = Map.groupBy(changes, ({ vault, owner, at }) => [vault, owner, dayOf(at)].join())
  return [...days.values()].map((own) => {
    const last = own.at(-1) ?? missing('a change of the day')
    const { vault, owner, at, shares_after: shares, cost_basis_after: cost_basis } = last
    return { vault, owner, day: dayOf(at), ...flowsOf(own), shares, cost_basis }
  })
}
