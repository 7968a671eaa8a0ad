import pg from 'pg'
import { describe, expect, it } from 'vitest'
import {
  CodedError,
  catalogue,
  chainUnavailable,
  claimNotFound,
  DETAIL_LENGTH_MAX,
  errorCodes,
  isOutOfTime,
  QUOTED_LENGTH,
  RESERVED_MEMBERS,
  shuttingDown,
  toCodedError,
  toGraphqlExtensions,
  toProblem,
  validationFailed,
} from '../api/errors.ts'
import { freePort } from './support/anvil.ts'

/** Codes of a server that is unavailable, and of sockets. */
const UNAVAILABLE = [
  ...['08000', '08006', '25006', '53100', '53200', '53300', '57P01', '57P02', '57P03', '57P05', '58030'],
  ...['ECONNABORTED', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
]
/** Codes of a statement or a transaction that took too long. */
const OUT_OF_TIME = ['57014', '25P03', '25P04']

/** @returns the error that the driver really throws when nobody listens */
async function refusedConnection(): Promise<unknown> {
  const client = new pg.Client({ host: 'localhost', port: await freePort() })
  return client.connect().catch((error: unknown) => error)
}

describe('the response to', () => {
  it('an expected error is its code, its detail and its facts', () => {
    const error = new CodedError('CLAIM_NOT_FOUND', 'No such claim.', { facts: { blockNumber: 7 } })
    expect(toProblem(toCodedError(error), 'request-1')).toEqual({
      type: '/docs/errors/CLAIM_NOT_FOUND',
      title: 'No such claim',
      status: 404,
      detail: 'No such claim.',
      code: 'CLAIM_NOT_FOUND',
      requestId: 'request-1',
      blockNumber: 7,
    })
  })

  it.each(RESERVED_MEMBERS)('an error has no fact named %s, which is a member of its own', (member) => {
    // A name that TypeScript refuses in a literal can still come from a record of any names.
    const facts: Record<string, string> = { [member]: 'a fact' }
    const error = new CodedError('CLAIM_NOT_FOUND', 'No such claim.', {
      facts,
      errors: [{ path: 'a', message: 'b' }],
      retryAfter: 7,
    })
    expect(Object.values(toProblem(error, 'request-1'))).not.toContain('a fact')
    expect(Object.values(toGraphqlExtensions(error, 'request-1'))).not.toContain('a fact')
  })

  it('an error with a fact of a reserved name does not compile', () => {
    // @ts-expect-error
    expect(new CodedError('INTERNAL', '', { facts: { status: 'CONSUMED' } }).facts).toEqual({})
  })

  it('a request with thousands of faults is the first 20 of them, each of a bounded length', () => {
    const faults = Array.from({ length: 5000 }, (_, i) => ({ path: `f${i}`, message: 'x'.repeat(10_000) }))
    const { errors = [], message } = validationFailed(faults)
    expect(errors.map(({ path }) => path)).toEqual(faults.slice(0, 20).map(({ path }) => path))
    expect(message).toMatch(/; and 4980 more$/)
    expect(JSON.stringify([errors, message]).length).toBeLessThan(25_000)
  })

  it('a request with the longest faults has all fields in its text, and no text is longer', () => {
    const fault = { path: 'p'.repeat(1000), message: 'm'.repeat(1000) }
    const { errors = [], message } = validationFailed(Array.from({ length: 99_999 }, () => fault))
    const [{ path = '', message: quoted = '' } = {}] = errors
    expect([path.length, quoted.length]).toEqual([QUOTED_LENGTH, QUOTED_LENGTH])
    expect(message).toMatch(/; and 99979 more$/)
    expect(new CodedError('INTERNAL', 'x'.repeat(DETAIL_LENGTH_MAX)).message).toHaveLength(DETAIL_LENGTH_MAX)
    expect(new CodedError('INTERNAL', 'x'.repeat(DETAIL_LENGTH_MAX + 1)).message).toHaveLength(
      DETAIL_LENGTH_MAX,
    )
  })

  it('a bug is a masked 500', () => {
    for (const thrown of [new TypeError('secret of the house'), 'secret of the house', null, undefined]) {
      const problem = toProblem(toCodedError(thrown), 'request-1')
      expect(problem).toMatchObject({ status: 500, code: 'INTERNAL', requestId: 'request-1' })
      expect(JSON.stringify(problem)).not.toContain('house')
    }
  })

  it('a lost database is a 503 with Retry-After, a bad statement of ours is not', async () => {
    const unavailable = [
      await refusedConnection(),
      Object.assign(new Error('terminating connection'), { code: '57P01' }),
      ...UNAVAILABLE.map((code) => Object.assign(new Error('of Postgres or of a socket'), { code })),
      ...OUT_OF_TIME.map((code) => Object.assign(new Error('its time is up'), { code })),
      // A name with several addresses, of which one refuses and another is out of order.
      new AggregateError([new Error('out of order'), Object.assign(new Error(''), { code: 'ECONNREFUSED' })]),
      new Error('Connection terminated unexpectedly'),
      new Error('timeout exceeded when trying to connect'),
      new Error('Query read timeout'),
      new Error('Client has encountered a connection error and is not queryable'),
    ]
    for (const thrown of unavailable) {
      expect(toCodedError(thrown)).toMatchObject({ code: 'DATABASE_UNAVAILABLE', status: 503, retryAfter: 2 })
    }
    for (const code of ['42601', '53', '53-100']) {
      const ours = Object.assign(new Error('syntax error'), { code })
      expect(toCodedError(ours)).toMatchObject({ code: 'INTERNAL', status: 500 })
    }
  })

  it('an outage of the chain and a process that stops state when to retry', () => {
    const cause = new Error('refused')
    const unavailable = chainUnavailable('No node answers.', cause)
    expect(unavailable).toMatchObject({ code: 'CHAIN_UNAVAILABLE', status: 503, retryAfter: 2, cause })
    expect(shuttingDown('The process stops.')).toMatchObject({ code: 'SHUTTING_DOWN', retryAfter: 1 })
  })

  it('a claim that is not found has the claim and the finalized block that was read', () => {
    const { facts, message } = claimNotFound('0xab', 42n)
    expect(facts).toEqual({ claimId: '0xab', blockNumber: 42 })
    expect(message).toMatch(/^No claim 0xab is registered at finalized block 42\./)
  })

  it('a read whose time is up is distinguished from a lost database: another server would take as long', () => {
    const withCode = (code: string) => Object.assign(new Error('of Postgres'), { code })
    expect(OUT_OF_TIME.map((code) => isOutOfTime(withCode(code)))).toEqual([true, true, true])
    expect(UNAVAILABLE.map((code) => isOutOfTime(withCode(code)))).not.toContain(true)
    expect([isOutOfTime(new Error('57014')), isOutOfTime('57014')]).toEqual([false, false])
  })

  it('a request with 20 faults is all of them, and with texts of 500 characters they are whole', () => {
    const fault = { path: 'p'.repeat(500), message: 'm'.repeat(500) }
    const { errors, message } = validationFailed(Array.from({ length: 20 }, () => fault))
    expect(errors).toEqual(Array(20).fill(fault))
    expect(message).not.toMatch(/more$/)
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

it('codes are listed by status', () => {
  const statuses = errorCodes.map((code) => catalogue[code].status)
  expect(statuses).toEqual(statuses.toSorted((a, b) => a - b))
  expect(new Set(statuses).size).toBeGreaterThan(5)
})
