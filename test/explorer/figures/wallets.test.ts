/** The figures of wallets equal those that DuckDB makes of the lists behind them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assetsOf, capitalAt } from './capital.ts'
import { type Figures, floor, numbersOf, openFigures, writeBps } from './support.ts'

let the: Figures

beforeAll(async () => {
  the = await openFigures()
})
afterAll(() => the?.stop())

it('a wallet has the value, the cost, the gain and the return of its shares', async () => {
  const capital = await capitalAt(the, `SELECT ${the.now} AS moment`)
  const owners = await the.rowsOf(
    'SELECT owner FROM positionChanges GROUP BY owner ORDER BY count(*) DESC, owner LIMIT 2',
  )
  const returns = new Set<string>()
  for (const [owner] of owners) {
    const ofKinds = (value: string, ...kinds: string[]) =>
      `sum(CASE WHEN kind IN ('${kinds.join("', '")}') THEN ${value} ELSE 0 END)`
    const positions = await the.rowsOf(`
      SELECT vault, any_value(token), any_value(name),
        ${ofKinds('shares_decimal', 'DEPOSIT', 'RECEIVED')} - ${ofKinds('shares_decimal', 'WITHDRAWAL', 'SENT')} AS shares,
        arg_max(costBasisAfter, blockNumber),
        ${ofKinds('assets_decimal', 'DEPOSIT', 'RECEIVED')}, ${ofKinds('assets_decimal', 'WITHDRAWAL', 'SENT')}
      FROM positionChanges JOIN vaults v ON v.address = vault WHERE owner = '${owner}' GROUP BY vault HAVING shares > 0`)
    const expected = []
    for (const [vault, token, name, ...amounts] of positions) {
      const [shares = 0n, cost = 0n, paid = 0n, proceeds = 0n] = numbersOf(amounts)
      const { write } = await the.writerOf(token)
      const own = capital.find((capital) => capital.vault === vault)
      if (!own) throw new Error('the vault is not listed')
      const value = assetsOf(own, shares)
      // The most shares whose value is idle.
      const covered = floor((own.idle + 1n) * (own.shares + 1_000_000n) + own.assets, own.assets + 1n) - 1n
      const free = assetsOf(own, covered < shares ? covered : shares)
      const gain = value + proceeds - paid
      returns.add(writeBps(floor(gain * 10_000n, paid)))
      expected.push([
        name,
        write(value),
        write(free),
        write(cost),
        write(gain),
        writeBps(floor(gain * 10_000n, paid)),
      ])
    }
    expect(expected.length).toBeGreaterThan(1)
    await the.go(`wallets/${owner}`)
    const columns = ['Vault', 'Value', 'Can be withdrawn now', 'Cost', 'Gain', 'Return']
    const shown = await the.tableOf('Shares of vaults', columns)
    expect(shown.filter(([, value]) => !value?.startsWith('0.00 ')).sort()).toEqual(expected.sort())
  }
  expect(returns.size).toBeGreaterThan(2)
})

it('lenders of a vault have the value of their shares', async () => {
  for (const capital of await capitalAt(the, `SELECT ${the.now} AS moment`)) {
    const [[token] = []] = await the.rowsOf(`SELECT token FROM vaults WHERE address = '${capital.vault}'`)
    const { write } = await the.writerOf(token)
    const owners = await the.rowsOf(`
      SELECT owner, sum(CASE WHEN kind IN ('DEPOSIT', 'RECEIVED') THEN shares_decimal ELSE -shares_decimal END) AS shares
      FROM positionChanges WHERE vault = '${capital.vault}' GROUP BY owner HAVING shares > 0 ORDER BY shares DESC, owner`)
    await the.go(`vaults/${capital.vault}`)
    expect((await the.tableOf('Lenders', ['Wallet', 'Value'])).sort()).toEqual(
      owners
        .map(([owner, shares]) => [
          `${owner?.slice(0, 6)}…${owner?.slice(-4)}`,
          write(assetsOf(capital, BigInt(shares ?? 0))),
        ])
        .sort(),
    )
  }
})
