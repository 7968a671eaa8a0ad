/** Unfinalized events that an answer shows, and those that it has not taken into account. */
import { describe, expect, it } from 'vitest'
import { EVERYONE } from '../../api/head/bound.ts'
import { findPending, type ReadParts } from '../../api/head/pending.ts'
import { baseOf, matching, selectEvents, type UnfinalizedEvent } from '../../api/head/unfinalized.ts'
import { BASE, claimId, eventOf, other, otherClaim, otherVault, vault, viewOf, wallet } from './views.ts'

const third = `0x${'6'.repeat(40)}` as const

const pendingOf = (events: readonly UnfinalizedEvent[], parts: ReadParts, after = BASE) =>
  findPending({ latest: () => viewOf(events) }, after, parts)?.events.map(({ name }) => name)

describe('pending changes of an answer', () => {
  const read: ReadParts = {
    claims: [claimId],
    vaults: [vault],
    routesOf: wallet,
    creditsOf: wallet,
    sharesOf: wallet,
  }

  it.each<[string, UnfinalizedEvent]>([
    ['a pause of the router', eventOf('Paused', 105n)],
    ['the end of a pause', eventOf('Unpaused', 105n)],
    ['an event of a claim that it reads', eventOf('ClaimStateChanged', 105n, { claimId })],
    ['an event of a vault that it reads', eventOf('TermsAccepted', 105n, { vault })],
    ['shares that its wallet receives', eventOf('Transfer', 105n, { vault, wallets: [other, wallet] })],
    ['a route of its wallet', eventOf('Executed', 105n, { wallets: [wallet] })],
    ['routes that its wallet cancels', eventOf('RoutesCancelled', 105n, { wallets: [wallet] })],
    ['a credit of its wallet', eventOf('Credited', 105n, { wallets: [wallet] })],
    ['a credit that its wallet withdraws', eventOf('CreditWithdrawn', 105n, { wallets: [wallet] })],
  ])('have %s', (_, event) => {
    expect(pendingOf([event], read)).toEqual([event.name])
  })

  it.each<[string, UnfinalizedEvent]>([
    ['an event of another claim', eventOf('ClaimStateChanged', 105n, { claimId: otherClaim })],
    ['an event of another vault', eventOf('TermsAccepted', 105n, { vault: otherVault })],
    ['shares that other wallets exchange', eventOf('Transfer', 105n, { vault, wallets: [other] })],
    ['a route of another wallet', eventOf('Executed', 105n, { wallets: [other] })],
    ['another event of its wallet', eventOf('Deposit', 105n, { vault: otherVault, wallets: [wallet] })],
  ])('do not have %s', (_, event) => {
    expect(pendingOf([event], read)).toEqual([])
  })

  it('have routes, credits and shares of a wallet only where the answer reads them', () => {
    const events = [
      eventOf('Executed', 105n, { wallets: [wallet] }),
      eventOf('Credited', 105n, { wallets: [wallet] }),
      eventOf('Transfer', 105n, { vault, wallets: [wallet] }),
    ]
    expect(pendingOf(events, { vaults: [vault] })).toEqual([])
    expect(pendingOf(events, { routesOf: wallet })).toEqual(['Executed'])
    expect(pendingOf(events, { creditsOf: wallet })).toEqual(['Credited'])
    expect(pendingOf(events, { vaults: [vault], sharesOf: wallet })).toEqual(['Transfer'])
  })

  it('are those after the block of the answer', () => {
    const events = [105n, 106n].map((block) => eventOf('Paused', block))
    expect(pendingOf(events, {}, 104n)).toHaveLength(2)
    expect(pendingOf(events, {}, 105n)).toHaveLength(1)
    expect(pendingOf(events, {}, 106n)).toHaveLength(0)
  })

  it.each<[string, ReadParts, readonly string[]]>([
    ['a claim', { claims: [claimId] }, [claimId]],
    ['each of two claims', { claims: [claimId, otherClaim] }, [claimId, otherClaim]],
    ['a vault', { vaults: [vault] }, [vault]],
    ['each of two vaults', { vaults: [vault, otherVault] }, [vault, otherVault]],
    ['routes', { routesOf: wallet }, [wallet]],
    ['credits', { creditsOf: wallet }, [wallet]],
    ['shares', { sharesOf: wallet }, [wallet]],
    [
      'a claim, a vault and the wallets of routes, credits and shares',
      { claims: [claimId], vaults: [vault], routesOf: wallet, creditsOf: other, sharesOf: third },
      [claimId, vault, wallet, other, third],
    ],
  ])('are truncated where events of %s that it reads were left out', (_, parts, subjects) => {
    const isTruncated = (leftOut: string) =>
      findPending({ latest: () => ({ ...viewOf([]), leftOut: new Set([leftOut]) }) }, BASE, parts)
        ?.isTruncated
    const all = [claimId, otherClaim, vault, otherVault, wallet, other, third]
    expect(all.filter(isTruncated)).toEqual(subjects)
  })

  it('are unknown without a view of the latest block', () => {
    expect(findPending({ latest: () => undefined }, BASE, read)).toBeUndefined()
  })
})

