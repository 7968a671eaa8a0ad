import { type Address, type Hex, zeroHash } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import type { Chain } from './client.ts'
import { atHashOf, type PinnedBlock } from './pin-block.ts'
import { readChain } from './read-chain.ts'

/** The state of the chain that determines whether an attestation can be registered. */
export type AttestationFacts = {
  /** Id of the claim on the document that is not revoked, if there is one. */
  standing: Hex | undefined
  /** Whether a claim was registered from this attestation. */
  registered: boolean
  cancelled: boolean
  issuerActive: boolean
  tokenListed: boolean
}

/** @throws CodedError `CHAIN_UNAVAILABLE` */
export async function readAttestationFacts(
  chain: Chain,
  block: PinnedBlock,
  { claimRegistry, issuerRegistry, tokenRegistry }: Manifest['contracts'],
  {
    claimId,
    issuer,
    documentHash,
    token,
  }: { claimId: Hex; issuer: Address; documentHash: Hex; token: Address },
): Promise<AttestationFacts> {
  const at = atHashOf(block)
  const claims = { address: claimRegistry, abi: claimRegistryAbi } as const
  const ofDocument = { functionName: 'claimOfDocument', args: [issuer, documentHash] } as const
  const issuers = {
    address: issuerRegistry,
    abi: issuerRegistryAbi,
    functionName: 'isActive',
    args: [issuer],
  } as const
  const tokens = {
    address: tokenRegistry,
    abi: tokenRegistryAbi,
    functionName: 'isListed',
    args: [token],
  } as const
  const [standing, claim, cancelled, issuerActive, tokenListed] = await readChain(
    `issuer, token and claim at block ${block.number}`,
    () =>
      Promise.all([
        chain.readContract({ ...claims, ...ofDocument, ...at }),
        chain.readContract({ ...claims, functionName: 'claim', args: [claimId], ...at }),
        chain.readContract({ ...claims, functionName: 'isCancelled', args: [claimId], ...at }),
        chain.readContract({ ...issuers, ...at }),
        chain.readContract({ ...tokens, ...at }),
      ]),
  )
  return {
    standing: standing === zeroHash ? undefined : standing,
    registered: claim.state !== 0,
    cancelled,
    issuerActive,
    tokenListed,
  }
}
