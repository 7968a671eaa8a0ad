/**
 * The typed data as it is sent hashes alike in every library that wallets are built with (specification, section 4,
 * rule 1).
 */
import { SignTypedDataVersion, TypedDataUtils } from '@metamask/eth-sig-util'
import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { bytesToHex, getAddress, type Hex, hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { claimAttestationTypes, claimRegistryDomain } from '../../api/typed-data/claim-attestation.ts'
import { executionRouteTypes, financingRouterDomain } from '../../api/typed-data/execution-route.ts'
import { isDomainText, type SignableTypedData, toSignable } from '../../api/typed-data/signable.ts'
import { loadManifest } from '../../deployments/manifest.ts'

const { contracts } = loadManifest(31_337)

/** The ends of the range and what floats get wrong, beside anything else. */
const unsigned = (bits: bigint) => {
  const most = 2n ** bits - 1n
  const edges = [0n, 1n, 2n ** 53n + 1n, 10n ** 18n, most].filter((edge) => edge <= most)
  return fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: most }))
}
const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => bytesToHex(array))
const address = fc.oneof(
  bytes(20),
  bytes(20).map((lowercase) => getAddress(lowercase)),
)
const chainId = fc.constantFrom(1, 10, 31_337, 11_155_111, 2 ** 31, Number.MAX_SAFE_INTEGER)

const leg = fc.record({
  claimId: bytes(32),
  vault: address,
  faceAmount: unsigned(256n),
  minimumAdvanceAmount: unsigned(256n),
})
const route = fc.record({
  user: address,
  token: address,
  legs: fc.array(leg, { maxLength: 8 }),
  targetAdvance: unsigned(256n),
  maxTotalFace: unsigned(256n),
  nonce: unsigned(256n),
  deadline: unsigned(256n),
})
const attestation = fc.record({
  issuer: address,
  beneficiary: address,
  token: address,
  faceValue: unsigned(256n),
  dueDate: unsigned(64n),
  claimType: fc.nat({ max: 255 }),
  documentHash: bytes(32),
  validUntil: unsigned(64n),
})

/** As a client has it: parsed from the text of an answer. */
const received = (typedData: SignableTypedData) => JSON.parse(JSON.stringify(typedData))

function digestsOfWallets(typedData: SignableTypedData) {
  const { EIP712Domain: _, ...types } = received(typedData).types
  const { domain, message } = received(typedData)
  return {
    ethers: TypedDataEncoder.hash(domain, types, message),
    metamask: bytesToHex(TypedDataUtils.eip712Hash(received(typedData), SignTypedDataVersion.V4)),
    viem: hashTypedData(received(typedData)),
  }
}

function expectAlike(digest: Hex, typedData: SignableTypedData) {
  expect(digestsOfWallets(typedData)).toEqual({ ethers: digest, metamask: digest, viem: digest })
}

describe('the JSON that a wallet signs has the digest of the message in every library', () => {
  test('for any attestation', () => {
    fc.assert(
      fc.property(attestation, chainId, (message, chain) => {
        const typed = {
          domain: claimRegistryDomain(chain, contracts.claimRegistry),
          types: claimAttestationTypes,
          primaryType: 'ClaimAttestation',
          message,
        } as const
        expectAlike(hashTypedData(typed), toSignable(typed))
      }),
      { numRuns: 500 },
    )
  })

  test('for any route', () => {
    fc.assert(
      fc.property(route, chainId, (message, chain) => {
        const typed = {
          domain: financingRouterDomain(chain, contracts.financingRouter),
          types: executionRouteTypes,
          primaryType: 'ExecutionRoute',
          message,
        } as const
        expectAlike(hashTypedData(typed), toSignable(typed))
      }),
      { numRuns: 500 },
    )
  })

  test('with every integer of the message as a decimal string, however small', () => {
    fc.assert(
      fc.property(attestation, (message) => {
        const domain = claimRegistryDomain(31_337, contracts.claimRegistry)
        const types = claimAttestationTypes
        const signable = toSignable({ domain, types, primaryType: 'ClaimAttestation', message })
        const { faceValue, dueDate, claimType, validUntil } = message
        const written = [faceValue, dueDate, claimType, validUntil].map(String)
        const { message: json } = received(signable)
        expect([json.faceValue, json.dueDate, json.claimType, json.validUntil]).toEqual(written)
      }),
      { numRuns: 20 },
    )
  })

  test('and another one as soon as one amount is another', () => {
    fc.assert(
      fc.property(attestation, unsigned(256n), (message, faceValue) => {
        fc.pre(message.faceValue !== faceValue)
        const domain = claimRegistryDomain(31_337, contracts.claimRegistry)
        const shared = { domain, types: claimAttestationTypes, primaryType: 'ClaimAttestation' } as const
        const one = digestsOfWallets(toSignable({ ...shared, message }))
        const other = digestsOfWallets(toSignable({ ...shared, message: { ...message, faceValue } }))
        expect(Object.values(one)).not.toContain(other.viem)
      }),
      { numRuns: 50 },
    )
  })
})

test('name and version of a domain have 1 to 64 characters', () => {
  const lengths = [0, 1, 64, 65]
  expect(lengths.map((length) => isDomainText('a'.repeat(length)))).toEqual([false, true, true, false])
})
