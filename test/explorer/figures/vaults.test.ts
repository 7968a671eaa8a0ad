/** The figures and charts of vaults equal those that DuckDB makes of the lists behind them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Capital, capitalAt, changeOf, lastDays, NOTHING, priceOf } from './capital.ts'
import { LADDER, LADDER_COLUMNS, ladderOf } from './ladder.ts'
import { dueBefore, PAYMENTS } from './payments.ts'
import {
  type Figures,
  floor,
  numbersOf,
  openFigures,
  percent,
  sumOf,
  writeBps,
  writeDays,
} from './support.ts'

let the: Figures
let vaults: Vault[]

type Vault = { address: string; token: string; name: string; now: Capital }

beforeAll(async () => {
  the = await openFigures()
  const rows = await the.rowsOf('SELECT address, token, name FROM vaults')
  const known = new Map(rows.map(([address, token, name]) => [address, { token, name }]))
  vaults = (await capitalAt(the, `SELECT ${the.now} AS moment`)).map((now) => {
    const { token, name } = known.get(now.vault) ?? {}
    return { address: now.vault, token: token ?? '', name: name ?? '', now }
  })
})
afterAll(() => the?.stop())

const DAYS = 90
const lending = () => vaults.filter(({ now }) => now.face > 0n)
const overdueOf = (vault: string) => dueBefore(the, `a.vault = '${vault}'`)

/** Days until due and discounts of a claim type: of each 15th day, and of the last one, at most 365. */
async function curvesOf(where: string, type: string | null) {
  const rows = await the.rowsOf(`
    SELECT v.name, days, pricing_baseDiscountBps + days * pricing_durationBpsPerDay
      + coalesce(pricing_premiumBps[${type} + 1], 0)
    FROM vaults v, (SELECT unnest(range(0, 366)) AS days)
    WHERE ${where} AND list_contains(mandate_supportedTypes, ${type})
      AND days BETWEEN mandate_minDurationDays AND mandate_maxDurationDays
      AND ((days - mandate_minDurationDays) % 15 = 0 OR days = least(mandate_maxDurationDays, 365))`)
  return rows.map(([name, days, bps]) => [name, days, writeBps(bps)]).sort()
}

const typesOf = async (where: string) =>
  (
    await the.rowsOf(`
    SELECT DISTINCT claimType FROM claims
    WHERE claimType IN (SELECT unnest(mandate_supportedTypes) FROM vaults v WHERE ${where}) ORDER BY 1`)
  ).map(([type]) => type ?? '')

const CURVE = 'Discount by days until due'
const CURVE_COLUMNS = ['Vault', 'Days until due', 'Discount']

it('the table of vaults has their capital and terms, for each token', async () => {
  const tokens = new Set(vaults.map(({ token }) => token))
  expect(tokens.size).toBeGreaterThan(1)
  for (const token of tokens) {
    const { writeBare, decimals } = await the.writerOf(token)
    await the.go(`vaults?token=${token}`)
    const expected = []
    for (const { address, name, now } of vaults.filter((vault) => vault.token === token)) {
      const [[active, base, perDay, min, max] = []] = await the.rowsOf(`
        SELECT active, pricing_baseDiscountBps, pricing_durationBpsPerDay, mandate_minDurationDays, mandate_maxDurationDays
        FROM vaults WHERE address = '${address}'`)
      const { part, whole } = changeOf(now, NOTHING)
      expected.push({
        Vault: active === 'true' ? name : `${name} (inactive)`,
        Value: writeBare(now.assets),
        'One share': writeBare(priceOf(now, decimals)),
        'Free to lend': writeBare(now.idle),
        Utilization: percent(now.advance, now.idle + now.advance),
        Outstanding: writeBare(now.face),
        Overdue: writeBare(await overdueOf(address)),
        Return: percent(part, whole),
        Discount: writeBps(base),
        'Each day': writeBps(perDay),
        'Days to due': `${min} to ${max}`,
      })
    }
    const columns = Object.keys(expected[0] ?? {})
    const shown = await the.tableOf('Vaults', columns)
    expect(shown.sort()).toEqual(expected.map((row) => Object.values(row)).sort())
  }
})

