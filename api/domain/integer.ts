/** A whole number as a JSON number; beyond 2^53-1, where a JSON number is not exact, that bound. */
export function safeNumber(value: bigint): number {
  return value < Number.MAX_SAFE_INTEGER ? Number(value) : Number.MAX_SAFE_INTEGER
}
