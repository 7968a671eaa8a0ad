import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPace, EVENT_POINTS_PER_SECOND } from '../api/graphql/serve/pace.ts'
import { createOpenSubscriptions } from '../api/graphql/serve/subscriptions.ts'
import type { ClientNetworks } from '../api/limits/client-address.ts'

/** A clock that only waits and the test move. */
function paceOf(costs: readonly number[]) {
  let now = 0
  const move = (milliseconds: number) => {
    now += milliseconds
  }
  const paces = costs.map(() =>
    createPace({
      costOf: () => costs.reduce((sum, cost) => sum + cost, 0),
      clock: () => now,
      wait: async (milliseconds) => move(milliseconds),
    }),
  )
  return { paces, now: () => now, move }
}

it('the first event waits for nothing, and the next one as long as the points of all take', async () => {
  const { paces, now } = paceOf([EVENT_POINTS_PER_SECOND, EVENT_POINTS_PER_SECOND])
  const [pace = async () => {}] = paces
  await pace()
  expect(now()).toBe(0)
  await pace()
  expect(now()).toBe(2000)
})

it('an event after a long block waits for nothing', async () => {
  const { paces, now, move } = paceOf([EVENT_POINTS_PER_SECOND / 2])
  const [pace = async () => {}] = paces
  await pace()
  move(500)
  await pace()
  expect(now()).toBe(500)
})

it('no client has events of more points than the pace allows, and one event of each more', async () => {
  const costs = fc.array(fc.integer({ min: 1, max: 8000 }), { minLength: 1, maxLength: 20 })
  const gaps = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(costs, gaps, async (costs, gaps) => {
      const { paces, now, move } = paceOf(costs)
      let points = 0
      for (const gap of gaps) {
        move(gap)
        for (const [i, pace] of paces.entries()) {
          await pace()
          points += costs[i] ?? 0
        }
      }
      const total = costs.reduce((sum, cost) => sum + cost, 0)
      expect(points).toBeLessThanOrEqual(total + (EVENT_POINTS_PER_SECOND * now()) / 1000 + 1e-6)
    }),
    { numRuns: 200 },
  )
})

it('an event costs what all open subscriptions of its client address cost, of wallets and of others', () => {
  const open = createOpenSubscriptions({ subscriptionsPerClient: 3, subscriptionsMax: 10 })
  const within = { name: '2001:db8::/56', times: 2 }
  const networksOf = (name: string): ClientNetworks => [{ name, times: 1 }, within]
  const [address, neighbour] = [networksOf('2001:db8::/64'), networksOf('2001:db8:0:1::/64')]
  const begin = (caller: string, networks: ClientNetworks, cost: number) =>
    open.begin({ caller, networks, isAnonymous: caller === networks[0].name }, cost)
  const costs = () => [address, neighbour].map(open.costOf)
  expect(costs()).toEqual([0, 0])
  const ends = [
    begin('a wallet', address, 1),
    begin('a wallet', address, 10),
    begin('another wallet', address, 100),
    begin(address[0].name, address, 1000),
    begin('a wallet', neighbour, 10_000),
  ]
  expect([costs(), open.count()]).toEqual([[1111, 10_000], 5])
  ends[1]?.()
  ends[3]?.()
  expect([costs(), open.count()]).toEqual([[101, 10_000], 3])
  for (const end of ends) end()
  expect([costs(), open.count()]).toEqual([[0, 0], 0])
})
