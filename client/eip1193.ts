/** The wallet in the browser (EIP-1193), or anything that answers like one. */
import type { Address, Hex } from 'viem'
import { GatewayError } from './errors.ts'

export type Eip1193Provider = {
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
  on?: (event: string, listener: (argument: unknown) => void) => unknown
  removeListener?: (event: string, listener: (argument: unknown) => void) => unknown
}

/** The account that a page is connected with. `address` is lowercase. */
export type ConnectedWallet = { address: Address; chainId: number }

/** The connected account, without a prompt; undefined when there is none. */
export async function connectedWallet(provider: Eip1193Provider): Promise<ConnectedWallet | undefined> {
  const [accounts, chainId] = await Promise.all([
    provider.request({ method: 'eth_accounts' }),
    provider.request({ method: 'eth_chainId' }),
  ])
  const address = firstAddress(accounts)
  return address && { address, chainId: toChainId(chainId) }
}

/** Prompts the user to connect. @throws GatewayError `NO_WALLET` when no account is connected afterwards */
export async function connectWallet(provider: Eip1193Provider): Promise<ConnectedWallet> {
  await provider.request({ method: 'eth_requestAccounts' })
  const connected = await connectedWallet(provider)
  if (!connected)
    throw new GatewayError({ code: 'NO_WALLET', message: 'No account of the wallet is connected.' })
  return connected
}

/** The first of `accounts`, which is the one in use; undefined when there is none. */
export function firstAddress(accounts: unknown): Address | undefined {
  const [first] = Array.isArray(accounts) ? accounts : []
  return typeof first === 'string' ? `0x${first.slice(2).toLowerCase()}` : undefined
}

export function toChainId(answer: unknown): number {
  return Number(answer)
}

/** The answer of a wallet: a signature or a transaction hash. */
export function toHex(answer: unknown): Hex {
  if (typeof answer !== 'string' || !answer.startsWith('0x')) {
    throw new GatewayError({
      code: 'NO_WALLET',
      message: 'The wallet answered with something else than hex.',
    })
  }
  return `0x${answer.slice(2)}`
}
