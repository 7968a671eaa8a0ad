/** Series against the same figures added up in bigint from the raw rows, period by period of the calendar. */
import { afterAll, describe, expect, it } from 'vitest'
import { divide } from '../../api/domain/paid-shares.ts'
import { createPool, createProjectionDb } from '../../api/projection/session/database.ts'
import { sum } from '../support/sum.ts'
import { sharedWorld } from '../support/world.ts'
import { iso, next, type Period, startOf } from './calendar.ts'
import { createClient } from './client.ts'

const { ask, takeStatements, stop } = createClient(sharedWorld().databaseUrl)
const pool = createPool(sharedWorld().databaseUrl, 1)
const db = createProjectionDb(pool)
afterAll(async () => {
  await stop()
  await pool.end()
})

const claims = await db.selectFrom('claim').selectAll().execute()
const allocations = await db.selectFrom('allocation').selectAll().execute()
const settlements = await db.selectFrom('settlement').selectAll().orderBy('id').execute()
const executions = await db.selectFrom('execution').selectAll().execute()
const changes = await db.selectFrom('capitalChange').selectAll().orderBy('id').execute()
const vaults = await db.selectFrom('vault').selectAll().execute()
const issuers = await db.selectFrom('issuer').selectAll().execute()
const tokens = [...new Set(vaults.map(({ token }) => token))]
const [begin = 0n] = claims.map(({ registeredAt }) => registeredAt).sort((a, b) => Number(a - b))

/** A rate of nothing is null. */
const up = (numerator: bigint, denominator: bigint) =>
  denominator === 0n ? null : Number((numerator + denominator - 1n) / denominator)

type Within = (at: bigint | null) => boolean
/** A change of what a vault is owed. */
type Part = { vault: string; issuer: string; token: string; at: bigint; face: bigint; advance: bigint }

const fundings = allocations.map((row): Part => {
  const { vault, issuer, token, fundedAt: at, faceAmount: face, advanceAmount: advance } = row
  return { vault, issuer, token, at, face, advance }
})

const repayments = claims.flatMap((claim) => {
  const slices = allocations.filter(({ claimId }) => claimId === claim.id)
  slices.sort((one, other) => one.sliceIndex - other.sliceIndex)
  let paidFaceValue = 0n
  let before = slices.map(() => 0n)
  return settlements
    .filter(({ claimId }) => claimId === claim.id)
    .flatMap(({ at, faceAmount }) => {
      paidFaceValue += faceAmount
      const after = divide(slices, { faceValue: claim.faceValue, paidFaceValue }).shares
      const parts = slices.map(({ vault, issuer, token, ...slice }, i): Part => {
        const [from = 0n, to = 0n] = [before[i], after[i]]
        const advanceOf = (face: bigint) => (slice.advanceAmount * face) / slice.faceAmount
        return { vault, issuer, token, at, face: to - from, advance: advanceOf(to) - advanceOf(from) }
      })
      before = after
      return parts
    })
})

const faceOf = (parts: readonly Part[]) => sum(parts.map(({ face }) => face))
const advanceOf = (parts: readonly Part[]) => sum(parts.map(({ advance }) => advance))

/** Figures of every series for a period that ends before `end`. */
function financing(isOwn: (part: Part) => boolean, within: Within, end: bigint) {
  const [funded, repaid] = [fundings.filter(isOwn), repayments.filter(isOwn)]
  const until = (parts: readonly Part[]) => parts.filter(({ at }) => at < end)
  const during = (parts: readonly Part[]) => parts.filter(({ at }) => within(at))
  const [face, advance] = [faceOf(during(funded)), advanceOf(during(funded))]
  return {
    faceFinanced: String(face),
    advanced: String(advance),
    effectiveDiscountBps: up((face - advance) * 10_000n, face),
    faceRepaid: String(faceOf(during(repaid))),
    discountEarned: String(faceOf(during(repaid)) - advanceOf(during(repaid))),
    outstandingFace: String(faceOf(until(funded)) - faceOf(until(repaid))),
    outstandingAdvance: String(advanceOf(until(funded)) - advanceOf(until(repaid))),
  }
}

function capital(own: readonly string[], within: Within, end: bigint) {
  const moved = (kind: string) =>
    String(
      sum(
        changes.filter((c) => own.includes(c.vault) && c.kind === kind && within(c.at)).map((c) => c.amount),
      ),
    )
  const last = own.map((vault) =>
    changes.filter((change) => change.vault === vault && change.at < end).at(-1),
  )
  const idle = sum(last.map((change) => change?.idleAssets ?? 0n))
  const advanced = sum(last.map((change) => change?.outstandingAdvance ?? 0n))
  const repaid = repayments.filter(({ vault, at }) => own.includes(vault) && at < end)
  return {
    deposited: moved('DEPOSIT'),
    withdrawn: moved('WITHDRAWAL'),
    idleAssets: String(idle),
    assetsAtCost: String(idle + advanced),
    discountEarnedToDate: String(faceOf(repaid) - advanceOf(repaid)),
    utilizationBps: idle + advanced === 0n ? 0 : Number((advanced * 10_000n) / (idle + advanced)),
  }
}

function registering(own: (row: { token: string; issuer: string }) => boolean, within: Within) {
  const registered = claims.filter((claim) => own(claim) && within(claim.registeredAt))
  const settled = settlements.filter((row) => own(row) && within(row.at))
  return {
    claimsRegistered: registered.length,
    faceRegistered: String(sum(registered.map(({ faceValue }) => faceValue))),
    settlements: settled.length,
    faceSettled: String(sum(settled.map(({ faceAmount }) => faceAmount))),
  }
}

