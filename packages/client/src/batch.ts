/** Several calls as one transaction, where the wallet can (EIP-5792). */
import { callWallet, type Eip1193Provider } from './eip1193.ts'
import { GatewayError } from './errors.ts'
import { pause } from './pause.ts'
import type { Address, Hash } from './scalars.ts'

export type Call = { to: Address; data: `0x${string}`; value: `0x${string}` }

export type Batch = { from: Address; chainId: number; calls: readonly Call[] }

/**
 * Whether the wallet executes all calls of a batch or none. A wallet without `wallet_getCapabilities` counts as unable.
 */
export async function canBatch(
  provider: Eip1193Provider,
  { from, chainId }: Omit<Batch, 'calls'>,
): Promise<boolean> {
  const chain = toHexChain(chainId)
  const params = [from, [chain]]
  const answer = await callWallet(provider, { method: 'wallet_getCapabilities', params }).catch(() => null)
  const status = memberOf(memberOf(memberOf(answer, chain), 'atomic'), 'status')
  return status === 'supported' || status === 'ready'
}

/**
 * Sends the batch, and waits until its transaction is mined.
 *
 * @returns the hash of the transaction
 * @throws GatewayError `USER_REJECTED`, `WALLET_FAILED` if the wallet gives the batch up; the reason of the signal
 */
export async function sendBatch(
  provider: Eip1193Provider,
  { from, chainId, calls }: Batch,
  { pollMs, signal }: { pollMs: number; signal: AbortSignal },
): Promise<Hash> {
  const batch = { version: '2.0.0', from, chainId: toHexChain(chainId), atomicRequired: true, calls }
  const sent = await callWallet(provider, { method: 'wallet_sendCalls', params: [batch] })
  const params = [memberOf(sent, 'id')]
  for (;;) {
    signal.throwIfAborted()
    const hash = outcomeOf(await callWallet(provider, { method: 'wallet_getCallsStatus', params }))
    if (hash) return hash
    await pause(pollMs, signal)
  }
}

/** Codes of a batch: 1xx pending, 2xx confirmed, else failed; a failed one that was mined has a receipt, too. */
function outcomeOf(answer: unknown): Hash | undefined {
  const status = Number(memberOf(answer, 'status'))
  if (status < 200) return undefined
  const receipts = memberOf(answer, 'receipts')
  const hash = memberOf(Array.isArray(receipts) ? receipts.at(-1) : undefined, 'transactionHash')
  if (typeof hash === 'string' && hash.startsWith('0x')) return `0x${hash.slice(2)}`
  throw new GatewayError({
    code: 'WALLET_FAILED',
    message: `The wallet reports that the batch failed (status ${status}).`,
  })
}

function toHexChain(chainId: number): string {
  return `0x${chainId.toString(16)}`
}

function memberOf(value: unknown, name: string): unknown {
  return new Map(Object.entries(Object(value))).get(name)
}
