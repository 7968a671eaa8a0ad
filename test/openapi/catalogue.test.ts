import { describe, expect, it } from 'vitest'
import {
  CodedError,
  catalogue,
  type ErrorCode,
  errorCodes,
  problemType,
  toGraphqlExtensions,
  toProblem,
} from '../../api/errors.ts'

/** Interface specification, section 7. */
const SPECIFIED = {
  ROUTE_INTENT_UNAVAILABLE: 409,
  ROUTE_INTENT_NOT_FOUND: 404,
  ROUTE_INTENT_EXPIRED: 422,
  ROUTER_PAUSED: 422,
  LEG_NOT_FINANCEABLE: 422,
  ISSUER_INACTIVE: 422,
  VAULT_INACTIVE: 422,
  TOKEN_MISMATCH: 422,
  MANDATE_REJECTED: 422,
  TARGET_NO_LONGER_MET: 422,
  INSUFFICIENT_LIQUIDITY: 422,
  ROUTE_DEADLINE_TOO_SOON: 422,
} as const satisfies Partial<Record<ErrorCode, number>>

describe('the catalogue', () => {
  it('has every code of the specification with its status', () => {
    for (const [code, status] of Object.entries(SPECIFIED))
      expect(catalogue).toHaveProperty(`${code}.status`, status)
  })

  it('holds stable codes, error statuses and titles that are no two alike', () => {
    for (const [code, { status }] of Object.entries(catalogue)) {
      expect(code).toMatch(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/)
      expect(status).toBeGreaterThanOrEqual(400)
    }
    const titles = Object.values(catalogue).map(({ title }) => title)
    expect(titles).toEqual([...new Set(titles)])
    expect(titles.filter(({ length }) => length > 200)).toEqual([])
    expect(errorCodes.map(problemType).filter(({ length }) => length > 100)).toEqual([])
  })

  it('says the same of an error in REST and in GraphQL', () => {
    const error = new CodedError('RATE_LIMITED', 'Wait.', { facts: { have: '1' }, retryAfter: 7 })
    expect(toProblem(error, 'id')).toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      have: '1',
      requestId: 'id',
    })
    expect(toGraphqlExtensions(error, 'id')).toEqual({
      code: 'RATE_LIMITED',
      have: '1',
      retryAfter: 7,
      requestId: 'id',
    })
  })
})
