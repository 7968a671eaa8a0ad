/** Every series over a history, against the days and movements that the logs of the contracts make. */
import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import { larger, smaller } from '../../api/domain/bigint.ts'
import { iso, next } from '../graphql/calendar.ts'
import type { Answer } from '../graphql/client.ts'
import { lowercase } from '../support/parties.ts'
import { assertProperty } from '../support/property.ts'
import type { World } from '../support/protocol.ts'
import { ask, DAY, edgesOf, type Indexed } from './indexed.ts'
import { by } from './truth/history.ts'
import { capitalBefore, duesOf, outstandingBefore, seriesOf, startsBetween } from './truth/series.ts'
import type { Truth } from './truth/tables.ts'
import { movementsOf } from './truth/vaults.ts'

/** Periods of the longest series that the gateway answers. */
const PERIODS_MAX = 398

export const ascending = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/** @param indexed what is there once the tests run */
export function describeSeries(seed: number, indexed: () => Indexed): void {
  const FINANCING = ['face_financed', 'advanced', 'face_repaid', 'discount_earned']
  const OUTSTANDING = ['outstanding_face', 'outstanding_advance']
  const CLAIMS = ['claims_registered', 'face_registered', 'settlements', 'face_settled']
  const CAPITAL = ['deposited', 'withdrawn']

  /** Compares one series with the days and stocks behind it, in each period, from and until edges of days. */
  async function compare(
    query: (args: string) => string,
    read: (data: Answer['data']) => Record<string, unknown>[],
    days: readonly { day: bigint }[],
    flows: readonly string[],
    stocks: (end: bigint) => Readonly<Record<string, bigint>>,
    allocations: Truth['allocation'],
  ) {
    const { world, block, truth } = indexed()
    const edges = edgesOf(truth.token_day.map(({ day }) => day)).toSorted(ascending)
    const [first = 0n] = edges
    const now = (await world.chain.getBlock({ blockNumber: block })).timestamp
    const dues = duesOf(allocations, truth, now)
    const figuresAt = (end: bigint, start: bigint) => ({ ...stocks(end), ...dues(end, start) })
    const range = fc.record({
      period: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
      from: fc.constantFrom(...edges.slice(0, 9), first - 40n * DAY),
      until: fc.constantFrom(...edges.slice(-9), now),
    })
    await assertProperty(
      fc.asyncProperty(range, async ({ period, from, until }) => {
        fc.pre(from < until)
        const last = until > now ? now : until - 1n
        const starts = startsBetween(period, from, last)
        fc.pre(starts.length <= PERIODS_MAX)
        const data = await ask(
          indexed(),
          query(`period: ${period}, from: "${iso(from)}", to: "${iso(until)}"`),
        )
        const expected = seriesOf(days, flows, figuresAt, period, starts)
        expect(read(data).map(asBigints)).toEqual(expected)
      }),
      { numRuns: 12, seed },
    )
  }
  const fieldsOf = (...groups: readonly (readonly string[])[]) =>
    ['start', ...groups.flat(), ...OUTSTANDING, 'face_due', 'overdue_face']
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
        truth.allocation.filter((part) => part.token === token),
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
        truth.allocation.filter(({ vault }) => vault === address),
      )
    }
  })

  it('of a vault has the value of its shares that the contract states at the end of each period', async () => {
    const { world, block, truth } = indexed()
    const now = await nowOf(indexed())
    const from = startOfSeries(truth.vault_day, now)
    const lastBlock = lastBlockBefore(world, block)
    let changed = 0
    for (const { address, token } of truth.vault) {
      const { decimals = 0 } = truth.token.find((one) => one.address === token) ?? {}
      for (const period of ['day', 'week', 'month'] as const) {
        const { vault } = await ask(
          indexed(),
          `{ vault(address: "${address}") { series(period: ${period}, from: "${iso(from)}") { start totalAssets entryAssets sharePrice yieldToDateBps assetsAtCost } } }`,
        )
        const starts = startsBetween(period, from, now)
        expect(vault.series.map(({ start }: { start: string }) => start)).toEqual(starts.map(iso))
        for (const { start, assetsAtCost, ...value } of someOf(vault.series, seed)) {
          const end = next(period, BigInt(Date.parse(start) / 1000))
          const blockNumber = await lastBlock(end)
          const time = smaller(end - 1n, now)
          expect([start, value]).toEqual([
            start,
            await sharesWorth(world, { address, decimals, blockNumber, time }),
          ])
          if (end < now && value.totalAssets !== assetsAtCost) changed += 1
        }
      }
    }
    // Values that are not costs: they depend on the second.
    expect(changed).toBeGreaterThan(10)
  })

  it('of an issuer in a token is what its logs add up to', async () => {
    const { world, truth } = indexed()
    const flows = [...FINANCING, ...CLAIMS, 'allocations']
    for (const { address } of truth.issuer) {
      for (const token of [world.usd, world.eur]) {
        const own = truth.allocation.filter((part) => part.issuer === address && part.token === token)
        await compare(
          (args) =>
            `{ issuer(address: "${address}") { series(token: "${token}", ${args}) { ${fieldsOf(flows)} } } }`,
          ({ issuer: { series } }) => series,
          truth.issuer_day.filter((day) => day.issuer === address && day.token === token),
          flows,
          outstandingBefore(own, truth),
          own,
        )
      }
    }
  })
}

