import type { Address } from 'viem'
import { financingVaultAbi } from '../../abis/FinancingVault.ts'
import type { UnixSeconds } from '../domain/time.ts'
import type { Chain } from './client.ts'
import type { Mandate, Pricing } from './lens-types.ts'
import { readChain } from './read-chain.ts'

export type Terms = { mandate: Mandate; pricing: Pricing }

export type VaultTerms = {
  present: Terms
  /** Terms that are submitted and not in effect, and the time from which they can be. */
  pending: (Terms & { effectiveAt: UnixSeconds }) | undefined
  /** Seconds. */
  noticePeriod: bigint
  /** Time of the block. */
  at: UnixSeconds
}

/**
 * Reads the terms of a vault at the latest block: a submission of one half repeats the other half, and must not undo
 * its last change.
 *
 * @throws CodedError `CHAIN_UNAVAILABLE`
 */
export function readVaultTerms(chain: Chain, address: Address): Promise<VaultTerms> {
  const vault = { address, abi: financingVaultAbi } as const
  return readChain('the terms of the vault', async () => {
    const { hash, timestamp } = await chain.getBlock({ blockTag: 'latest' })
    const [mandate, pricing, [nextMandate, nextPricing, effectiveAt], noticePeriod] = await chain.multicall({
      deployless: true,
      allowFailure: false,
      blockHash: hash,
      requireCanonical: true,
      contracts: [
        { ...vault, functionName: 'mandate' },
        { ...vault, functionName: 'pricing' },
        { ...vault, functionName: 'pendingTerms' },
        { ...vault, functionName: 'noticePeriod' },
      ],
    })
    const next = { mandate: nextMandate, pricing: nextPricing, effectiveAt }
    return {
      present: { mandate, pricing },
      pending: effectiveAt === 0n ? undefined : next,
      noticePeriod: BigInt(noticePeriod),
      at: timestamp,
    }
  })
}
