/** Nobody fills the view of unfinalized events at the cost of others. */
import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { boundEvents, boundSubjects, EVENTS_MAX, EVERYONE } from '../../api/head/bound.ts'
import type { ChainEvent } from '../../api/head/event.ts'

const walletOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
const CONTRACT = walletOf(0xc0de)

function eventOf(place: number, name: string, wallets: readonly Address[]): ChainEvent {
  return {
    name,
    contract: CONTRACT,
    arguments: [],
    wallets,
    claimId: undefined,
    executionId: undefined,
    vault: undefined,
    transactionHash: `0x${'0'.repeat(64)}`,
    logIndex: place,
  }
}

const [victim, spammer, honest, other] = [1, 2, 3, 4].map(walletOf)

describe('bounded events', () => {
  it('keep those of everyone else when one issuer registers 10,000 claims for a wallet', () => {
    const spam = Array.from({ length: 10_000 }, (_, place) =>
      eventOf(place, 'ClaimRegistered', [spammer ?? CONTRACT, victim ?? CONTRACT]),
    )
    const before = eventOf(-2, 'ClaimRegistered', [honest ?? CONTRACT, victim ?? CONTRACT])
    const own = eventOf(-1, 'Executed', [victim ?? CONTRACT])
    const unrelated = eventOf(20_000, 'Deposit', [other ?? CONTRACT])
    const { events, leftOut } = boundEvents([before, own, ...spam, unrelated])
    expect(events).toEqual([before, own, ...spam.slice(-200), unrelated])
    expect(leftOut).toEqual(new Set([spammer, victim]))
  })

  it('keep at most the maximum, those of wallets with few events first', () => {
    const crowd = Array.from({ length: 50 }, (_, wallet) =>
      Array.from({ length: 100 }, (_, place) => eventOf(place, 'Transfer', [walletOf(100 + wallet)])),
    ).flat()
    const one = eventOf(0, 'Transfer', [honest ?? CONTRACT])
    const { events } = boundEvents([one, ...crowd])
    expect(events).toHaveLength(2_000)
    expect(events[0]).toBe(one)
  })

  it('are the newest of equal rank', () => {
    const alike = [victim, spammer, honest].map((wallet, place) =>
      eventOf(place, 'Transfer', [wallet ?? CONTRACT]),
    )
    expect(boundEvents(alike, 2).events).toEqual(alike.slice(1))
  })

  it('name wallets, claim and vault of an event that is left out', () => {
    const claimId: Hex = `0x${'c1'.repeat(32)}`
    const facts = { claimId, vault: walletOf(9) }
    const [first, last] = [0, 1].map((place) => ({ ...eventOf(place, 'Funded', [walletOf(5)]), ...facts }))
    if (!first || !last) throw new Error('two events')
    const { events, leftOut } = boundEvents([first, last], 1)
    expect(events).toEqual([last])
    expect(leftOut).toEqual(new Set([walletOf(5), claimId, walletOf(9)]))
  })

  it('count an event without a wallet for its contract', () => {
    const changes = Array.from({ length: 300 }, (_, place) => eventOf(place, 'TokenStatusChanged', []))
    expect(boundEvents(changes).events).toEqual(changes.slice(-200))
  })

  it('are a part of the events in their order, and name every subject of the others', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            name: fc.constantFrom('A', 'B'),
            wallets: fc.uniqueArray(fc.nat(4), { maxLength: 3 }),
          }),
        ),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 5 }),
        (drawn, max, perWallet) => {
          const all = drawn.map(({ name, wallets }, place) => eventOf(place, name, wallets.map(walletOf)))
          const { events, leftOut } = boundEvents(all, max, perWallet)
          expect(events).toEqual(all.filter((event) => events.includes(event)))
          expect(events.length).toBeLessThanOrEqual(max)
          const others = all.filter((event) => !events.includes(event))
          expect(leftOut).toEqual(new Set(others.flatMap(({ wallets }) => wallets)))
          if (all.length <= Math.min(max, perWallet)) expect(events).toEqual(all)
        },
      ),
    ))
})

describe('the subjects of events that are left out', () => {
  it('are named up to the limit of kept events, and are everyone above it', () => {
    const subjects = (count: number) => Array.from({ length: count }, (_, number) => walletOf(number))
    expect(boundSubjects(subjects(EVENTS_MAX))).toEqual(new Set(subjects(EVENTS_MAX)))
    expect(boundSubjects(subjects(EVENTS_MAX + 1))).toEqual(new Set([EVERYONE]))
  })

  it('are everyone where they were before', () => {
    expect(boundSubjects([walletOf(1), EVERYONE])).toEqual(new Set([EVERYONE]))
  })
})
