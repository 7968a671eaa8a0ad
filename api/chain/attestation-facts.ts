import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { claimRegistryAbi } from '../../abis/ClaimRegistry.ts'
import { issuerRegistryAbi } from '../../abis/IssuerRegistry.ts'
import { tokenRegistryAbi } from '../../abis/TokenRegistry.ts'
import { vaultRegistryAbi } from '../../abis/VaultRegistry.ts'
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
  /** Whether the beneficiary can be paid: it is neither the zero address nor a contract of the protocol. */
  beneficiaryPayable: boolean
  tokenListed: boolean
}

type Contracts = Manifest['contracts']
type Asked = { claimId: Hex; issuer: Address; beneficiary: Address; documentHash: Hex; token: Address }

/** @throws CodedError `CHAIN_UNAVAILABLE` */
export async function readAttestationFacts(
  chain: Chain,
  block: PinnedBlock,
  contracts: Contracts,
  { claimId, issuer, beneficiary, documentHash, token }: Asked,
): Promise<AttestationFacts> {
  const at = atHashOf(block)
  const claims = { address: contracts.claimRegistry, abi: claimRegistryAbi } as const
  const ofDocument = { functionName: 'claimOfDocument', args: [issuer, documentHash] } as const
  const issuers = {
    address: contracts.issuerRegistry,
    abi: issuerRegistryAbi,
    functionName: 'isActive',
    args: [issuer],
  } as const
  const tokens = {
    address: contracts.tokenRegistry,
    abi: tokenRegistryAbi,
    functionName: 'isListed',
    args: [token],
  } as const
  const vaults = {
    address: contracts.vaultRegistry,
    abi: vaultRegistryAbi,
    functionName: 'isRegistered',
    args: [beneficiary],
  } as const
  const [standing, claim, cancelled, issuerActive, tokenListed, isVault] = await readChain(
    `issuer, beneficiary, token and claim at block ${block.number}`,
    () =>
      Promise.all([
        chain.readContract({ ...claims, ...ofDocument, ...at }),
        chain.readContract({ ...claims, functionName: 'claim', args: [claimId], ...at }),
        chain.readContract({ ...claims, functionName: 'isCancelled', args: [claimId], ...at }),
        chain.readContract({ ...issuers, ...at }),
        chain.readContract({ ...tokens, ...at }),
        chain.readContract({ ...vaults, ...at }),
      ]),
  )
  return {
    standing: standing === zeroHash ? undefined : standing,
    registered: claim.state !== 0,
    cancelled,
    issuerActive,
    beneficiaryPayable: !isVault && !unpayable(contracts).includes(beneficiary),
    tokenListed,
  }
}

function unpayable({ claimRegistry, financingRouter }: Contracts): Address[] {
  return [zeroAddress, claimRegistry, financingRouter]
}
