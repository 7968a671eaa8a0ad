/** Every series over a history, against the days and movements that the logs of the contracts make. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { iso } from '../graphql/calendar.ts'
import type { Answer } from '../graphql/client.ts'
import { lowercase } from '../support/parties.ts'
import { assertProperty } from '../support/property.ts'
import { ask, DAY, edgesOf, type Indexed } from './indexed.ts'
import { by } from './truth/history.ts'
import { capitalBefore, outstandingBefore, seriesOf, startsBetween } from './truth/series.ts'
import { movementsOf } from './truth/vaults.ts'

const ascending = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/** @param indexed what is there once the tests run */
export function describeSeries(seed: number, indexed: () => Indexed): void {
  const FINANCING = ['face_financed', 'advanced', 'face_repaid', 'discount_earned']
  const CLAIMS = ['claims_registered', 'face_registered', 'settlements', 'face_settled']
  const CAPITAL = ['deposited', 'withdrawn']

  /** Compares one series with the days and stocks behind it, in each period, from and until edges of days. */
  async function compare(
    query: (args: string) => string,
    read: (data: Answer['data']) => Record<string, unknown>[],
    days: readonly { day: bigint }[],
    flows: readonly string[],
    stocks: (end: bigint) => Readonly<Record<string, bigint>>,
  ) {
    const { world, block, truth } = indexed()
    const edges = edgesOf(truth.token_day.map(({ day }) => day)).toSorted(ascending)
    const [first = 0n] = edges
    const now = (await world.chain.getBlock({ blockNumber: block })).timestamp
    const range = fc.record({
      period: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
      from: fc.constantFrom(...edges.slice(0, 9), first - 40n * DAY),
      until: fc.constantFrom(...edges.slice(-9), now),
    })
    await assertProperty(
      fc.asyncProperty(range, async ({ period, from, until }) => {
        fc.pre(from < until)
        const last = until > now ? now : until - 1n
        const data = await ask(
          indexed(),
          query(`period: ${period}, from: "${iso(from)}", to: "${iso(until)}"`),
        )
        const expected = seriesOf(days, flows, stocks, period, startsBetween(period, from, last))
        expect(read(data).map(asBigints)).toEqual(expected)
      }),
      { numRuns: 25, seed },
    )
  }
  const fieldsOf = (...groups: readonly (readonly string[])[]) =>
    ['start', ...groups.flat(), 'outstanding_face', 'outstanding_advance']
      .map((name) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()))
      .join(' ')

  it('of the market in a token is what its logs add up to', async () => {
    const { world, history, truth } = indexed()
    const flows = [...FINANCING, ...CLAIMS, ...CAPITAL, 'executions']
    for (const token of [world.usd, world.eur]) {
      const vaults = truth.vault.filter((vault) => vault.token === token).map(({ address }) => address)
      const moved = movementsOf(history).filter(({ address }) => vaults.includes(lowercase(address)))
      await compare(
        (args) => `{ marketSeries(token: "${token}", ${args}) { ${fieldsOf(flows)} idleAssets } }`,
        ({ marketSeries }) => marketSeries,
        truth.token_day.filter((day) => day.token === token),
        flows,
        capitalBefore(moved),
      )
    }
  })

  it('of a vault is what its logs add up to', async () => {
    const { history, truth } = indexed()
    const flows = [...FINANCING, ...CAPITAL, 'allocations']
    for (const { address } of truth.vault) {
      await compare(
        (args) => `{ vault(address: "${address}") { series(${args}) { ${fieldsOf(flows)} idleAssets } } }`,
        ({ vault: { series } }) => series,
        truth.vault_day.filter(({ vault }) => vault === address),
        flows,
        capitalBefore(by(movementsOf(history), address)),
      )
    }
  })

  it('of an issuer in a token is what its logs add up to', async () => {
    const { world, truth } = indexed()
    const flows = [...FINANCING, ...CLAIMS, 'allocations']
    for (const { address } of truth.issuer) {
      for (const token of [world.usd, world.eur]) {
        await compare(
          (args) =>
            `{ issuer(address: "${address}") { series(token: "${token}", ${args}) { ${fieldsOf(flows)} } } }`,
          ({ issuer: { series } }) => series,
          truth.issuer_day.filter((day) => day.issuer === address && day.token === token),
          flows,
          outstandingBefore(
            truth.allocation.filter((part) => part.issuer === address && part.token === token),
          ),
        )
      }
    }
  })
}

/** A period as it was answered, its amounts and counts as integers and its start in Unix seconds. */
function asBigints(point: Record<string, unknown>): Record<string, bigint> {
  const entries = Object.entries(point).map(([name, value]) => [
    name,
    name === 'start' ? BigInt(Date.parse(String(value)) / 1000) : BigInt(String(value)),
  ])
  return Object.fromEntries(entries)
}
