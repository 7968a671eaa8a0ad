import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { CodedError, toCodedError, toProblem, validationFailed } from '../api/errors.ts'
import { freePort } from './support/anvil.ts'

/** What the driver really throws when nobody listens. */
async function refusedConnection(): Promise<unknown> {
  const client = new pg.Client({ host: 'localhost', port: await freePort() })
  return client.connect().catch((error: unknown) => error)
}

describe('what a caller is told of', () => {
  it('an expected error is its code, its detail and its facts', () => {
    const error = new CodedError('CLAIM_NOT_FOUND', 'No such claim.', { facts: { blockNumber: 7 } })
    expect(toProblem(toCodedError(error), 'request-1')).toEqual({
      type: '/docs#description/claim-not-found',
      title: 'No such claim',
      status: 404,
      detail: 'No such claim.',
      code: 'CLAIM_NOT_FOUND',
      requestId: 'request-1',
      blockNumber: 7,
    })
  })

  it('an error cannot be overwritten by a fact of the same name', () => {
    const error = new CodedError('CLAIM_NOT_FOUND', 'No such claim.', { facts: { status: 200, code: 'OK' } })
    expect(toProblem(error, 'request-1')).toMatchObject({ status: 404, code: 'CLAIM_NOT_FOUND' })
  })

  it('a bug is a masked 500', () => {
    for (const thrown of [new TypeError('secret of the house'), 'secret of the house', null, undefined]) {
      const problem = toProblem(toCodedError(thrown), 'request-1')
      expect(problem).toMatchObject({ status: 500, code: 'INTERNAL', requestId: 'request-1' })
      expect(JSON.stringify(problem)).not.toContain('house')
    }
  })

  it('a lost database is a 503 with a time to come back, a bad statement of ours is not', async () => {
    const unavailable = [
      await refusedConnection(),
      Object.assign(new Error('terminating connection'), { code: '57P01' }),
      Object.assign(new Error('connection failure'), { code: '08006' }),
      new Error('Connection terminated unexpectedly'),
      new Error('timeout exceeded when trying to connect'),
    ]
    for (const thrown of unavailable) {
      expect(toCodedError(thrown)).toMatchObject({ code: 'DATABASE_UNAVAILABLE', status: 503, retryAfter: 2 })
    }
    const ours = Object.assign(new Error('syntax error'), { code: '42601' })
    expect(toCodedError(ours)).toMatchObject({ code: 'INTERNAL', status: 500 })
  })

  it('a malformed request names every field', () => {
    const error = validationFailed([
      { path: 'limit', message: 'must be less' },
      { path: '', message: 'must be an object' },
    ])
    expect(error).toMatchObject({ status: 400, message: 'limit: must be less; must be an object' })
    expect(toProblem(error, 'request-1').errors).toHaveLength(2)
  })
})
