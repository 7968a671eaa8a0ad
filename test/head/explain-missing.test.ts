/** A claim that is registered and not final is missing with a reason, and with the time of the next try. */
import { describe, expect, it } from 'vitest'
import { CodedError } from '../../api/errors.ts'
import { explainMissing } from '../../api/head/explain-missing.ts'
import { claimId, eventOf, hashOf, otherClaim, viewOf } from './views.ts'

const missing = (id = claimId) =>
  new CodedError('CLAIM_NOT_FOUND', `No claim has the id ${id}.`, { facts: { claimId: id } })

const view = viewOf([
  eventOf('ClaimRegistered', 102n, { claimId: otherClaim }),
  eventOf('ClaimRegistered', 105n, { claimId }),
  eventOf('ClaimStateChanged', 107n, { claimId }),
])

/** @param milliseconds since 1970. Block 105 has the time 1105 and should be final at 2005. */
const explain = (thrown: Error, milliseconds = 2_001_500, latest = () => view) =>
  explainMissing({ head: { latest }, clock: () => milliseconds }, thrown)

describe('a claim that is not found', () => {
  it('has the block of its registration and the time at which the block should be final', () => {
    expect(explain(missing())).toMatchObject({
      code: 'CLAIM_NOT_FOUND',
      facts: {
        claimId,
        registeredBlock: 105,
        transactionHash: hashOf(9),
        expectedFinalAt: '1970-01-01T00:33:25Z',
      },
    })
  })

  it.each([
    [2_001_500, 4],
    [2_004_000, 1],
    [2_004_001, 1],
    [2_005_000, 1],
    [9_999_000, 1],
  ])('at %i ms should be asked for again in %i s, rounded up and at least one', (milliseconds, seconds) => {
    expect(explain(missing(), milliseconds)).toMatchObject({ retryAfter: seconds })
  })

  it('has no reason where no event registers it', () => {
    const thrown = missing(hashOf(7))
    expect(explain(thrown)).toBe(thrown)
  })

  it('has no reason without a view of the latest block', () => {
    const thrown = missing()
    expect(explainMissing({ head: { latest: () => undefined }, clock: () => 0 }, thrown)).toBe(thrown)
  })

  it('leaves any other error as it is', () => {
    const other = new CodedError('NOT_FOUND', 'No route has this path.', { facts: { claimId } })
    const plain = new Error('CLAIM_NOT_FOUND')
    expect([explain(other), explain(plain)]).toEqual([other, plain])
  })
})
