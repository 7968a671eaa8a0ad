/**
 * Whether an attestation can be registered, as `register` of contracts/ClaimRegistry.sol checks it, in its order. Its
 * reverts and the answers in their place; a condition that changed after the pinned block is an issue
 * EXECUTION_WOULD_REVERT:
 *
 * | revert                       | answer                              |
 * | ---------------------------- | ----------------------------------- |
 * | AttestationExpired           | 422 ATTESTATION_EXPIRED             |
 * | ClaimAlreadyRegistered       | 422 CLAIM_ALREADY_REGISTERED        |
 * | CancelledAttestation         | 422 ATTESTATION_CANCELLED           |
 * | IssuerInactive               | 422 ISSUER_INACTIVE                 |
 * | InvalidBeneficiary           | 422 BENEFICIARY_INVALID             |
 * | TokenNotListed               | 422 TOKEN_NOT_LISTED                |
 * | InvalidFaceValue             | 422 FACE_VALUE_TOO_LARGE; 400 for 0 |
 * | DueDateNotInFuture           | 422 DUE_DATE_NOT_IN_FUTURE          |
 * | InvalidAttestationSignature  | 422 ATTESTATION_SIGNATURE_INVALID   |
 */
import type { Hex } from 'viem'
import type { AttestationFacts } from '../chain/attestation-facts.ts'
import { FACE_VALUE_MAX } from '../domain/limits.ts'
import { formatTime, type UnixSeconds, unixNumber } from '../domain/time.ts'
import { CodedError } from '../errors.ts'
import type { ClaimAttestation } from '../typed-data/claim-attestation.ts'

/**
 * @param now the clock or the pinned block, whichever is ahead: the contract compares with the block that will execute
 * @throws `ATTESTATION_EXPIRED`, `CLAIM_ALREADY_REGISTERED`, `ATTESTATION_CANCELLED`, `ISSUER_INACTIVE`,
 * `BENEFICIARY_INVALID`, `TOKEN_NOT_LISTED`, `FACE_VALUE_TOO_LARGE`, `DUE_DATE_NOT_IN_FUTURE`
 */
export function judgeAttestation(
  attestation: ClaimAttestation,
  claimId: Hex,
  facts: AttestationFacts,
  now: UnixSeconds,
): void {
  const { issuer, token, faceValue, dueDate, validUntil } = attestation
  if (validUntil < now) throw expired(validUntil, now)
  if (facts.standing) throw alreadyRegistered(facts.standing)
  refuseUsed(claimId, facts)
  if (!facts.issuerActive) {
    const detail = `${issuer} is not an active issuer, so the registry takes no claim of it. Ask the registry's operator.`
    throw new CodedError('ISSUER_INACTIVE', detail, { facts: { issuer } })
  }
  if (!facts.beneficiaryPayable) {
    throw new CodedError(
      'BENEFICIARY_INVALID',
      'The beneficiary is the zero address or a contract of the protocol. Set the wallet that is owed the face.',
    )
  }
  if (!facts.tokenListed) {
    const detail = `${token} is not a listed token, so the registry takes no claim in it. Set a listed token, or ask the registry's operator.`
    throw new CodedError('TOKEN_NOT_LISTED', detail, { facts: { token } })
  }
  if (faceValue > FACE_VALUE_MAX) {
    const facts = { have: String(faceValue), need: String(FACE_VALUE_MAX) }
    throw new CodedError('FACE_VALUE_TOO_LARGE', 'The registry takes face values up to 2^128-1.', { facts })
  }
  if (dueDate <= now) throw notInFuture(dueDate, now)
}

const REVOCATION =
  'While no vault has financed the claim, its issuer can revoke it, and register a corrected attestation of the document. A claim that is financed stands.'

/** @throws `CLAIM_ALREADY_REGISTERED`, `ATTESTATION_CANCELLED` */
export function refuseUsed(
  claimId: Hex,
  { registered, cancelled }: Pick<AttestationFacts, 'registered' | 'cancelled'>,
): void {
  if (registered) {
    const detail = `A claim was registered from this attestation as ${claimId}. ${REVOCATION}`
    throw new CodedError('CLAIM_ALREADY_REGISTERED', detail, { facts: { claimId } })
  }
  if (cancelled) {
    const detail = 'The issuer cancelled this attestation. Have the issuer sign another one.'
    throw new CodedError('ATTESTATION_CANCELLED', detail, { facts: { claimId } })
  }
}

function expired(validUntil: UnixSeconds, now: UnixSeconds): CodedError {
  const detail = `The attestation was valid until ${formatTime(validUntil)}. Have the issuer sign a new one.`
  return new CodedError('ATTESTATION_EXPIRED', detail, {
    facts: { validUntil: formatTime(validUntil), now: formatTime(now) },
  })
}

function alreadyRegistered(claimId: Hex): CodedError {
  const detail = `The issuer's claim on this document is registered as ${claimId}. ${REVOCATION} Another claim needs another documentHash.`
  return new CodedError('CLAIM_ALREADY_REGISTERED', detail, { facts: { claimId } })
}

function notInFuture(dueDate: UnixSeconds, now: UnixSeconds): CodedError {
  const detail = `A claim must be due after it is registered: ${formatTime(dueDate)} has passed.`
  return new CodedError('DUE_DATE_NOT_IN_FUTURE', detail, {
    facts: { dueDate: formatTime(dueDate), dueDateUnix: unixNumber(dueDate), now: formatTime(now) },
  })
}
