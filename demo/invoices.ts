/** How an invoice becomes a claim on chain: who owes it attests it by a signature, who is owed it registers it. */
import { encodeFunctionData, type Hex, keccak256, numberToHex, stringToHex } from 'viem'
import { claimRegistryAbi } from '../abis/ClaimRegistry.ts'
import {
  type ClaimAttestation,
  claimAttestationTypes,
  claimRegistryDomain,
} from '../api/typed-data/claim-attestation.ts'
import { toSignable } from '../api/typed-data/signable.ts'
import type { RunOptions } from '../client/index.ts'
import { loadManifest } from '../deployments/manifest.ts'
import type { Player } from './cast.ts'
import type { Token } from './teller.ts'

const { chainId, contracts } = loadManifest(31_337)

/** `dueAt` in Unix seconds, `face` in base units. */
export type Invoice = { number: string; token: Token; face: bigint; dueAt: number }

export type Attested = { attestation: ClaimAttestation; signature: Hex }

const INVOICE_TYPE = 0
const HOUR = 3600

export async function attest(
  debtor: Player,
  creditor: Player,
  invoice: Invoice,
  now: number,
): Promise<Attested> {
  const attestation: ClaimAttestation = {
    issuer: hex(debtor.address),
    beneficiary: hex(creditor.address),
    token: hex(invoice.token.address),
    faceValue: invoice.face,
    dueDate: BigInt(invoice.dueAt),
    claimType: INVOICE_TYPE,
    documentHash: keccak256(stringToHex(invoice.number)),
    validUntil: BigInt(now + HOUR),
  }
  const signature = await debtor.gateway.sign(
    toSignable({
      domain: claimRegistryDomain(chainId, contracts.claimRegistry),
      types: claimAttestationTypes,
      primaryType: 'ClaimAttestation',
      message: attestation,
    }),
  )
  return { attestation, signature }
}

/** @returns the claim's id, once reads show it */
export async function register(
  holder: Player,
  { attestation, signature }: Attested,
  options: RunOptions,
): Promise<string> {
  const data = encodeFunctionData({
    abi: claimRegistryAbi,
    functionName: 'register',
    args: [attestation, signature],
  })
  const from = hex(holder.address)
  const to = contracts.claimRegistry
  const registered = await holder.gateway.run(
    {
      transaction: { chainId, from, to, data, value: '0' },
      rpc: {
        method: 'eth_sendTransaction',
        params: [{ from, to, data, value: '0x0', chainId: numberToHex(chainId) }],
      },
      description: 'Register the claim',
      approvals: [],
    },
    options,
  )
  const [claimId] = registered.claimIds
  if (claimId === undefined) throw new Error('the registration registered nothing')
  return claimId
}

function hex(text: string): Hex {
  return `0x${text.slice(2)}`
}
