/** The gas limit of a transaction that is mined later than it is estimated. */
import type { Eip1193Provider } from './eip1193.ts'

/**
 * The transaction with a gas limit: its estimate and half of it. A transaction can need more gas when it is mined than
 * when it is estimated: the first one after midnight (UTC) carries the value of each vault into the new day.
 *
 * @returns the transaction as it is if the wallet gives no estimate, which it also does when the transaction would
 *   revert: the wallet then chooses the limit, or says why it does not send
 */
export async function withGasLimit(provider: Eip1193Provider, transaction: object): Promise<object> {
  try {
    const estimate = BigInt(
      String(await provider.request({ method: 'eth_estimateGas', params: [transaction] })),
    )
    return { ...transaction, gas: `0x${(estimate + estimate / 2n).toString(16)}` }
  } catch {
    return transaction
  }
}
