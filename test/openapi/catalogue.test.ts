import { describe, expect, it } from 'vitest'
import { reverts } from '../../api/error-catalogue/reverts.ts'
import {
  CodedError,
  catalogue,
  type ErrorCode,
  errorCodes,
  problemType,
  toGraphqlExtensions,
  toProblem,
} from '../../api/errors.ts'
import { CHANGES } from '../flow/financing-changes.ts'

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

/** Clients and proxies act by the status. All other codes are 422: requests that the contracts would refuse. */
const STATUSES: { readonly [status: number]: readonly string[] } = {
  400: [
    'AGGREGATE_TOO_WIDE',
    'DOCUMENT_NOT_REGISTERED',
    'GRAPHQL_PARSE_FAILED',
    'GRAPHQL_VALIDATION_FAILED',
    'NOT_IN_PAST',
    'QUERY_TOO_COMPLEX',
    'READ_TOO_SLOW',
    'STATEMENT_TOO_LONG',
    'VALIDATION_FAILED',
  ],
  401: [
    'NONCE_EXPIRED',
    'NONCE_INVALID',
    'NONCE_USED',
    'SIWE_CHAIN_MISMATCH',
    'SIWE_DOMAIN_MISMATCH',
    'SIWE_MESSAGE_EXPIRED',
    'SIWE_MESSAGE_INVALID',
    'SIWE_MESSAGE_NOT_YET_VALID',
    'SIWE_SIGNATURE_INVALID',
    'SIWE_URI_MISMATCH',
    'UNAUTHENTICATED',
  ],
  403: ['CSRF_TOKEN_INVALID', 'CURATOR_MISMATCH', 'ISSUER_MISMATCH', 'ORIGIN_NOT_ALLOWED'],
  404: [
    'CLAIM_NOT_FOUND',
    'EXECUTION_NOT_FOUND',
    'ISSUER_NOT_FOUND',
    'NOT_FOUND',
    'ROUTE_INTENT_NOT_FOUND',
    'VAULT_NOT_FOUND',
  ],
  405: ['METHOD_NOT_ALLOWED'],
  409: ['AS_OF_NOT_FINAL', 'ROUTE_INTENT_UNAVAILABLE'],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  429: [
    'ANSWERS_UNREAD',
    'RATE_LIMITED',
    'TOO_MANY_EXPORTS',
    'TOO_MANY_READS',
    'TOO_MANY_SIGN_INS',
    'TOO_MANY_SUBSCRIPTIONS',
  ],
  500: ['INTERNAL'],
  503: [
    'CHAIN_BEHIND',
    'CHAIN_UNAVAILABLE',
    'DATABASE_UNAVAILABLE',
    'EXPORTS_BUSY',
    'NOT_READY',
    'OPTIMIZER_BUSY',
    'OPTIMIZER_EXHAUSTED',
    'PROJECTION_BEHIND',
    'PROJECTION_DIFFERS',
    'READS_BUSY',
    'SHUTTING_DOWN',
    'SIGN_INS_BUSY',
    'SUBSCRIPTIONS_EXHAUSTED',
  ],
}

describe('the catalogue', () => {
  it('has every code with its status', () => {
    const others = errorCodes.filter((code) => catalogue[code].status !== 422)
    const codes = Map.groupBy(others, (code) => catalogue[code].status)
    expect(Object.fromEntries([...codes].map(([status, own]) => [status, own.toSorted()]))).toEqual(STATUSES)
  })

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

  it('lets a refused request be repeated where time or an operator can remove the reason, and only there', () => {
    const refusals = errorCodes.filter((code) => catalogue[code].status === 422)
    expect(refusals.filter((code) => catalogue[code].isRetryable).toSorted()).toEqual([
      'CLAIM_NOT_MATURED',
      'NOTICE_NOT_OVER',
      'ROUTER_PAUSED',
    ])
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

describe('the errors of the contracts', () => {
  it('of a financing have the codes with which it is refused before', () => {
    for (const { contract, code } of CHANGES)
      expect([contract, reverts[contract]?.code]).toEqual([contract, code])
  })

  it('of other calls have the codes with which they are refused before; null where the gateway cannot know', () => {
    const ofFinancing = new Set(CHANGES.map(({ contract }) => contract))
    const others = Object.entries(reverts).filter(([name]) => !ofFinancing.has(name))
    expect(Object.fromEntries(others.map(([name, { code }]) => [name, code]))).toEqual({
      UnknownClaim: 'CLAIM_NOT_FOUND',
      NotBeneficiary: 'LEG_NOT_FINANCEABLE',
      MixedTokens: 'MIXED_TOKENS',
      TargetNotMet: 'TARGET_NO_LONGER_MET',
      TotalFaceExceeded: 'TARGET_NO_LONGER_MET',
      ClaimNotSettleable: 'CLAIM_NOT_SETTLEABLE',
      ClaimNotDue: 'CLAIM_NOT_MATURED',
      ClaimNotRevocable: 'CLAIM_NOT_REVOCABLE',
      NoCredit: 'NO_CREDIT',
      NotIssuer: 'ISSUER_MISMATCH',
      AttestationExpired: 'ATTESTATION_EXPIRED',
      CancelledAttestation: 'ATTESTATION_CANCELLED',
      ClaimAlreadyRegistered: 'CLAIM_ALREADY_REGISTERED',
      InvalidBeneficiary: 'BENEFICIARY_INVALID',
      TokenNotListed: 'TOKEN_NOT_LISTED',
      InvalidFaceValue: 'FACE_VALUE_TOO_LARGE',
      DueDateNotInFuture: 'DUE_DATE_NOT_IN_FUTURE',
      InvalidAttestationSignature: 'ATTESTATION_SIGNATURE_INVALID',
      DeadlineExpired: null,
      InvalidAccountNonce: null,
      InvalidRouteSignature: null,
      BelowMinimum: null,
      AboveMaximum: null,
      NoShares: 'AMOUNT_TOO_SMALL',
      ERC4626ExceededMaxDeposit: 'AMOUNT_TOO_LARGE',
      ERC4626ExceededMaxMint: 'AMOUNT_TOO_LARGE',
      ERC4626ExceededMaxWithdraw: null,
      ERC4626ExceededMaxRedeem: null,
      NoPendingTerms: 'NO_PENDING_TERMS',
      NoticeNotOver: 'NOTICE_NOT_OVER',
      OwnableUnauthorizedAccount: 'CURATOR_MISMATCH',
      AmountExceedsMaximum: null,
      ERC20InsufficientBalance: null,
      ERC20InsufficientAllowance: null,
      SafeERC20FailedOperation: null,
    })
  })
})
