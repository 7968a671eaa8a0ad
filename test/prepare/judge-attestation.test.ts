import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { FACE_VALUE_MAX } from '../../api/domain/limits.ts'
import { judgeAttestation } from '../../api/prepare/judge-attestation.ts'
import { code as codeOf } from '../support/coded.ts'

const NOW = 1_700_000_000n
const claimId: Hex = `0x${'11'.repeat(32)}`
const attestation = {
  issuer: `0x${'a1'.repeat(20)}`,
  beneficiary: `0x${'b2'.repeat(20)}`,
  token: `0x${'c3'.repeat(20)}`,
  faceValue: 1n,
  dueDate: NOW + 1n,
  claimType: 0,
  documentHash: claimId,
  validUntil: NOW,
} as const
const facts = {
  standing: undefined,
  registered: false,
  cancelled: false,
  issuerActive: true,
  beneficiaryPayable: true,
  tokenListed: true,
}

describe('an attestation', () => {
  it('is registrable in the last second of its validity, a second before the claim is due, up to the largest face', () => {
    judgeAttestation(attestation, claimId, facts, NOW)
    judgeAttestation({ ...attestation, faceValue: FACE_VALUE_MAX }, claimId, facts, NOW)
  })

  it.each([
    ['ATTESTATION_EXPIRED', { validUntil: NOW - 1n }, {}],
    ['DUE_DATE_NOT_IN_FUTURE', { dueDate: NOW }, {}],
    ['FACE_VALUE_TOO_LARGE', { faceValue: FACE_VALUE_MAX + 1n }, {}],
    ['BENEFICIARY_INVALID', {}, { beneficiaryPayable: false }],
    ['CLAIM_ALREADY_REGISTERED', {}, { registered: true }],
    ['CLAIM_ALREADY_REGISTERED', {}, { standing: claimId }],
    ['ATTESTATION_CANCELLED', {}, { cancelled: true }],
    ['ISSUER_INACTIVE', {}, { issuerActive: false }],
    ['TOKEN_NOT_LISTED', {}, { tokenListed: false }],
  ])('is refused as %s', (code, change, otherFacts) => {
    const judge = () =>
      judgeAttestation({ ...attestation, ...change }, claimId, { ...facts, ...otherFacts }, NOW)
    expect(codeOf(judge)).toBe(code)
  })

  it('with several faults is refused for the one that the contract finds first', () => {
    const other: Hex = `0x${'22'.repeat(32)}`
    const faults = [
      ['ATTESTATION_EXPIRED', { validUntil: NOW - 1n }, {}],
      ['CLAIM_ALREADY_REGISTERED', {}, { standing: other }],
      ['ATTESTATION_CANCELLED', {}, { cancelled: true }],
      ['ISSUER_INACTIVE', {}, { issuerActive: false }],
      ['BENEFICIARY_INVALID', {}, { beneficiaryPayable: false }],
      ['TOKEN_NOT_LISTED', {}, { tokenListed: false }],
      ['FACE_VALUE_TOO_LARGE', { faceValue: FACE_VALUE_MAX + 1n }, {}],
      ['DUE_DATE_NOT_IN_FUTURE', { dueDate: NOW }, {}],
    ] as const
    for (const [first, [code]] of faults.entries()) {
      const rest = faults.slice(first)
      const judge = () =>
        judgeAttestation(
          Object.assign({}, attestation, ...rest.map(([, change]) => change)),
          claimId,
          Object.assign({}, facts, ...rest.map(([, , change]) => change)),
          NOW,
        )
      expect(codeOf(judge)).toBe(code)
    }
  })
})
