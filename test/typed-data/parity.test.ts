/** The canonical typed data hashes exactly as the contracts do (specification, section 4, signing boundary rule 4). */
import fc from 'fast-check'
import { encodeFunctionData, getTypesForEIP712Domain, type Hex, hashTypedData, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { financingRouterAbi } from '../../abis/FinancingRouter.ts'
import { claimAttestationTypes, claimRegistryDomain } from '../../api/typed-data/claim-attestation.ts'
import { encodeType } from '../../api/typed-data/encode-type.ts'
import { executionRouteTypes, financingRouterDomain } from '../../api/typed-data/execution-route.ts'
import { permitTypes } from '../../api/typed-data/permit.ts'
import { assertProperty } from '../support/property.ts'
import { startWorld } from '../support/protocol.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => toHex(array))
const unsigned = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n })
const leg = fc.record({
  claimId: bytes(32),
  vault: bytes(20),
  faceAmount: unsigned(256n),
  minimumAdvanceAmount: unsigned(256n),
})
const route = fc.record({
  user: bytes(20),
  token: bytes(20),
  legs: fc.array(leg, { maxLength: 9 }),
  targetAdvance: unsigned(256n),
  maxTotalFace: unsigned(256n),
  nonce: unsigned(256n),
  deadline: unsigned(256n),
})
const attestation = fc.record({
  issuer: bytes(20),
  beneficiary: bytes(20),
  token: bytes(20),
  faceValue: unsigned(256n),
  dueDate: unsigned(64n),
  claimType: fc.nat({ max: 255 }),
  documentHash: bytes(32),
  validUntil: unsigned(64n),
})

describe('the type hash', () => {
  const typeHash = (types: Parameters<typeof encodeType>[0], primary: string): Hex =>
    keccak256(toHex(encodeType(types, primary)))

  test('of ClaimAttestation is the claim registry’s', async () => {
    const address = world.protocol.claimRegistry
    const functionName = 'CLAIM_ATTESTATION_TYPEHASH'
    const onChain = await world.chain.readContract({ abi: claimRegistryAbi, address, functionName })
    expect(typeHash(claimAttestationTypes, 'ClaimAttestation')).toBe(onChain)
  })

  test('of Permit is that of EIP-2612', () => {
    const standard = '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9'
    expect(typeHash(permitTypes, 'Permit')).toBe(standard)
  })

  test('has the structs of a struct after it, by their names (EIP-712)', () => {
    const field = (name: string, type: string) => ({ name, type })
    const types = {
      Mail: [field('z', 'Person'), field('a', 'Asset[]')],
      Person: [],
      Asset: [field('of', 'uint256')],
    }
    expect(encodeType(types, 'Mail')).toBe('Mail(Person z,Asset[] a)Asset(uint256 of)Person()')
  })

  test('of ExecutionRoute and of RouteLeg is the router’s', async () => {
    const read = (functionName: 'EXECUTION_ROUTE_TYPEHASH' | 'ROUTE_LEG_TYPEHASH') =>
      world.chain.readContract({
        abi: financingRouterAbi,
        address: world.protocol.financingRouter,
        functionName,
      })
    expect(typeHash(executionRouteTypes, 'ExecutionRoute')).toBe(await read('EXECUTION_ROUTE_TYPEHASH'))
    const { RouteLeg } = executionRouteTypes
    expect(typeHash({ RouteLeg }, 'RouteLeg')).toBe(await read('ROUTE_LEG_TYPEHASH'))
  })
})

test('the domains are those that the contracts declare (EIP-5267)', async () => {
  const declared = async (address: Hex) => {
    const domain = await world.chain.getEip712Domain({ address })
    return { ...domain.domain, verifyingContract: domain.domain.verifyingContract?.toLowerCase() }
  }
  const { claimRegistry, financingRouter } = world.protocol
  const ours = [
    claimRegistryDomain(world.chainId, claimRegistry),
    financingRouterDomain(world.chainId, financingRouter),
  ]
  for (const domain of ours) {
    expect(await declared(domain.verifyingContract)).toMatchObject(domain)
    expect(getTypesForEIP712Domain({ domain }).map((field) => field.name)).toEqual(Object.keys(domain))
  }
})

describe('the digest that viem computes is the contract’s', () => {
  test('for any attestation', async () => {
    const domain = claimRegistryDomain(world.chainId, world.protocol.claimRegistry)
    await assertProperty(
      fc.asyncProperty(attestation, async (message) => {
        const args = [message] as const
        const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'attestationDigest', args })
        const onChain = await world.chain.call({ to: world.protocol.claimRegistry, data })
        const typed = {
          domain,
          types: claimAttestationTypes,
          primaryType: 'ClaimAttestation',
          message,
        } as const
        expect(onChain.data).toBe(hashTypedData(typed))
      }),
      { numRuns: 100 },
    )
  })

  test('for any route, of no leg or of more than the router takes', async () => {
    const domain = financingRouterDomain(world.chainId, world.protocol.financingRouter)
    await assertProperty(
      fc.asyncProperty(route, async (message) => {
        const args = [message] as const
        const data = encodeFunctionData({ abi: financingRouterAbi, functionName: 'routeDigest', args })
        const onChain = await world.chain.call({ to: world.protocol.financingRouter, data })
        const typed = { domain, types: executionRouteTypes, primaryType: 'ExecutionRoute', message } as const
        expect(onChain.data).toBe(hashTypedData(typed))
      }),
      { numRuns: 100 },
    )
  })
})
