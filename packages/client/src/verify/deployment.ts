/** The contracts of the protocol on one chain, which every prepared answer must name. */
import type { Address } from 'viem'

/**
 * A deployment manifest (`deployments/<chainId>.json`), as far as the client needs it: a manifest that is imported as
 * JSON is one.
 */
export type Deployment = {
  chainId: number
  contracts: { claimRegistry: string; financingRouter: string }
  /** Tokens whose symbol and decimals are known; other tokens are shown as the gateway describes them. */
  tokens: readonly TokenOfManifest[]
}

type TokenOfManifest = { address: string; symbol: string; name: string; decimals: number }

/** Returns the address in lowercase. */
export function toAddress(text: string): Address {
  return `0x${text.slice(2).toLowerCase()}`
}