/** One entry for each period from the one of `from` to the one of `last`. */
function expected<Figures>(
  period: Period,
  from: bigint,
  last: bigint,
  figures: (within: Within, end: bigint) => Figures,
) {
  const points: (Figures & { start: string })[] = []
  for (let start = startOf(period, from); start <= last; start = next(period, start)) {
    const end = next(period, start)
    const within: Within = (at) => at !== null && at >= start && at < end
    points.push({ start: iso(start), ...figures(within, end) })
  }
  return points
}

const FINANCING =
  'start faceFinanced advanced effectiveDiscountBps faceRepaid discountEarned outstandingFace outstandingAdvance'
const CAPITAL = 'deposited withdrawn idleAssets assetsAtCost discountEarnedToDate utilizationBps'
const CLAIMS = 'claimsRegistered faceRegistered settlements faceSettled'

async function finalizedAt(): Promise<bigint> {
  const { data } = await ask('{ _meta { finalizedThrough { timestamp } } }')
  return BigInt(Date.parse(data._meta.finalizedThrough.timestamp) / 1000)
}

describe('a series', () => {
  for (const period of ['day', 'week', 'month'] as const) {
    it(`of the market per ${period} says what happened, carries on what was there, and leaves no gap`, async () => {
      const last = await finalizedAt()
      for (const token of tokens) {
        const { data } = await ask(
          `query ($token: Address!, $from: DateTime) { marketSeries(token: $token, period: ${period}, from: $from) { ${FINANCING} ${CAPITAL} ${CLAIMS} executions } }`,
          { token, from: iso(begin) },
        )
        const own = vaults.filter((vault) => vault.token === token).map(({ address }) => address)
        expect(data.marketSeries).toEqual(
          expected(period, begin, last, (within, end) => ({
            ...financing((part) => part.token === token, within, end),
            ...capital(own, within, end),
            ...registering((row) => row.token === token, within),
            executions: executions.filter((row) => row.token === token && within(row.at)).length,
          })),
        )
      }
    })

    it(`of every vault and issuer per ${period} says the same of their own`, async () => {
      const last = await finalizedAt()
      const [token = ''] = tokens
      const { data } = await ask(
        `query ($token: Address!) {
          vaults(first: 20) { nodes { address series(period: ${period}) { ${FINANCING} ${CAPITAL} allocations } } }
          issuers(first: 20) { nodes { address series(token: $token, period: ${period}) { ${FINANCING} ${CLAIMS} allocations } } }
        }`,
        { token },
      )
      expect([data.vaults.nodes.length, data.issuers.nodes.length]).toEqual([vaults.length, issuers.length])
      let from = startOf(period, last)
      for (let i = 1; i < 30; i += 1) from = startOf(period, from - 1n)
      for (const { address, series } of data.vaults.nodes) {
        const own = ({ vault }: { vault: string }) => vault === address
        expect(series).toEqual(
          expected(period, from, last, (within, end) => ({
            ...financing(own, within, end),
            ...capital([address], within, end),
            allocations: fundings.filter((part) => own(part) && within(part.at)).length,
          })),
        )
      }
      for (const { address, series } of data.issuers.nodes) {
        const own = (row: { token: string; issuer: string }) => row.issuer === address && row.token === token
        expect(series).toEqual(
          expected(period, from, last, (within, end) => ({
            ...financing(own, within, end),
            ...registering(own, within),
            allocations: fundings.filter((part) => own(part) && within(part.at)).length,
          })),
        )
      }
    })
  }

  it('begins and ends with whole periods, whenever within them its bounds are', async () => {
    const [token = ''] = tokens
    const middle = begin + ((await finalizedAt()) - begin) / 2n
    const query =
      'query ($token: Address!, $from: DateTime, $to: DateTime) { marketSeries(token: $token, period: month, from: $from, to: $to) { start claimsRegistered advanced } }'
    const month = startOf('month', middle)
    const whole = await ask(query, { token, from: iso(month), to: iso(next('month', month)) })
    expect(whole.data.marketSeries).toHaveLength(1)
    expect(whole.data.marketSeries[0].start).toBe(iso(month))
    expect((await ask(query, { token, from: iso(month + 77n), to: iso(month + 78n) })).data).toEqual(
      whole.data,
    )
    const future = await ask(query, { token, from: '2100-01-01T00:00:00Z', to: '2100-02-01T00:00:00Z' })
    expect(future.data.marketSeries).toEqual([])
  })

  it('is one statement for all parents', async () => {
    takeStatements()
    await ask('{ vaults(first: 50) { nodes { series { advanced overdueFace sharePrice } } } }')
    expect(takeStatements().filter((text) => text.includes('"projection"'))).toHaveLength(1)
  })

  it('is refused where its range is empty or too long, with the field at fault', async () => {
    const query =
      'query ($token: Address!, $from: DateTime, $to: DateTime) { marketSeries(token: $token, from: $from, to: $to) { start } }'
    const [token = ''] = tokens
    for (const range of [
      { from: '2024-01-02T00:00:00Z', to: '2024-01-02T00:00:00Z' },
      { from: '2019-01-01T00:00:00Z' },
      { from: '2019-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z' },
    ]) {
      const { errors } = await ask(query, { token, ...range })
      expect(errors?.[0].extensions).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'from' }] })
    }
    const everything =
      '{ vaults(first: 200) { nodes { series(from: "2024-01-01T00:00:00Z", to: "2025-01-01T00:00:00Z") { advanced } } } }'
    expect((await ask(everything)).errors?.[0].extensions.code).toBe('QUERY_TOO_COMPLEX')
  })
})
