/** Claim types fit a uint8, so no bit above these is ever read. */
const CLAIM_TYPES = Array.from({ length: 256 }, (_, type) => type)

/**
 * Lists the claim types of a mandate's bitmap: type t is supported when bit t is set (interface specification, section
 * 2).
 */
export function supportedTypes(bitmap: bigint): number[] {
  return CLAIM_TYPES.filter((type) => ((bitmap >> BigInt(type)) & 1n) === 1n)
}