/** Two days before the first, so that a series begins with nothing, within the days that one series can have. */
export function startOfSeries(days: readonly { day: bigint }[], now: bigint): bigint {
  const first = days.map(({ day }) => day).toSorted(ascending)[0] ?? 0n
  return larger(first - 2n * DAY, now - 390n * DAY)
}

/** Periods of a series whose values are compared. */
const POINTS = Number(process.env.HISTORY_POINTS ?? 24)

/** About `POINTS` periods of a series, the last one too: the contract is asked for each. */
export function someOf(series: Answer['data'][], seed: number): Answer['data'][] {
  const every = Math.ceil(series.length / POINTS)
  return series.filter((_, i) => (i + seed) % every === 0 || i === series.length - 1)
}

/** Present exposures, against the allocations and the state of the vaults that the logs make. */
export function describeExposures(indexed: () => Indexed): void {
  const STOCKS = 'outstandingFace outstandingAdvance overdueFace'
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)

  function exposureOf(own: Truth['allocation'], now: bigint) {
    const { outstanding_face, outstanding_advance } = outstandingBefore(own, indexed().truth)(now + 1n)
    const overdue = own.filter((part) => part.due_at < now)
    return {
      outstandingFace: String(outstanding_face),
      outstandingAdvance: String(outstanding_advance),
      overdueFace: String(sum(overdue.map((part) => part.face_amount - part.paid_face))),
    }
  }
  it('of the market and of an issuer in a token is that of its allocations', async () => {
    const { world, truth } = indexed()
    const now = await nowOf(indexed())
    for (const token of [world.usd, world.eur]) {
      const own = truth.allocation.filter((part) => part.token === token)
      const market = await ask(indexed(), `{ marketExposure(token: "${token}") { ${STOCKS} } }`)
      expect(market.marketExposure).toEqual(exposureOf(own, now))
      expect(BigInt(market.marketExposure.overdueFace)).toBeGreaterThan(0n)
      for (const { address } of truth.issuer) {
        const query = `{ issuer(address: "${address}") { exposure(token: "${token}") { ${STOCKS} } } }`
        const { issuer } = await ask(indexed(), query)
        expect(issuer.exposure).toEqual(
          exposureOf(
            own.filter((part) => part.issuer === address),
            now,
          ),
        )
      }
    }
  })

  it('of a vault is that of its allocations, and its assets are those that the contract states', async () => {
    const { world, block, truth } = indexed()
    const now = await nowOf(indexed())
    const { vaults } = await ask(
      indexed(),
      `{ vaults(first: 100) { nodes { address capital { ${STOCKS} totalAssets entryAssets sharePrice entryPrice } } } }`,
    )
    expect(vaults.nodes).toHaveLength(truth.vault.length)
    for (const { address, capital } of vaults.nodes) {
      const read = { abi: financingVaultAbi, address, blockNumber: block } as const
      const { chain } = world
      const decimals = await chain.readContract({ ...read, functionName: 'decimals' })
      const args = [10n ** BigInt(decimals)] as const
      expect([address, capital]).toEqual([
        address,
        {
          ...exposureOf(
            truth.allocation.filter(({ vault }) => vault === address),
            now,
          ),
          totalAssets: String(await chain.readContract({ ...read, functionName: 'totalAssets' })),
          entryAssets: String(await chain.readContract({ ...read, functionName: 'entryAssets' })),
          sharePrice: String(await chain.readContract({ ...read, functionName: 'previewRedeem', args })),
          entryPrice: String(await chain.readContract({ ...read, functionName: 'previewMint', args })),
        },
      ])
    }
  })

  it('of claims says since when they are overdue, and aggregates find the same face', async () => {
    const { truth } = indexed()
    const now = await nowOf(indexed())
    const isOverdue = (part: { settled: boolean; due_at: bigint }) => !part.settled && part.due_at < now
    for (const { id, due_at, slice_count, state } of truth.claim) {
      const { claim } = await ask(indexed(), `{ claim(claimId: "${id}") { overdueSince } }`)
      const since = slice_count > 0 && state !== 'SETTLED' && due_at < now ? iso(due_at) : null
      expect([id, claim.overdueSince]).toEqual([id, since])
    }
    const filter = `{ settled: false, dueDate_lt: "${iso(now)}" }`
    const query = `{ allocationAggregates(filter: ${filter}, groupBy: [vault]) { nodes { vault { address } faceAmount { sum } } } }`
    const { allocationAggregates } = await ask(indexed(), query)
    const found = new Map<string, string>(
      allocationAggregates.nodes.map((node: { vault: { address: string }; faceAmount: { sum: string } }) => [
        node.vault.address,
        node.faceAmount.sum,
      ]),
    )
    for (const { address } of truth.vault) {
      const own = truth.allocation.filter((part) => part.vault === address && isOverdue(part))
      expect(found.get(address) ?? '0').toBe(String(sum(own.map((part) => part.face_amount))))
    }
  })

  it('of an account has the credits that the router holds for it', async () => {
    const { truth } = indexed()
    for (const account of new Set(truth.credit.map((row) => row.account))) {
      const own = truth.credit.filter((row) => row.account === account && row.amount > 0n)
      const expected = own.map(({ token, amount }) => ({ token: { address: token }, amount: String(amount) }))
      const data = await ask(
        indexed(),
        `{ account(address: "${account}") { credits { token: tokenInfo { address } amount } } }`,
      )
      expect(data.account.credits).toEqual(expected)
    }
  })
}

