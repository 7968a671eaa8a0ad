import type { Address, Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import type { Chain } from './client.ts'
import { atHashOf, type PinnedBlock } from './pin-block.ts'
import { readChain } from './read-chain.ts'

/** The state of the chain that determines whether an attestation can be registered. */
export type AttestationFacts = { registered: boolean; issuerActive: boolean; tokenListed: boolean }

/** @throws CodedError `CHAIN_UNAVAILABLE` */
export async function readAttestationFacts(
  chain: Chain,
  block: PinnedBlock,
  { claimRegistry, issuerRegistry, tokenRegistry }: Manifest['contracts'],
  { claimId, issuer, token }: { claimId: Hex; issuer: Address; token: Address },
): Promise<AttestationFacts> {
  const at = atHashOf(block)
  const claims = {
    address: claimRegistry,
    abi: claimRegistryAbi,
    functionName: 'claim',
    args: [claimId],
  } as const
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
  const [claim, issuerActive, tokenListed] = await readChain(
    `issuer, token and claim at block ${block.number}`,
    () =>
      Promise.all([
        chain.readContract({ ...claims, ...at }),
        chain.readContract({ ...issuers, ...at }),
        chain.readContract({ ...tokens, ...at }),
      ]),
  )
  return { registered: claim.state !== 0, issuerActive, tokenListed }
}
