/** A token's day before anything happened on it. */
export const EMPTY_TOKEN_DAY = {
  claimsRegistered: 0,
  faceRegistered: 0n,
  executions: 0,
  faceFinanced: 0n,
  advanced: 0n,
  settlements: 0,
  faceSettled: 0n,
} as const
