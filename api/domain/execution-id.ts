import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'

const FIELDS = parseAbiParameters('string, uint256, address, bytes32, uint8')

/**
 * Computes the executionId of the direct financing that takes slice `sliceIndex` of a claim, as `directExecutionId` of
 * contracts/FinancingRouter.sol derives it. That of a route is its EIP-712 digest.
 */
export function directExecutionId(
  chainId: number,
  financingRouter: Address,
  { claimId, sliceIndex }: { claimId: Hex; sliceIndex: number },
): Hex {
  return keccak256(
    encodeAbiParameters(FIELDS, ['DIRECT', BigInt(chainId), financingRouter, claimId, sliceIndex]),
  )
}
