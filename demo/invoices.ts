/** An invoice becomes a claim on chain: the debtor attests it with a signature, the holder registers it. */
import { type Hex, keccak256, stringToHex } from 'viem'
import type { Amount, ClaimAttestationTypedData, Hash, Transaction } from '../packages/client/src/index.ts'
import { type Actor, keepSession } from './accounts.ts'
import { finish } from './following.ts'
import { amount, type Reporter, short, type Token } from './reporter.ts'

export type Deal = { debtor: Actor; holder: Actor; token: Token }

/** `face` in whole tokens, `dueIn` in seconds from now. */
export type Invoice = { face: bigint; dueIn: number }

/** `dueAt` in Unix seconds. */
export type Registered = { claimId: Hash; dueAt: number }

const INVOICE_TYPE = 0

/**
 * @param now Unix seconds, by the chain
 * @returns the claims, once reads show them
 */
export async function bringInvoices(
  report: Reporter,
  deal: Deal,
  now: number,
  invoices: readonly Invoice[],
): Promise<Registered[]> {
  const { debtor, holder, token } = deal
  report.step(
    `${debtor.name} attests ${invoices.length === 1 ? 'one more invoice' : `${invoices.length} invoices`}, ${holder.name} registers`,
    'Who owes the money signs what, to whom and when (EIP-712); that costs nothing. With that signature the claim is registered on chain, and becomes something that vaults can finance.',
  )
  for (const actor of [debtor, holder]) await keepSession(actor)
  const registered: Registered[] = []
  for (const [index, { face, dueIn }] of invoices.entries()) {
    const faceValue: Amount = `${face * 10n ** BigInt(token.decimals)}`
    const dueDate = new Date((now + dueIn) * 1000).toISOString()
    report.sent('POST /issuer/attestations/prepare', { 'face value': amount(faceValue, token), due: dueDate })
    const prepared = await debtor.gateway.post('/api/v1/issuer/attestations/prepare', {
      body: {
        beneficiary: holder.address,
        token: token.address,
        faceValue,
        dueDate,
        claimType: INVOICE_TYPE,
        documentHash: keccak256(stringToHex(`invoice ${index} of ${now}`)),
      },
    })
    const signature = await debtor.gateway.sign(prepared)
    const { typedData } = prepared
    report.got({ [typedData.primaryType]: `signed by its issuer: ${short(signature)}` })
    report.sent('POST /claims/registration/prepare, then eth_sendTransaction: register')
    // Final comes in the order of the blocks, so waiting for the last one is enough.
    const transaction = await register(holder, typedData, signature)
    const [claimId] = transaction.claimIds
    if (!claimId) throw new Error('the transaction registered no claim')
    report.got({ claim: `${short(claimId)}, on chain` })
    if (index === invoices.length - 1) await finish(report, holder, transaction)
    registered.push({ claimId, dueAt: now + dueIn })
  }
  return registered
}

async function register(
  { gateway }: Actor,
  { message: attestation }: ClaimAttestationTypedData,
  signature: Hex,
): Promise<Transaction> {
  const plan = await gateway.post('/api/v1/claims/registration/prepare', { body: { attestation, signature } })
  return gateway.run(plan, { until: 'MINED', pollMs: 500 })
}
