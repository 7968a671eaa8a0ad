/** Reads the view of a head. Blocks of the last view are not read again. */
import type { Address, Hex } from 'viem'
import type { Chain } from '../chain/client.ts'
import { readBlockEvents, registeredIn } from './block-events.ts'
import { boundEvents, boundSubjects, subjectsOf } from './bound.ts'
import type { Abis, ChainEvent } from './event.ts'
import type { createFinality } from './finality.ts'
import { type Header, readBranch } from './header.ts'
import { baseOf, type Unfinalized, type UnfinalizedEvent } from './unfinalized.ts'

/** Rows of the projection. */
export type KnownToProjection = {
  readonly vaults: () => Promise<readonly Address[]>
  /** Issuer and beneficiary of each claim that is projected. */
  readonly parties: (claimIds: readonly Hex[]) => Promise<ReadonlyMap<Hex, readonly Address[]>>
}

export type Sources = { readonly chain: Chain; readonly abis: Abis; readonly known: KnownToProjection }

type Finalized = Pick<Header, 'number' | 'hash' | 'timestamp'>
/** A block with the events that are kept of it, and the subjects of the others. */
type Block = {
  readonly header: Header
  readonly events: readonly UnfinalizedEvent[]
  readonly leftOut: ReadonlySet<string>
}

/** Blocks of the last view, by hash, and the vaults whose events they have. They have no more events than the view. */
export type Memory = { readonly blocks: Map<Hex, Block>; vaults: ReadonlySet<Address> }

/**
 * Reads the view that ends in `head`. Blocks of the last view are not read again. A failed read keeps what it has read.
 *
 * @throws Error for a head that does not descend from the finalized block; what a node or the projection throws
 */
export async function readView(
  { chain, abis, known }: Sources,
  head: Header,
  finalized: Finalized,
  memory: Memory,
  observe: ReturnType<typeof createFinality>,
): Promise<Unfinalized> {
  const vaults = new Set(await known.vaults())
  // The blocks lack the events of a vault that was registered below the view and has been projected since.
  if (![...vaults].every((vault) => memory.vaults.has(vault))) memory.blocks.clear()
  memory.vaults = vaults
  const base = baseOf(head.number, finalized.number)
  const headers = new Map([...memory.blocks].map(([hash, { header }]) => [hash, header]))
  const branch = await readBranch(chain, head, base, headers)
  requireDescent(branch, finalized)
  let blocks: readonly Block[] = []
  for (const header of branch) {
    const kept = memory.blocks.get(header.hash)
    const block = kept ?? (await readBlock({ chain, abis, known }, header, vaults, blocks))
    for (const vault of registeredIn(block.events)) vaults.add(vault)
    // At once: the blocks of a branch can have more events than memory.
    blocks = kept ? [...blocks, block] : boundBlocks([...blocks, block])
    for (const each of blocks) memory.blocks.set(each.header.hash, each)
  }
  forgetOthers(memory, branch)
  const events = blocks.flatMap((block) => block.events)
  const leftOut = boundSubjects(blocks.flatMap((block) => [...block.leftOut]))
  const finalitySeconds = observe(branch, finalized)
  return { head, headers: branch, base, finalitySeconds, bySubject: toMap(events), events, leftOut }
}

async function readBlock(
  { chain, abis, known }: Sources,
  header: Header,
  vaults: ReadonlySet<Address>,
  before: readonly Block[],
): Promise<Block> {
  const own = await readBlockEvents(chain, header, abis, vaults)
  const events = await withParties(
    own,
    before.flatMap((block) => block.events),
    known,
  )
  return { header, events: events.map((event) => ({ ...event, block: header })), leftOut: new Set() }
}

function boundBlocks(blocks: readonly Block[]): Block[] {
  const { events } = boundEvents(blocks.flatMap((block) => block.events))
  const kept = new Set(events)
  return blocks.map((block) => {
    const others = block.events.filter((event) => !kept.has(event))
    if (others.length === 0) return block
    return {
      header: block.header,
      events: block.events.filter((event) => kept.has(event)),
      leftOut: boundSubjects([...block.leftOut, ...others.flatMap(subjectsOf)]),
    }
  })
}

function toMap(events: readonly UnfinalizedEvent[]): ReadonlyMap<string, readonly UnfinalizedEvent[]> {
  const map = new Map<string, UnfinalizedEvent[]>()
  for (const event of events)
    for (const subject of subjectsOf(event)) {
      const own = map.get(subject) ?? []
      own.push(event)
      map.set(subject, own)
    }
  return map
}

function forgetOthers({ blocks }: Memory, branch: readonly Header[]): void {
  const hashes = new Set(branch.map(({ hash }) => hash))
  for (const hash of blocks.keys()) if (!hashes.has(hash)) blocks.delete(hash)
}

function requireDescent(branch: readonly Header[], finalized: Finalized): void {
  const same = branch.find(({ number }) => number === finalized.number)
  if (same ? same.hash === finalized.hash : (branch[0]?.number ?? 0n) > finalized.number) return
  throw new Error(`the latest block does not descend from the finalized block ${finalized.number}`)
}

/** Events of a claim concern its issuer and its beneficiary, whom most of them do not name. */
async function withParties(
  events: readonly ChainEvent[],
  before: readonly ChainEvent[],
  known: KnownToProjection,
): Promise<ChainEvent[]> {
  const registered = new Map(
    [...before, ...events].flatMap(({ name, claimId, wallets }) =>
      name === 'ClaimRegistered' && claimId ? [[claimId, wallets] as const] : [],
    ),
  )
  const ids = new Set(events.flatMap(({ claimId }) => (claimId && !registered.has(claimId) ? [claimId] : [])))
  const projected = ids.size > 0 ? await known.parties([...ids]) : new Map<Hex, readonly Address[]>()
  return events.map((event) => {
    const { claimId, wallets } = event
    const parties = claimId ? (registered.get(claimId) ?? projected.get(claimId) ?? []) : []
    return { ...event, wallets: [...new Set([...wallets, ...parties])] }
  })
}
