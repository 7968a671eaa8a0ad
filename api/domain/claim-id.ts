import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'

const FIELDS = parseAbiParameters('uint256, address, address, bytes32')

/** The id in a registry of the claim on a document of an issuer, as `claimIdOf` of contracts/ClaimRegistry.sol derives it. */
export function claimIdOf(
  chainId: number,
  claimRegistry: Address,
  { issuer, documentHash }: { issuer: Address; documentHash: Hex },
): Hex {
  return keccak256(encodeAbiParameters(FIELDS, [BigInt(chainId), claimRegistry, issuer, documentHash]))
}
