/** Wallets that behave in their own way, and the storage of a page. */
import { randomBytes } from 'node:crypto'
import type { Eip1193Provider, SessionStorage } from '../../packages/client/src/index.ts'

/** A wallet that answers requests to sign or send with `error`, except for a sign-in. */
export const refusing = (wallet: Eip1193Provider, error: unknown): Eip1193Provider => ({
  request: async (call) => {
    if (/^eth_(?:sign|send)/.test(call.method)) throw error
    return wallet.request(call)
  },
})

/** A wallet that behaves in the way that was chosen last. */
export function changing(first: (wallet: Eip1193Provider) => Eip1193Provider) {
  let current = first
  return {
    wrap: (wallet: Eip1193Provider): Eip1193Provider => ({
      request: (call) => current(wallet).request(call),
    }),
    become: (next: typeof first) => {
      current = next
    },
  }
}

export const withoutSigning = (wallet: Eip1193Provider) => refusing(wallet, new Error('locked'))

/**
 * A wallet with EIP-5792 and a receipt for each call. Its batch is pending when it is asked for the first time.
 *
 * @param status `ready`: it can batch once its user agrees
 */
export function batching(
  wallet: Eip1193Provider,
  onBatch: (calls: number) => void,
  status: 'supported' | 'ready' = 'supported',
): Eip1193Provider {
  const receipts: { status: string; transactionHash: unknown }[] = []
  let asked = 0
  return {
    request: async (call) => {
      const [batch] = call.params ?? []
      const chainId = await wallet.request({ method: 'eth_chainId' })
      if (call.method === 'wallet_getCapabilities') return { [String(chainId)]: { atomic: { status } } }
      if (call.method === 'wallet_getCallsStatus')
        return asked++ === 0 ? { status: 100 } : { status: 200, receipts }
      if (call.method !== 'wallet_sendCalls') return wallet.request(call)
      const { calls, from, atomicRequired }: { calls: object[]; from: string; atomicRequired: boolean } =
        Object(batch)
      if (!atomicRequired) throw new Error('some of the calls may fail alone')
      onBatch(calls.length)
      for (const each of calls)
        receipts.push({
          status: '0x1',
          transactionHash: await wallet.request({
            method: 'eth_sendTransaction',
            params: [{ ...each, from }],
          }),
        })
      return { id: '0x01' }
    },
  }
}

/** As `sessionStorage`, which a reload of the page keeps. */
export function memoryStorage(): SessionStorage {
  const entries = new Map<string, string>()
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
}

/** A wallet of several signers, such as a Safe: it answers with an id of its own, and sends later. */
export const answeringWithOwnId = (wallet: Eip1193Provider): Eip1193Provider => ({
  request: async (call) => {
    const answer = await wallet.request(call)
    return call.method === 'eth_sendTransaction' ? `0x${randomBytes(32).toString('hex')}` : answer
  },
})