describe('events that an answer shows', () => {
  const events = [101n, 104n, 110n].map((block) => eventOf('Executed', block, { wallets: [wallet], claimId }))

  it('have the newest first, with confirmations and the time at which they should be final', () => {
    const { events: shown } = selectEvents(viewOf(events), BASE, matching({ wallet }))
    expect(shown.map(({ block, confirmations }) => [block.number, confirmations])).toEqual([
      [110n, 1n],
      [104n, 7n],
      [101n, 10n],
    ])
    expect(shown.map(({ expectedFinalAt }) => expectedFinalAt)).toEqual([2010n, 2004n, 2001n])
  })

  it('keep to every condition that is given', () => {
    const shown = (filter: Parameters<typeof matching>[0]) =>
      selectEvents(viewOf(events), BASE, matching(filter)).events.length
    expect(shown({})).toBe(3)
    expect(shown({ wallet, claimId })).toBe(3)
    expect(shown({ wallet, claimId: otherClaim })).toBe(0)
    expect(shown({ wallet: other, claimId })).toBe(0)
    expect(shown({ wallet, vault })).toBe(0)
  })

  it('are truncated for a block before the first one of the view', () => {
    const isTruncated = (after: bigint) => selectEvents(viewOf(events), after, matching({})).isTruncated
    expect(isTruncated(BASE)).toBe(false)
    expect(isTruncated(BASE - 1n)).toBe(true)
  })

  it('are truncated at their maximum number', () => {
    const shown = (first: number) => selectEvents(viewOf(events), BASE, matching({}), first)
    expect(shown(3).isTruncated).toBe(false)
    expect(shown(2).isTruncated).toBe(true)
    expect(shown(2).events.map(({ block }) => block.number)).toEqual([110n, 104n])
  })

  it('are truncated where events of their subject were left out, and not for those of others', () => {
    const view = { ...viewOf(events), leftOut: new Set<string>([other]) }
    expect(selectEvents(view, BASE, matching({ wallet })).isTruncated).toBe(false)
    expect(selectEvents(view, BASE, matching({ wallet: other })).isTruncated).toBe(true)
    expect(selectEvents(view, BASE, matching({ wallet, vault })).isTruncated).toBe(false)
    expect(selectEvents(view, BASE, matching({ wallet: other, vault })).isTruncated).toBe(true)
    expect(selectEvents(view, BASE, matching({})).isTruncated).toBe(true)
  })

  it('are truncated where events of everyone were left out', () => {
    const view = { ...viewOf(events), leftOut: new Set([EVERYONE]) }
    expect(selectEvents(view, BASE, matching({ wallet })).isTruncated).toBe(true)
    expect(selectEvents(view, BASE, matching({})).isTruncated).toBe(true)
  })
})

describe('the blocks of a view', () => {
  it('are those that are not final and 32 final ones, from the first block of the chain on', () => {
    expect(baseOf(196n, 100n)).toBe(68n)
    expect(baseOf(100n, 33n)).toBe(1n)
    expect(baseOf(20n, 10n)).toBe(-1n)
  })

  it('are at most 128', () => {
    expect(baseOf(196n, 101n)).toBe(69n)
    expect(baseOf(196n, 99n)).toBe(68n)
    expect(baseOf(1000n, 100n)).toBe(872n)
  })
})
