/** The one copy of the `ClaimAttestation` typed data (EIP-712); the contract's type hash is compared in a test. */
import { type Address, type Hex, hashTypedData, type TypedDataDomain } from 'viem'

export const claimAttestationTypes = {
  ClaimAttestation: [
    { name: 'issuer', type: 'address' },
    { name: 'beneficiary', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'faceValue', type: 'uint256' },
    { name: 'dueDate', type: 'uint64' },
    { name: 'claimType', type: 'uint8' },
    { name: 'documentHash', type: 'bytes32' },
    { name: 'validUntil', type: 'uint64' },
  ],
} as const

/** Amounts in base units of `token`; `dueDate` and `validUntil` in Unix seconds. */
export type ClaimAttestation = {
  issuer: Address
  beneficiary: Address
  token: Address
  faceValue: bigint
  dueDate: bigint
  claimType: number
  documentHash: Hex
  validUntil: bigint
}

export function claimRegistryDomain(chainId: number, claimRegistry: Address) {
  return {
    name: 'ClaimRegistry',
    version: '1',
    chainId,
    verifyingContract: claimRegistry,
  } satisfies TypedDataDomain
}

/**
 * Computes the EIP-712 digest of an attestation, which is the id of its claim (`attestationDigest` of
 * contracts/ClaimRegistry.sol).
 */
export function claimIdOf(chainId: number, claimRegistry: Address, message: ClaimAttestation): Hex {
  return hashTypedData({
    domain: claimRegistryDomain(chainId, claimRegistry),
    types: claimAttestationTypes,
    primaryType: 'ClaimAttestation',
    message,
  })
}