export async function nowOf({ world, block }: Indexed): Promise<bigint> {
  return (await world.chain.getBlock({ blockNumber: block })).timestamp
}

/** The last block with an earlier time, up to `latest`. */
export function lastBlockBefore({ chain }: World, latest: bigint) {
  const times = new Map<bigint, Promise<bigint>>()
  const timeOf = (blockNumber: bigint) => {
    const time = times.get(blockNumber) ?? chain.getBlock({ blockNumber }).then(({ timestamp }) => timestamp)
    times.set(blockNumber, time)
    return time
  }
  return async (end: bigint): Promise<bigint> => {
    let [before, after] = [0n, latest + 1n]
    while (after - before > 1n) {
      const middle = (before + after) / 2n
      if ((await timeOf(middle)) < end) before = middle
      else after = middle
    }
    return before
  }
}

/**
 * Value of the shares of a vault after a block, in a later second. A vault that is not created yet has no assets.
 */
async function sharesWorth(
  { chain }: World,
  of: { address: Address; decimals: number; blockNumber: bigint; time: bigint },
) {
  const { address, blockNumber, time } = of
  const code = await chain.getCode({ address, blockNumber })
  const asset = 10n ** BigInt(of.decimals)
  if (!code) return { totalAssets: '0', entryAssets: '0', sharePrice: String(asset), yieldToDateBps: 0 }
  const read = { abi: financingVaultAbi, address, blockNumber, blockOverrides: { time } } as const
  // A share has six decimals more than the token.
  const convert = (shares: bigint) =>
    chain.readContract({ ...read, functionName: 'convertToAssets', args: [shares * 1_000_000n] })
  return {
    totalAssets: String(await chain.readContract({ ...read, functionName: 'totalAssets' })),
    entryAssets: String(await chain.readContract({ ...read, functionName: 'entryAssets' })),
    sharePrice: String(await convert(asset)),
    yieldToDateBps: Number((await convert(10_000n)) - 10_000n),
  }
}

/** A period as it was answered, its amounts and counts as integers and its start in Unix seconds. */
function asBigints(point: Record<string, unknown>): Record<string, bigint> {
  const entries = Object.entries(point).map(([name, value]) => [
    name,
    name === 'start' ? BigInt(Date.parse(String(value)) / 1000) : BigInt(String(value)),
  ])
  return Object.fromEntries(entries)
}
