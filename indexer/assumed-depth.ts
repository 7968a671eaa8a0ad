/**
 * Number of blocks below the head that Ponder 0.17 assumes not to be final, by chain id; a test compares this with
 * Ponder's own table.
 */
const ASSUMED_DEPTHS: ReadonlyMap<number, number> = new Map([
  ...[1, 5, 42, 11155111].map((chainId) => [chainId, 65] as const),
  ...[137, 80001].map((chainId) => [chainId, 200] as const),
  ...[42161, 42170, 421613].map((chainId) => [chainId, 240] as const),
])
const DEFAULT_ASSUMED_DEPTH = 30

export function assumedFinalityDepth(chainId: number): number {
  return ASSUMED_DEPTHS.get(chainId) ?? DEFAULT_ASSUMED_DEPTH
}
