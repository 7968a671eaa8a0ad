/** The one copy of the `ExecutionRoute` typed data (EIP-712); the contract's type hash is compared in a test. */
import type { Address, Hex, TypedDataDomain } from 'viem'

export const executionRouteTypes = {
  ExecutionRoute: [
    { name: 'user', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'legs', type: 'RouteLeg[]' },
    { name: 'targetAdvance', type: 'uint256' },
    { name: 'maxTotalFace', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
  RouteLeg: [
    { name: 'claimId', type: 'bytes32' },
    { name: 'vault', type: 'address' },
    { name: 'faceAmount', type: 'uint256' },
    { name: 'minimumAdvanceAmount', type: 'uint256' },
  ],
} as const

/** Amounts in base units of the route's token. */
export type RouteLegMessage = {
  claimId: Hex
  vault: Address
  faceAmount: bigint
  minimumAdvanceAmount: bigint
}

/**
 * Amounts in base units of `token`, the token of every claim of the route; `deadline` in Unix seconds; `nonce` is the
 * user's router nonce.
 */
export type ExecutionRouteMessage = {
  user: Address
  token: Address
  legs: readonly RouteLegMessage[]
  targetAdvance: bigint
  maxTotalFace: bigint
  nonce: bigint
  deadline: bigint
}

export function financingRouterDomain(chainId: number, financingRouter: Address) {
  return {
    name: 'FinancingRouter',
    version: '1',
    chainId,
    verifyingContract: financingRouter,
  } satisfies TypedDataDomain
}
