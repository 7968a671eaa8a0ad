/** Events that are mined and not final. No finalized answer depends on them. */
import type { Address, Hex } from 'viem'
import { type Bounded, EVERYONE } from './bound.ts'
import type { ChainEvent } from './event.ts'
import { BLOCKS_MAX, type Header } from './header.ts'

export type UnfinalizedEvent = ChainEvent & { readonly block: Header }

/** The view of one head. It never changes; a later head has another one. */
export type Unfinalized = Bounded<UnfinalizedEvent> & {
  readonly head: Header
  /** The events of each wallet, claim and vault: an answer can have thousands of objects. */
  readonly bySubject: ReadonlyMap<string, readonly UnfinalizedEvent[]>
  /** Headers of the blocks of the view, oldest first. */
  readonly headers: readonly Header[]
  /** The view has all blocks above this number, up to the head. */
  readonly base: bigint
  /** Seconds from the time of a block until it is final, as observed. */
  readonly finalitySeconds: bigint
}

/** Maximum number of events of one answer. */
export const EVENTS_SHOWN_MAX = 200

/** Each condition that is given must hold. */
export type EventFilter = {
  readonly wallet?: Address | null | undefined
  readonly claimId?: Hex | null | undefined
  readonly vault?: Address | null | undefined
}

/** Events as an answer shows them, newest first. */
export type ShownEvents = {
  readonly head: Header
  readonly finalitySeconds: bigint
  readonly events: readonly ShownEvent[]
  /** Whether there are more events, or blocks that the view does not have. */
  readonly isTruncated: boolean
}

export type ShownEvent = UnfinalizedEvent & {
  readonly confirmations: bigint
  readonly expectedFinalAt: bigint
}

/** Which events an answer shows. */
export type Selection = {
  readonly isWanted: (event: UnfinalizedEvent) => boolean
  /** Wallets, claims and vaults whose events are wanted; undefined for those of all. */
  readonly subjects: readonly string[] | undefined
  /** A subject that all of them concern; undefined without one. */
  readonly subject: string | undefined
}

export function matching({ wallet, claimId, vault }: EventFilter): Selection {
  const subjects = [wallet, claimId, vault].filter((subject) => typeof subject === 'string')
  return {
    isWanted: (event) =>
      (!wallet || event.wallets.includes(wallet)) &&
      (!claimId || event.claimId === claimId) &&
      (!vault || event.vault === vault),
    subjects: subjects.length > 0 ? subjects : undefined,
    subject: subjects[0],
  }
}

/** Selects the events after a block, which is the finalized block of the answer beside them. */
export function selectEvents(
  view: Unfinalized,
  after: bigint,
  { isWanted, subjects, subject }: Selection,
  first = EVENTS_SHOWN_MAX,
): ShownEvents {
  const candidates = subject === undefined ? view.events : (view.bySubject.get(subject) ?? [])
  const found = candidates.filter((event) => event.block.number > after && isWanted(event))
  const { leftOut } = view
  const isLeftOut =
    leftOut.has(EVERYONE) || (subjects?.some((subject) => leftOut.has(subject)) ?? leftOut.size > 0)
  return {
    head: view.head,
    finalitySeconds: view.finalitySeconds,
    events: found
      .toReversed()
      .slice(0, first)
      .map((event) => toShown(event, view)),
    isTruncated: isLeftOut || found.length > first || after < view.base,
  }
}

function toShown(event: UnfinalizedEvent, view: Unfinalized): ShownEvent {
  return {
    ...event,
    confirmations: view.head.number - event.block.number + 1n,
    expectedFinalAt: expectedFinalAt(event.block, view),
  }
}

/** Unix seconds. */
export function expectedFinalAt(
  { timestamp }: Pick<Header, 'timestamp'>,
  view: Pick<Unfinalized, 'finalitySeconds'>,
): bigint {
  return timestamp + view.finalitySeconds
}

/** Final blocks that a view keeps, for answers of a projection that has not reached them. */
const FINAL_BLOCKS = 32n

/** @returns the number of the block below the first one of a view */
export function baseOf(head: bigint, finalized: bigint): bigint {
  const oldest = head - BigInt(BLOCKS_MAX)
  const base = finalized - FINAL_BLOCKS
  return [oldest, base, -1n].reduce((a, b) => (a > b ? a : b))
}
