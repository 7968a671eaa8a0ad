/** Refusals that the transactions of a vault share. */
import { type Address, zeroAddress } from 'viem'
import type { Manifest } from '../../deployments/manifest.ts'
import type { Chain } from '../chain/client.ts'
import type { PinnedBlock } from '../chain/pin-block.ts'
import type { Exchange, LatestBlock } from '../chain/share-prices.ts'
import { readVaultFacts, type VaultFacts } from '../chain/vault-facts.ts'
import { conditionFailed } from '../domain/condition-failed.ts'
import { formatTime } from '../domain/time.ts'
import { CodedError } from '../errors.ts'

/** @throws `VAULT_NOT_FOUND`, `CHAIN_UNAVAILABLE` */
export async function requireVault(
  { chain, deployment }: { chain: Chain; deployment: Manifest },
  block: PinnedBlock,
  vault: Address,
): Promise<VaultFacts> {
  const facts = await readVaultFacts(chain, block, deployment.contracts.vaultRegistry, vault)
  if (facts) return facts
  const detail = `The registry has no vault ${vault} at finalized block ${block.number}.`
  throw new CodedError('VAULT_NOT_FOUND', detail, { facts: { vault, blockNumber: Number(block.number) } })
}

/** The vault counts no tokens that are sent to it, and cannot redeem shares of its own. */
export function refuseReceiver(receiver: Address, vault: Address): void {
  if (receiver !== vault && receiver !== zeroAddress) return
  const detail = `Receiver ${receiver} is ${receiver === vault ? 'the vault' : 'the zero address'}, which could not use what it gets.`
  throw new CodedError('RECEIVER_INVALID', detail, { facts: { receiver, vault } })
}

/** Rounding must not take all of it. */
export function refuseWorthless({ assets, shares }: Exchange, vault: Address): void {
  if (assets > 0n && shares > 0n) return
  const detail = `At the price of vault ${vault}, ${assets} base units of its token are exchanged for ${shares} base units of shares.`
  throw conditionFailed('AMOUNT_TOO_SMALL', detail, { vault, have: 0n, need: 1n })
}

export function blockInWords({ number, timestamp }: LatestBlock): string {
  return `block ${number} (${formatTime(timestamp)})`
}