it('the discounts of active vaults by days until due are those of their pricing, for each type', async () => {
  const [{ token } = { token: '' }] = lending()
  const where = `active AND token = '${token}'`
  const types = await typesOf(where)
  expect(types.length).toBeGreaterThan(1)
  for (const type of types) {
    await the.go(`vaults?token=${token}&type=${type}`)
    expect((await the.tableOf(CURVE, CURVE_COLUMNS)).sort()).toEqual(await curvesOf(where, type))
  }
})

describe('the page of each vault that is owed something', () => {
  it('has its capital, its losses and its returns, and its capital by day', async () => {
    const midnight = `date_trunc('day', to_timestamp(${the.now}))`
    const before = `SELECT epoch(${midnight} - INTERVAL '30 days')::BIGINT - 1 AS moment`
    let [losses, changing] = [0, 0]
    for (const { address, token, now } of lending()) {
      const { write, decimals } = await the.writerOf(token)
      const [then] = await capitalAt(the, before, address)
      if (!then) throw new Error('the vault is not listed')
      const [[first] = []] = await the.rowsOf(
        `SELECT epoch(min("at"))::BIGINT FROM capitalChanges WHERE vault = '${address}'`,
      )
      const month = changeOf(now, then, the.now - then.at)
      const toDate = changeOf(now, NOTHING, the.now - Number(first))
      if (now.lost > 0n) losses++
      const expected = {
        Value: write(now.assets),
        'Free to lend': write(now.idle),
        'Outstanding face': write(now.face),
        'Overdue face': write(await overdueOf(address)),
        'Written down': write(now.lost),
        Utilization: percent(now.advance, now.idle + now.advance),
        'Return per year, 30 days': percent(month.part, month.whole),
        'Return per year, to date': percent(toDate.part, toDate.whole),
      }
      await the.go(`vaults/${address}`)
      expect(await the.figuresOf(Object.keys(expected))).toEqual(Object.values(expected))

      const moments = lastDays(the.now, DAYS)
      const days = (await the.rowsOf(`SELECT day FROM (${moments}) ORDER BY 1`)).map(([day]) => day ?? '')
      const past = await capitalAt(the, `SELECT moment FROM (${moments})`, address)
      expect(past.length).toBe(DAYS + 1)
      if (new Set(past.map((capital) => priceOf(capital, decimals))).size > 2) changing++
      const rows = (value: (capital: Capital) => string) =>
        past.map((capital, index) => [days[index], value(capital)])
      for (const [title, value] of [
        ['Value of one share', (capital: Capital) => write(priceOf(capital, decimals))],
        ['Outstanding face', ({ face }: Capital) => write(face)],
        ['Utilization', ({ idle, advance }: Capital) => percent(advance, idle + advance)],
      ] as const)
        expect(await the.tableOf(title, ['From', title])).toEqual(rows(value))
    }
    expect(losses).toBeGreaterThan(1)
    expect(changing).toBeGreaterThan(1)
  })

  it('has its terms, and its discounts by days until due, for each type', async () => {
    const [vault] = await the.rowsOf(`
      SELECT address, token, mandate_maxClaimFace, mandate_maxIssuerFace, mandate_minDurationDays, mandate_maxDurationDays,
        pricing_baseDiscountBps, pricing_durationBpsPerDay
      FROM vaults ORDER BY len(mandate_supportedTypes) DESC, address LIMIT 1`)
    const [address, token, claim, issuer, min, max, base, perDay] = vault ?? []
    const { write } = await the.writerOf(token)
    const limit = (most: string | null | undefined) =>
      BigInt(most ?? 0) === 2n ** 256n - 1n ? 'no limit' : write(most)
    const expected = {
      'Most face of one claim': limit(claim),
      'Most face of one issuer': limit(issuer),
      'Days until due': `${min} to ${max}`,
      'Base discount': writeBps(base),
      'Discount per day': writeBps(perDay),
    }
    await the.go(`vaults/${address}`)
    expect(await the.figuresOf(Object.keys(expected), 'Terms')).toEqual(Object.values(expected))
    const where = `address = '${address}'`
    const types = await typesOf(where)
    expect(types.length).toBeGreaterThan(1)
    for (const type of types) {
      await the.go(`vaults/${address}?type=${type}`)
      expect((await the.tableOf(CURVE, CURVE_COLUMNS)).sort()).toEqual(await curvesOf(where, type))
    }
  })

  it('has what is owed to it by month, who owes it, and how these issuers pay', async () => {
    let issuersMax = 0
    for (const { address, token } of lending()) {
      const { write } = await the.writerOf(token)
      const slices = `
        SELECT issuer, faceAmount_decimal - repaidFace_decimal AS face, epoch(a.dueDate)::BIGINT - ${the.now} AS seconds,
          faceAmount_decimal, repaidFace_decimal, advanceAmount_decimal
        FROM allocations a JOIN claims c USING (claimId) WHERE vault = '${address}'`
      const issuers = await the.rowsOf(`
        SELECT issuer, sum(face) FROM (${slices}) GROUP BY issuer HAVING sum(face) > 0 ORDER BY 2 DESC, 1`)
      const [[seconds] = []] = await the.rowsOf(`SELECT sum(face::HUGEINT * seconds) FROM (${slices})`)
      const amounts = await the.rowsOf(
        `SELECT faceAmount_decimal, repaidFace_decimal, advanceAmount_decimal FROM (${slices})`,
      )
      const discounts = amounts.map((row) => {
        const [faceAmount = 0n, repaid = 0n, advance = 0n] = numbersOf(row)
        return faceAmount - repaid - (advance - (advance * repaid) / faceAmount)
      })
      const faces = issuers.map(([, face]) => BigInt(face ?? 0))
      const total = sumOf(faces)
      issuersMax = Math.max(issuersMax, issuers.length)
      const expected = []
      for (const [issuer, face] of issuers) {
        const [[late, paid] = []] = await the.rowsOf(`
          SELECT sum(face::HUGEINT * late), sum(face) FROM (${PAYMENTS}) WHERE issuer = '${issuer}' AND token = '${token}'`)
        const [faceDays = 0n, settled = 0n] = numbersOf([late ?? null, paid ?? null])
        expected.push([
          write(face),
          percent(BigInt(face ?? 0), total),
          settled > 0n ? writeDays((faceDays * 100n) / settled) : '–',
          write(await dueBefore(the, `c.issuer = '${issuer}' AND a.token = '${token}'`)),
        ])
      }
      await the.go(`vaults/${address}`)
      expect(await the.tableOf(LADDER, LADDER_COLUMNS)).toEqual(
        (await ladderOf(the, `a.vault = '${address}'`)).map(([due, face, advance, count]) => [
          due,
          write(face),
          write(advance),
          count,
        ]),
      )
      expect(await the.figuresOf(['Herfindahl index', 'Mean days until due', 'Mean discount'])).toEqual([
        percent(sumOf(faces.map((face) => face * face)), total * total),
        writeDays(floor(BigInt(seconds ?? 0) * 100n, total * 86_400n)),
        percent(sumOf(discounts), total, 'up'),
      ])
      const columns = ['Owes', 'Share', 'Pays late by (days, mean)', 'Overdue to all vaults']
      await expect.poll(() => the.tableOf('Issuers by outstanding face', columns)).toEqual(expected)
    }
    expect(issuersMax).toBeGreaterThan(1)
  })

  it('has the discounts of its latest slices', async () => {
    const [{ address, token } = { address: '', token: '' }] = lending()
    const { write } = await the.writerOf(token)
    const slices = await the.rowsOf(`
      SELECT claimId, faceAmount_decimal, advanceAmount_decimal FROM allocations WHERE vault = '${address}'`)
    const written = slices.map(([claim, ...amounts]) => {
      const [face = 0n, advance = 0n] = numbersOf(amounts)
      const ends = `${claim?.slice(0, 6)}…${claim?.slice(-4)}`
      return [ends, write(face), write(advance), percent(face - advance, face, 'up')].join()
    })
    await the.go(`vaults/${address}`)
    const shown = await the.tableOf('Latest slices', ['Claim', 'Face', 'Advance', 'Discount'])
    expect(shown.length).toBe(Math.min(15, slices.length))
    expect(written).toEqual(expect.arrayContaining(shown.map((row) => row.join())))
  })
})
