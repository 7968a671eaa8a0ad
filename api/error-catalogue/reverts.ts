/**
 * Errors of the contracts that a prepared transaction can meet after its preparation, and what is said of them. Most
 * are conditions for which the gateway refuses the preparation, too: the entry of that code has cause and remedy.
 */
import { issueCatalogue } from '../domain/issues.ts'
import { catalogue, type ErrorCode } from './index.ts'

const refusedAs = {
  EnforcedPause: 'ROUTER_PAUSED',
  UnknownClaim: 'CLAIM_NOT_FOUND',
  NotBeneficiary: 'LEG_NOT_FINANCEABLE',
  ClaimNotFinanceable: 'LEG_NOT_FINANCEABLE',
  NoSlicesRemaining: 'LEG_NOT_FINANCEABLE',
  FaceExceedsRemaining: 'LEG_NOT_FINANCEABLE',
  ClaimPastDue: 'LEG_NOT_FINANCEABLE',
  IssuerInactive: 'ISSUER_INACTIVE',
  VaultInactive: 'VAULT_INACTIVE',
  TokenMismatch: 'TOKEN_MISMATCH',
  MixedTokens: 'MIXED_TOKENS',
  TypeNotSupported: 'MANDATE_REJECTED',
  DurationBelowMinimum: 'MANDATE_REJECTED',
  DurationExceeded: 'MANDATE_REJECTED',
  BelowMinimumLot: 'MANDATE_REJECTED',
  AboveMaximumLot: 'MANDATE_REJECTED',
  AboveMaximumClaimFace: 'MANDATE_REJECTED',
  InsufficientLiquidity: 'INSUFFICIENT_LIQUIDITY',
  AdvanceBelowMinimum: 'TARGET_NO_LONGER_MET',
  TargetNotMet: 'TARGET_NO_LONGER_MET',
  TotalFaceExceeded: 'TARGET_NO_LONGER_MET',
  ClaimNotSettleable: 'CLAIM_NOT_SETTLEABLE',
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
} as const satisfies Readonly<Record<string, ErrorCode>>

type Help = {
  /** With which the gateway refuses to prepare the transaction; null where it cannot know. */
  readonly code: ErrorCode | null
  readonly cause: string
  readonly fix: string
}

/** Conditions that come true after the preparation, or that the gateway reports as issues. */
const others = {
  DeadlineExpired: {
    cause: 'The deadline of the prepared transaction has passed.',
    fix: 'Prepare it again and sign at once.',
  },
  InvalidAccountNonce: {
    cause:
      'The nonce of the route is used up: another route of the wallet was executed, or its routes were cancelled.',
    fix: 'Optimize again.',
  },
  InvalidRouteSignature: {
    cause: 'The signature is not that of the user of the route.',
    fix: 'Sign with the wallet that the route was prepared for.',
  },
  AmountExceedsMaximum: {
    cause: 'The transaction would pay more than its maximum.',
    fix: 'Prepare the settlement again.',
  },
  ERC20InsufficientBalance: {
    cause: issueCatalogue.BALANCE_TOO_LOW,
    fix: 'Fund the wallet with the token.',
  },
  ERC20InsufficientAllowance: {
    cause: 'The wallet has approved less of the token than the transaction takes.',
    fix: 'Send `approvals` first, in order.',
  },
  SafeERC20FailedOperation: {
    cause: 'The token refused a transfer.',
    fix: 'Ask the issuer of the token: it may be paused, or may block an account.',
  },
} as const

/** By name of the error. */
export const reverts: Readonly<Record<string, Help>> = {
  ...Object.fromEntries(
    Object.entries(refusedAs).map(([name, code]) => {
      const { cause, fix } = catalogue[code]
      return [name, { code, cause, fix }]
    }),
  ),
  ...Object.fromEntries(Object.entries(others).map(([name, help]) => [name, { code: null, ...help }])),
}
