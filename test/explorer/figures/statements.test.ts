/** The balances and totals of statements equal those that DuckDB makes of the movements in the lists. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatAmount } from '../../../packages/client/src/index.ts'
import { type Figures, openFigures } from './support.ts'

let the: Figures

beforeAll(async () => {
  the = await openFigures()
})
afterAll(() => the?.stop())

/** Movements of a subject: account, unit, kind, amount and time. A unit is a token, or a vault with its shares. */
const MOVEMENTS: Record<string, (address: string) => string> = {
  vault: (address) => `
    SELECT 'idle' AS account, token AS unit, CASE kind WHEN 'FUNDING' THEN 'financed' ELSE lower(kind) END AS kind,
      CASE WHEN kind IN ('DEPOSIT', 'REPAYMENT') THEN amount_decimal ELSE -amount_decimal END AS amount, "at"
    FROM capitalChanges JOIN vaults v ON v.address = vault WHERE vault = '${address}'
    UNION ALL SELECT 'advanced', token, 'financed', advanceAmount_decimal, fundedAt FROM allocations WHERE vault = '${address}'
    UNION ALL SELECT 'advanced', token, 'repayment', discountAmount_decimal - amount_decimal, "at"
    FROM capitalChanges JOIN vaults v ON v.address = vault WHERE vault = '${address}' AND kind = 'REPAYMENT'
    UNION ALL SELECT 'issued', vault, lower(kind),
      CASE kind WHEN 'DEPOSIT' THEN shares_decimal ELSE -shares_decimal END, "at"
    FROM positionChanges WHERE vault = '${address}' AND kind IN ('DEPOSIT', 'WITHDRAWAL')`,
  issuer: (address) => `
    SELECT 'owed' AS account, token AS unit, 'claim registered' AS kind, faceValue_decimal AS amount, registeredAt AS "at"
    FROM claims WHERE issuer = '${address}'
    UNION ALL SELECT 'owed', c.token, 'claim revoked', -faceValue_decimal, a."at"
    FROM claims c JOIN activity a USING (claimId) WHERE issuer = '${address}' AND kind = 'CLAIM_REVOKED' AND state = 'REVOKED'
    UNION ALL SELECT 'owed', c.token, 'claim paid', -faceAmount_decimal, settledAt
    FROM settlements JOIN claims c USING (claimId) WHERE issuer = '${address}'`,
  wallet: (address) => `
    SELECT 'receivable' AS account, token AS unit, 'claim registered' AS kind, faceValue_decimal AS amount, registeredAt AS "at"
    FROM claims WHERE beneficiary = '${address}'
    UNION ALL SELECT 'receivable', c.token, 'claim revoked', -faceValue_decimal, a."at"
    FROM claims c JOIN activity a USING (claimId) WHERE beneficiary = '${address}' AND kind = 'CLAIM_REVOKED' AND state = 'REVOKED'
    UNION ALL SELECT unnest(['receivable', 'cash']), token, 'financed',
      unnest([-l.faceAmount_decimal, l.advanceAmount_decimal]), e.executedAt
    FROM executions e JOIN executionLegs l USING (executionId) WHERE "user" = '${address}'
    UNION ALL SELECT unnest(['receivable', 'cash']), token, 'claim paid',
      unnest([-beneficiaryAmount_decimal, beneficiaryAmount_decimal]), settledAt
    FROM settlements WHERE beneficiary = '${address}'
    UNION ALL SELECT 'cash', token, 'payment made', -faceAmount_decimal, settledAt FROM settlements WHERE payer = '${address}'
    UNION ALL SELECT 'cash', token, lower(kind),
      CASE kind WHEN 'DEPOSIT' THEN -assets_decimal ELSE assets_decimal END, "at"
    FROM positionChanges JOIN vaults v ON v.address = vault
    WHERE owner = '${address}' AND kind IN ('DEPOSIT', 'WITHDRAWAL')
    UNION ALL SELECT 'shares', vault, lower(kind),
      CASE kind WHEN 'DEPOSIT' THEN shares_decimal ELSE -shares_decimal END, "at"
    FROM positionChanges WHERE owner = '${address}' AND kind IN ('DEPOSIT', 'WITHDRAWAL')`,
}

/** The subjects of each kind that move most. */
const SUBJECTS: Record<string, string> = {
  vault: 'SELECT vault FROM capitalChanges GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 2',
  issuer: 'SELECT issuer FROM claims GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1',
  wallet: `
    (SELECT owner FROM positionChanges GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1) UNION ALL
    (SELECT "user" FROM executions GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1)`,
}

const DAY_MS = 86_400_000
const midnight = (daysAgo: number) =>
  `${new Date((Math.floor((the.now * 1000) / DAY_MS) - daysAgo) * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`

/** Writes an amount in the unit of a movement. */
async function writerOf(unit: string | null | undefined) {
  const [[decimals] = []] = await the.rowsOf(`SELECT shareDecimals FROM vaults WHERE address = '${unit}'`)
  if (!decimals) return (await the.writerOf(unit)).write
  const shares = { symbol: 'shares', decimals: Number(decimals) }
  return (amount: string | null | undefined) => formatAmount(amount ?? '', shares, { locale: 'en' })
}

it.each(Object.keys(SUBJECTS))(
  'the statement of one %s has its balances, and the sums of its movements',
  async (kind) => {
    const [from, to] = [midnight(60), midnight(0)]
    for (const [address] of await the.rowsOf(SUBJECTS[kind] ?? '')) {
      const movements = `SELECT * FROM (${MOVEMENTS[kind]?.(address ?? '')}) WHERE amount <> 0 AND "at" < '${to}'`
      const isWithin = `"at" >= '${from}'`
      const sumOf = (where: string, amount = 'amount') => `sum(CASE WHEN ${where} THEN ${amount} ELSE 0 END)`
      const balances = await the.rowsOf(`
      SELECT account, unit, ${sumOf(`NOT ${isWithin}`)} AS opening, ${sumOf(`${isWithin} AND amount > 0`)},
        ${sumOf(`${isWithin} AND amount < 0`, '-amount')}, sum(amount), ${sumOf(isWithin, '1')} AS count
      FROM (${movements}) GROUP BY account, unit HAVING opening <> 0 OR count > 0`)
      const expected = []
      for (const [account, unit, ...amounts] of balances) {
        const write = await writerOf(unit)
        expected.push([account, ...amounts.slice(0, -1).map(write), amounts.at(-1)])
      }
      await the.go(`statements/${kind}/${address}?${new URLSearchParams({ from, to })}`)
      const columns = ['Account', 'Opening', 'Increases', 'Decreases', 'Closing', 'Movements']
      expect((await the.tableOf('Balances', columns)).sort()).toEqual(expected.sort())

      const totals = await the.rowsOf(`
      SELECT account, kind, unit, count(*), sum(amount) FROM (${movements}) WHERE ${isWithin} GROUP BY account, kind, unit`)
      expect(totals.length).toBeGreaterThan(1)
      const sums = []
      for (const [account, movement, unit, count, sum] of totals)
        sums.push([account, movement, count, (await writerOf(unit))(sum)])
      expect((await the.tableOf('Totals by kind', ['Account', 'Kind', 'Movements', 'Sum'])).sort()).toEqual(
        sums.sort(),
      )
    }
  },
)
