/** Payment records over a history, against the claims and payments that the logs of the contracts make. */
import { expect, it } from 'vitest'
import { iso, next, startOf } from '../graphql/calendar.ts'
import { sum } from '../support/sum.ts'
import { nowOf } from './agreement-series.ts'
import { ask, DAY, type Indexed } from './indexed.ts'
import { dayOf } from './truth/history.ts'
import { paymentsOf } from './truth/records.ts'
import type { Truth } from './truth/tables.ts'

const MONTHS = 3

/** @param indexed what is there once the tests run */
export function describeRecords(indexed: () => Indexed): void {
  it('has the claims that are due and not paid, and the months in which claims were paid', async () => {
    const { history, truth } = indexed()
    const now = await nowOf(indexed())
    const payments = paymentsOf(history, truth.claim)
    const found = new Set<string>()
    for (const { issuer, token } of truth.payment_record) {
      const query = `{ issuer(address: "${issuer}") { paymentRecord(token: "${token}") { outstanding overdue impaired cohorts(months: ${MONTHS}) { month face paid } } } }`
      const { paymentRecord } = (await ask(indexed(), query)).issuer
      const claims = truth.claim.filter(
        (claim) => claim.issuer === issuer && claim.token === token && claim.state !== 'REVOKED',
      )
      const unpaid = (own: Truth['claim']) =>
        sum(own.map((claim) => claim.face_value - claim.paid_face_value))
      const worthlessAt = (claim: Truth['claim'][number]) => dayOf(claim.due_at) + 91n * DAY
      const recovered = payments.filter(({ claim, at }) => claims.includes(claim) && at >= worthlessAt(claim))
      const worthless = claims.filter((claim) => worthlessAt(claim) <= now)
      const months = Array.from({ length: MONTHS - 1 }).reduce<bigint[]>(
        (later) => [startOf('month', (later[0] ?? 0n) - 1n), ...later],
        [startOf('month', now)],
      )
      const cohorts = months.map((month) => {
        const own = claims.filter((claim) => startOf('month', claim.registered_at) === month)
        const paid: string[] = []
        for (let start = month; start <= now; start = next('month', start)) {
          const within = payments.filter(
            ({ claim, at }) => own.includes(claim) && startOf('month', at) === start,
          )
          paid.push(String(sum(within.map(({ face }) => face))))
        }
        return { month: iso(month), face: String(sum(own.map((claim) => claim.face_value))), paid }
      })
      const expected = {
        outstanding: unpaid(claims),
        overdue: unpaid(claims.filter((claim) => claim.due_at < now)),
        impaired: unpaid(worthless) + sum(recovered.map(({ face }) => face)),
      }
      const amounts = Object.entries(expected).map(([name, value]) => [name, String(value)])
      expect(paymentRecord).toEqual({ ...Object.fromEntries(amounts), cohorts })
      for (const [name, value] of Object.entries(expected)) if (value > 0n) found.add(name)
    }
    expect([...found].sort()).toEqual(['impaired', 'outstanding', 'overdue'])
  })
}
