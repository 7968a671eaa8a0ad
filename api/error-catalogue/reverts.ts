/**
 * Errors of the contracts that a prepared transaction can meet after its preparation, with their causes and fixes. Most
 * are conditions for which the gateway also refuses the preparation.
 */
import { issueCatalogue } from '../domain/issues.ts'
import { catalogue, type ErrorCode } from './index.ts'

type Help = {
  /** The code with which the gateway refuses the preparation; null where it cannot know. */
  readonly code: ErrorCode | null
  readonly cause: string
  readonly fix: string
}

/** By name of the error. */
export const reverts: Readonly<Record<string, Help>> = {
  EnforcedPause: sameAs('ROUTER_PAUSED'),
  UnknownClaim: sameAs('CLAIM_NOT_FOUND'),
  NotBeneficiary: {
    code: 'LEG_NOT_FINANCEABLE',
    cause: 'The wallet is not the beneficiary of a claim.',
    fix: 'Choose claims of the wallet.',
  },
  ClaimNotFinanceable: {
    code: 'LEG_NOT_FINANCEABLE',
    cause: 'A claim is fully funded, closed, settled or revoked.',
    fix: 'Read the claim, and choose another one.',
  },
  NoSlicesRemaining: {
    code: 'LEG_NOT_FINANCEABLE',
    cause: 'All slices of a claim are used.',
    fix: 'Choose another claim.',
  },
  FaceExceedsRemaining: {
    code: 'LEG_NOT_FINANCEABLE',
    cause: 'A claim has less face left than the transaction finances.',
    fix: 'Optimize again, or finance less face.',
  },
  ClaimPastDue: { code: 'LEG_NOT_FINANCEABLE', cause: 'A claim is due.', fix: 'Choose another claim.' },
  IssuerInactive: sameAs('ISSUER_INACTIVE'),
  VaultInactive: sameAs('VAULT_INACTIVE'),
  TokenMismatch: sameAs('TOKEN_MISMATCH'),
  MixedTokens: sameAs('MIXED_TOKENS'),
  TypeNotSupported: {
    code: 'MANDATE_REJECTED',
    cause: 'A vault does not finance claims of this type.',
    fix: 'Choose another vault, or optimize again.',
  },
  DurationBelowMinimum: {
    code: 'MANDATE_REJECTED',
    cause: 'A claim is due sooner than the mandate of the vault allows.',
    fix: 'Choose another vault, or optimize again.',
  },
  DurationExceeded: {
    code: 'MANDATE_REJECTED',
    cause: 'A claim is due later than the mandate of the vault allows.',
    fix: 'Choose another vault, or optimize again.',
  },
  BelowMinimumLot: {
    code: 'MANDATE_REJECTED',
    cause: 'The face is below the smallest lot of the vault.',
    fix: 'Finance more face, or choose another vault.',
  },
  AboveMaximumLot: {
    code: 'MANDATE_REJECTED',
    cause: 'The face is above the largest lot of the vault.',
    fix: 'Finance less face, or choose another vault.',
  },
  AboveMaximumClaimFace: {
    code: 'MANDATE_REJECTED',
    cause: 'The vault would hold more face of the claim than its mandate allows.',
    fix: 'Finance less face, or choose another vault.',
  },
  AboveMaximumIssuerFace: {
    code: 'MANDATE_REJECTED',
    cause: 'The issuer of the claim would owe the vault more face than the mandate allows.',
    fix: 'Finance less face, choose another vault, or optimize again.',
  },
  InsufficientLiquidity: sameAs('INSUFFICIENT_LIQUIDITY'),
  AdvanceBelowMinimum: {
    code: 'TARGET_NO_LONGER_MET',
    cause: 'A vault would advance less than the minimum of the transaction.',
    fix: 'Optimize again, or lower `minimumAdvanceAmount`.',
  },
  TargetNotMet: {
    code: 'TARGET_NO_LONGER_MET',
    cause: 'The vaults would advance less than the target of the route.',
    fix: 'Optimize again, with a lower target if necessary.',
  },
  TotalFaceExceeded: {
    code: 'TARGET_NO_LONGER_MET',
    cause: 'The route would finance more face than its limit.',
    fix: 'Optimize again.',
  },
  ClaimNotSettleable: sameAs('CLAIM_NOT_SETTLEABLE'),
  ClaimNotDue: sameAs('CLAIM_NOT_MATURED'),
  ClaimNotRevocable: sameAs('CLAIM_NOT_REVOCABLE'),
  NoCredit: sameAs('NO_CREDIT'),
  NotIssuer: sameAs('ISSUER_MISMATCH'),
  AttestationExpired: sameAs('ATTESTATION_EXPIRED'),
  CancelledAttestation: sameAs('ATTESTATION_CANCELLED'),
  ClaimAlreadyRegistered: sameAs('CLAIM_ALREADY_REGISTERED'),
  InvalidBeneficiary: sameAs('BENEFICIARY_INVALID'),
  TokenNotListed: sameAs('TOKEN_NOT_LISTED'),
  InvalidFaceValue: sameAs('FACE_VALUE_TOO_LARGE'),
  DueDateNotInFuture: sameAs('DUE_DATE_NOT_IN_FUTURE'),
  InvalidAttestationSignature: sameAs('ATTESTATION_SIGNATURE_INVALID'),
  DeadlineExpired: {
    code: null,
    cause: 'The deadline of the prepared transaction has passed.',
    fix: 'Prepare it again and sign at once.',
  },
  InvalidAccountNonce: {
    code: null,
    cause:
      'The nonce of the route is used up: another route of the wallet was executed, or its routes were cancelled.',
    fix: 'Optimize again.',
  },
  InvalidRouteSignature: {
    code: null,
    cause: 'The signature is not that of the user of the route.',
    fix: 'Sign with the wallet that the route was prepared for.',
  },
  BelowMinimum: {
    code: null,
    cause: 'The price of the shares has changed: the transaction would give less than its minimum.',
    fix: 'Prepare it again, with a larger `slippageBps` if necessary.',
  },
  AboveMaximum: {
    code: null,
    cause: 'The price of the shares has changed: the transaction would take more than its maximum.',
    fix: 'Prepare it again, with a larger `slippageBps` if necessary.',
  },
  NoShares: sameAs('AMOUNT_TOO_SMALL'),
  ERC4626ExceededMaxDeposit: sameAs('AMOUNT_TOO_LARGE'),
  ERC4626ExceededMaxMint: sameAs('AMOUNT_TOO_LARGE'),
  ERC4626ExceededMaxWithdraw: {
    code: null,
    cause: 'The wallet has too few shares, or the vault has too few idle assets.',
    fix: 'Withdraw less, or wait for repayments.',
  },
  ERC4626ExceededMaxRedeem: {
    code: null,
    cause: 'The wallet has too few shares, or the vault has too few idle assets.',
    fix: 'Redeem less, or wait for repayments.',
  },
  NoPendingTerms: sameAs('NO_PENDING_TERMS'),
  NoticeNotOver: sameAs('NOTICE_NOT_OVER'),
  OwnableUnauthorizedAccount: sameAs('CURATOR_MISMATCH'),
  AmountExceedsMaximum: {
    code: null,
    cause: 'The transaction would pay more than its maximum.',
    fix: 'Prepare the settlement again.',
  },
  ERC20InsufficientBalance: {
    code: null,
    cause: issueCatalogue.BALANCE_TOO_LOW,
    fix: 'Fund the wallet with the token.',
  },
  ERC20InsufficientAllowance: {
    code: null,
    cause: 'The wallet has approved less of the token than the transaction takes.',
    fix: 'Send `approvals` first, in order.',
  },
  SafeERC20FailedOperation: {
    code: null,
    cause: 'The token refused a transfer.',
    fix: 'Ask the issuer of the token: it may be paused, or may block an account.',
  },
}

/** An error for which the entry of the code says the same. */
function sameAs(code: ErrorCode): Help {
  const { cause, fix } = catalogue[code]
  return { code, cause, fix }
}
