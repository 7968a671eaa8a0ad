import type { Address, Hex } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import type { Manifest } from '../../deployments/manifest.ts'
import type { Chain } from './client.ts'
import { atHashOf, type PinnedBlock } from './pin-block.ts'
import { readChain } from './read-chain.ts'

/** The state of the chain that determines whether an attestation can be registered. */
export type AttestationFacts = { registered: boolean; issuerActive: boolean; tokenHasCode: boolean }

/** @throws CodedError `CHAIN_UNAVAILABLE` */
export async function readAttestationFacts(
  chain: Chain,
  block: PinnedBlock,
  { claimRegistry, issuerRegistry }: Manifest['contracts'],
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
  const [claim, issuerActive, code] = await readChain(`issuer and claim at block ${block.number}`, () =>
    Promise.all([
      chain.readContract({ ...claims, ...at }),
      chain.readContract({ ...issuers, ...at }),
      chain.getCode({ address: token, ...at }),
    ]),
  )
  return { registered: claim.state !== 0, issuerActive, tokenHasCode: code !== undefined && code !== '0x' }
}
