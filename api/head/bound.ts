/** Bounds of the events that are kept, so that nobody can fill them at the cost of others. */
import type { ChainEvent } from './event.ts'

/** Events of one kind that are kept for one wallet. */
export const EVENTS_PER_WALLET_MAX = 200
export const EVENTS_MAX = 2_000

/** Stands for all wallets, claims and vaults. */
export const EVERYONE = '*'

export type Bounded<Event> = {
  readonly events: readonly Event[]
  /** Wallets, claims and vaults of which events were left out; `EVERYONE` if there are too many of them. */
  readonly leftOut: ReadonlySet<string>
}

/**
 * Bounds events, oldest first. The rank of an event is its place, from the newest, among the events of its kind of one
 * of its subjects: of the subject that has fewest. The events of the lowest ranks are kept, so that a stranger whose
 * events name the wallets of others displaces only events of his own.
 *
 * @returns the events in their order
 */
export function boundEvents<Event extends ChainEvent>(
  events: readonly Event[],
  max = EVENTS_MAX,
  maxPerWallet = EVENTS_PER_WALLET_MAX,
): Bounded<Event> {
  const counts = new Map<string, number>()
  const ranked = events.toReversed().map((event, place) => ({ event, place, rank: rankOf(event, counts) }))
  const best = ranked
    .filter(({ rank }) => rank < maxPerWallet)
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .slice(0, max)
  const kept = new Set(best.map(({ event }) => event))
  const leftOut = events.filter((event) => !kept.has(event)).flatMap(subjectsOf)
  return { events: events.filter((event) => kept.has(event)), leftOut: boundSubjects(leftOut) }
}

/** An attacker can name any number of wallets. */
export function boundSubjects(subjects: Iterable<string>): ReadonlySet<string> {
  const all = new Set(subjects)
  return all.size > EVENTS_MAX || all.has(EVERYONE) ? new Set([EVERYONE]) : all
}

function rankOf(event: ChainEvent, counts: Map<string, number>): number {
  const groups = groupsOf(event)
  const rank = Math.min(...groups.map((group) => counts.get(group) ?? 0))
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1)
  return rank
}

/** An event without a wallet counts for its contract. */
function groupsOf({ name, wallets, contract }: ChainEvent): string[] {
  const subjects = wallets.length > 0 ? wallets : [contract]
  return subjects.map((subject) => `${name} ${subject}`)
}

/** Wallets, claim and vault of an event, each once. */
export function subjectsOf({ wallets, claimId, vault }: ChainEvent): string[] {
  return [...new Set([...wallets, claimId, vault].filter((subject) => subject !== undefined))]
}
