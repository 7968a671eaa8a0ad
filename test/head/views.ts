/** Views of the blocks 101 to 110, with the events of a test. */
import type { Address, Hex } from 'viem'
import type { Unfinalized, UnfinalizedEvent } from '../../api/head/unfinalized.ts'

const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
export const hashOf = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
export const wallet = addressOf(1)
export const other = addressOf(2)
export const vault = addressOf(3)
export const otherVault = addressOf(4)
const router = addressOf(5)
export const [claimId, otherClaim] = [hashOf(1), hashOf(2)]

/** The view has the blocks 101 to 110. */
export const BASE = 100n
const HEAD = 110n
const FINALITY_SECONDS = 900n
const headerOf = (number: bigint) => ({
  number,
  hash: hashOf(Number(number)),
  parentHash: hashOf(Number(number) - 1),
  timestamp: 1000n + number,
})

type Facts = Partial<
  Pick<UnfinalizedEvent, 'wallets' | 'claimId' | 'vault' | 'logIndex' | 'executionId' | 'arguments'>
>

export function eventOf(name: string, blockNumber: bigint, facts: Facts = {}): UnfinalizedEvent {
  return {
    name,
    contract: router,
    arguments: [],
    wallets: [],
    claimId: undefined,
    executionId: undefined,
    vault: undefined,
    transactionHash: hashOf(9),
    logIndex: 0,
    ...facts,
    block: headerOf(blockNumber),
  }
}

export function viewOf(events: readonly UnfinalizedEvent[]): Unfinalized {
  const subjects = new Set(
    events.flatMap((event) => [...event.wallets, event.claimId ?? [], event.vault ?? []].flat()),
  )
  const concerns = (event: UnfinalizedEvent, subject: string) =>
    [...event.wallets, event.claimId, event.vault].some((own) => own === subject)
  return {
    events,
    leftOut: new Set(),
    head: headerOf(HEAD),
    bySubject: new Map(
      [...subjects].map((subject) => [subject, events.filter((event) => concerns(event, subject))]),
    ),
    headers: [],
    base: BASE,
    finalitySeconds: FINALITY_SECONDS,
  }
}
