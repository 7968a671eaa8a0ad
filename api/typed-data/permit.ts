/**
 * The one copy of the `Permit` typed data (EIP-2612): an allowance that its owner signs. Each token is the contract of
 * its own domain.
 */
import { type Address, type Hex, hashTypedData } from 'viem'

export const permitTypes = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** `verifyingContract` is the token. */
export type PermitDomain = { name: string; version: string; chainId: number; verifyingContract: Address }

/** `value` in base units of the token; `nonce` is that of the owner in the token; `deadline` in Unix seconds. */
export type PermitMessage = {
  owner: Address
  spender: Address
  value: bigint
  nonce: bigint
  deadline: bigint
}

export function toPermit(domain: PermitDomain, message: PermitMessage) {
  return { domain, types: permitTypes, primaryType: 'Permit', message } as const
}

/** Computes the EIP-712 digest that the owner signs. */
export function permitDigest(domain: PermitDomain, message: PermitMessage): Hex {
  return hashTypedData(toPermit(domain, message))
}
