/**
 * Whether an event that is not final has already made an answer impossible. Optimize, preview and prepare answer by the
 * finalized block; this rule adds what is certain since.
 *
 * | event after the block                                    | impossible                                   |
 * | -------------------------------------------------------- | -------------------------------------------- |
 * | `Paused`, without `Unpaused` after it                    | financing                                    |
 * | `ClaimStateChanged` to a state that takes no financing   | financing, revocation                        |
 * | `ClaimStateChanged` to `SETTLED` or `REVOKED`            | settlement                                   |
 * | `ClaimPaid`                                              | revocation                                   |
 * | `SliceReserved` that leaves too little face or no slice  | financing of the claim                       |
 * | `VaultStatusChanged` to inactive                         | financing by the vault                       |
 * | `ClaimRegistered`                                        | registration of the claim                    |
 * | `Executed`, `RoutesCancelled`                            | the execution; routes with the nonce         |
 *
 * Liquidity, prices, allowances and balances do not follow from the events alone. The simulation at the latest block
 * decides on them, and on all else that the table does not name.
 */
import type { Address, Hex } from 'viem'
import { contractClaimStates, financeableStates } from '../domain/claim.ts'
import type { Issue } from '../domain/issues.ts'
import { MAX_SLICES_PER_CLAIM } from '../domain/limits.ts'
import type { BaseUnits } from '../domain/money.ts'
import type { Unfinalized, UnfinalizedEvent } from './unfinalized.ts'
import type { HeadWatch } from './watch-head.ts'

/** Conditions of an answer on the chain, in the block that mines it. */
export type Needs = {
  /** Financings. `faceValue` is that of the claim; undefined leaves its remaining face to the simulation. */
  readonly legs?: readonly {
    readonly claimId: Hex
    readonly vault: Address
    readonly faceAmount: BaseUnits
    readonly faceValue: BaseUnits | undefined
  }[]
  readonly settles?: Hex
  readonly revokes?: Hex
  readonly registers?: Hex
  /** A signed route. */
  readonly route?: { readonly executionId: Hex; readonly user: Address; readonly nonce: bigint }
}

const PAID_OR_VOID: readonly string[] = ['SETTLED', 'REVOKED']

/** @returns at most one issue: the first obstacle in the order of the needs */
export function findObstacle({ latest }: Pick<HeadWatch, 'latest'>, after: bigint, needs: Needs): Issue[] {
  const view = latest()
  const why = view && explain(createFind(view, after), needs)
  return why === undefined
    ? []
    : [{ code: 'CHANGE_NOT_FINAL', message: `${why} A reorganization can still remove that block.` }]
}

/** Finds the latest event of a name that concerns a subject; without a subject, of any. */
type Find = (
  name: string,
  subject?: Hex,
  holds?: (event: UnfinalizedEvent) => boolean,
) => UnfinalizedEvent | undefined

function createFind(view: Unfinalized, after: bigint): Find {
  return (name, subject, holds = () => true) => {
    const events = subject === undefined ? view.events : (view.bySubject.get(subject) ?? [])
    return events.findLast((event) => event.block.number > after && event.name === name && holds(event))
  }
}

function explain(find: Find, { legs = [], settles, revokes, registers, route }: Needs): string | undefined {
  return (
    (legs.length > 0 ? pause(find) : undefined) ??
    first(legs, (leg) => financing(find, leg)) ??
    (settles && state(find, settles, (name) => !PAID_OR_VOID.includes(name))) ??
    (revokes && revocation(find, revokes)) ??
    (registers && registration(find, registers)) ??
    (route && execution(find, route))
  )
}

function pause(find: Find): string | undefined {
  const paused = find('Paused')
  const resumed = find('Unpaused')
  if (!paused || (resumed && isAfter(resumed, paused))) return undefined
  return `The router is paused since block ${paused.block.number}.`
}

function financing(find: Find, leg: NonNullable<Needs['legs']>[number]): string | undefined {
  const { claimId, vault, faceAmount, faceValue } = leg
  const changed = find('VaultStatusChanged', vault)
  if (changed && argumentOf(changed, 'active') === 'false')
    return `Vault ${vault} is inactive since block ${changed.block.number}.`
  return (
    state(find, claimId, (name) => financeableStates.includes(name)) ??
    slice(find, claimId, faceAmount, faceValue)
  )
}

function slice(
  find: Find,
  claimId: Hex,
  faceAmount: BaseUnits,
  faceValue: BaseUnits | undefined,
): string | undefined {
  const taken = find('SliceReserved', claimId)
  if (!taken) return undefined
  const { number } = taken.block
  if (Number(argumentOf(taken, 'sliceIndex')) === MAX_SLICES_PER_CLAIM - 1)
    return `Block ${number} took the last slice of claim ${claimId}.`
  if (faceValue === undefined) return undefined
  const left = faceValue - BigInt(argumentOf(taken, 'financedFaceValue'))
  if (left >= faceAmount) return undefined
  return `Since block ${number}, ${left} of the face of claim ${claimId} is left, less than ${faceAmount}.`
}

function state(find: Find, claimId: Hex, isAllowed: (name: string) => boolean): string | undefined {
  const changed = find('ClaimStateChanged', claimId)
  const name = changed && contractClaimStates[Number(argumentOf(changed, 'to'))]
  if (!name || isAllowed(name)) return undefined
  return `Claim ${claimId} is ${name} since block ${changed.block.number}.`
}

function revocation(find: Find, claimId: Hex): string | undefined {
  const paid = find('ClaimPaid', claimId)
  if (paid) return `Block ${paid.block.number} paid a part of claim ${claimId}.`
  return state(find, claimId, (name) => financeableStates.includes(name))
}

function registration(find: Find, claimId: Hex): string | undefined {
  const registered = find('ClaimRegistered', claimId)
  return registered && `Claim ${claimId} is registered in block ${registered.block.number}.`
}

function execution(
  find: Find,
  { executionId, user, nonce }: NonNullable<Needs['route']>,
): string | undefined {
  const executed = find('Executed', user, (event) => event.executionId === executionId)
  if (executed) return `Block ${executed.block.number} executed this route.`
  const used = find('RoutesCancelled', user, (event) => BigInt(argumentOf(event, 'nonce')) >= nonce)
  return used && `Block ${used.block.number} cancelled the routes of ${user} with nonce ${nonce}.`
}

function first<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

function isAfter(one: UnfinalizedEvent, other: UnfinalizedEvent): boolean {
  const { number } = other.block
  return one.block.number > number || (one.block.number === number && one.logIndex > other.logIndex)
}

function argumentOf({ name, arguments: all }: UnfinalizedEvent, wanted: string): string {
  const found = all.find((argument) => argument.name === wanted)
  if (!found) throw new Error(`event ${name} has no argument ${wanted}`)
  return found.value
}
