/** The gas limit of a transaction that is mined later than it is estimated. */
import type { Eip1193Provider } from './eip1193.ts'

/** The most gas that a transaction may have (EIP-7825). Nodes refuse one with more. */
const TRANSACTION_GAS_MAX = 2n ** 24n

/**
 * The transaction with a gas limit: its estimate and half of it. A transaction can need more gas when it is mined than
 * when it is estimated: the first one after midnight (UTC) carries the value of each vault into the new day.
 *
 * @returns the transaction as it is if the wallet gives no estimate, which it also does when the transaction would
 *   revert: the wallet then chooses the limit, or says why it does not send
 */
export async function withGasLimit(provider: Eip1193Provider, transaction: object): Promise<object> {
  try {
    const answer = await provider.request({ method: 'eth_estimateGas', params: [transaction] })
    const estimate = BigInt(String(answer))
    return estimate > 0n ? { ...transaction, gas: `0x${limitFor(estimate).toString(16)}` } : transaction
  } catch {
    return transaction
  }
}

function limitFor(estimate: bigint): bigint {
  const limit = estimate + estimate / 2n
  // A chain on which the estimate is above the maximum does not have this maximum.
  return estimate <= TRANSACTION_GAS_MAX && limit > TRANSACTION_GAS_MAX ? TRANSACTION_GAS_MAX : limit
}
