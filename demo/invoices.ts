/** How an invoice becomes a claim on chain: who owes it attests it by a signature, who is owed it registers it. */
import { encodeFunctionData, type Hex, keccak256, numberToHex, stringToHex } from 'viem'
import { foundry } from 'viem/chains'
import { claimRegistryAbi } from '../abis/ClaimRegistry.ts'
import {
  type ClaimAttestation,
  claimAttestationTypes,
  claimRegistryDomain,
} from '../api/typed-data/claim-attestation.ts'
import { toSignable } from '../api/typed-data/signable.ts'
import type { Transaction } from '../client/index.ts'
import { loadManifest, type Manifest } from '../deployments/manifest.ts'
import type { Player } from './cast.ts'
import { amount, short, type Teller, type Token } from './teller.ts'

export type Deal = { debtor: Player; holder: Player; token: Token }

/** `face` in whole tokens, `dueIn` in seconds from now. */
export type Invoice = { face: bigint; dueIn: number }

/** `dueAt` in Unix seconds. */
export type Registered = { claimId: string; dueAt: number }

const INVOICE_TYPE = 0
const HOUR = 3600

/**
 * @param now Unix seconds, by the chain
 * @returns the claims, once reads show them
 */
export async function bringInvoices(
  tell: Teller,
  deal: Deal,
  now: number,
  invoices: readonly Invoice[],
): Promise<Registered[]> {
  const { debtor, holder, token } = deal
  tell.step(
    `${debtor.name} attests ${invoices.length === 1 ? 'one more invoice' : `${invoices.length} invoices`}, ${holder.name} registers`,
    'Who owes the money signs what, to whom and when (EIP-712); that costs nothing. With that signature the claim is registered on chain, and becomes something that vaults can finance.',
  )
  const registered: Registered[] = []
  for (const [index, invoice] of invoices.entries()) {
    const attestation = attestationOf(deal, invoice, { now, document: `invoice ${index} of ${now}` })
    const manifest = loadManifest(foundry.id)
    const signature = await debtor.gateway.sign(signable(manifest, attestation))
    tell.sent('ClaimAttestation, signed, registered by its holder', {
      'face value': amount(attestation.faceValue, token),
      due: new Date(Number(attestation.dueDate) * 1000).toISOString().replace('.000', ''),
      signature: short(signature),
    })
    // Final comes in the order of the blocks, so waiting for the last one is enough.
    const until = index === invoices.length - 1 ? 'PROJECTED' : 'MINED'
    const { claimIds } = await register(manifest, holder, { attestation, signature, until })
    const [claimId = ''] = claimIds
    tell.got({ claim: short(claimId) })
    registered.push({ claimId, dueAt: Number(attestation.dueDate) })
  }
  return registered
}

function attestationOf(
  { debtor, holder, token }: Deal,
  { face, dueIn }: Invoice,
  { now, document }: { now: number; document: string },
): ClaimAttestation {
  return {
    issuer: hex(debtor.address),
    beneficiary: hex(holder.address),
    token: hex(token.address),
    faceValue: face * 10n ** BigInt(token.decimals),
    dueDate: BigInt(now + dueIn),
    claimType: INVOICE_TYPE,
    documentHash: keccak256(stringToHex(document)),
    validUntil: BigInt(now + HOUR),
  }
}

function signable({ chainId, contracts }: Manifest, message: ClaimAttestation) {
  const domain = claimRegistryDomain(chainId, contracts.claimRegistry)
  return toSignable({ domain, types: claimAttestationTypes, primaryType: 'ClaimAttestation', message })
}

type Attested = { attestation: ClaimAttestation; signature: Hex; until: 'MINED' | 'PROJECTED' }

function register(
  { chainId, contracts }: Manifest,
  { address, gateway }: Player,
  { attestation, signature, until }: Attested,
): Promise<Transaction> {
  const args = [attestation, signature] as const
  const data = encodeFunctionData({ abi: claimRegistryAbi, functionName: 'register', args })
  const call = { from: address, to: contracts.claimRegistry, data }
  const request = { ...call, value: '0x0', chainId: numberToHex(chainId) }
  const plan = {
    transaction: { chainId, ...call, value: '0' },
    rpc: { method: 'eth_sendTransaction' as const, params: [request] },
    description: 'Register the claim',
    approvals: [],
  }
  return gateway.run(plan, { until, pollMs: 500 })
}

function hex(text: string): Hex {
  return `0x${text.slice(2)}`
}
