/** The wallet in the browser (EIP-1193), or anything that answers like one. */
import type { Address, Hex } from 'viem'
import { GatewayError } from './errors.ts'
import { explainRevert, revertOf } from './revert.ts'

export type Eip1193Provider = {
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
  on?: (event: string, listener: (argument: unknown) => void) => unknown
  removeListener?: (event: string, listener: (argument: unknown) => void) => unknown
}

/** The account that a page is connected with. `address` is lowercase. */
export type ConnectedWallet = { address: Address; chainId: number }

/** The wallet that the browser has injected into the page; undefined where there is none. */
export function injectedWallet(): Eip1193Provider | undefined {
  const page: object = globalThis
  return 'ethereum' in page && isProvider(page.ethereum) ? page.ethereum : undefined
}

function isProvider(value: unknown): value is Eip1193Provider {
  return typeof value === 'object' && value !== null && 'request' in value
}

/** A provider of a visitor without a wallet: no account is connected, and nothing can be signed. */
export const noWallet: Eip1193Provider = {
  async request({ method }) {
    if (method === 'eth_accounts') return []
    if (method === 'eth_chainId') return '0x0'
    const message = 'There is no wallet. Install one in this browser, or pass `wallet` to `createGateway`.'
    throw new GatewayError({ code: 'NO_WALLET', message })
  },
}

/** Calls the wallet. @throws GatewayError `USER_REJECTED`, or `WALLET_FAILED` for any other error of the wallet */
export async function callWallet(
  provider: Eip1193Provider,
  call: { method: string; params?: readonly unknown[] },
): Promise<unknown> {
  try {
    return await provider.request(call)
  } catch (cause) {
    throw cause instanceof GatewayError ? cause : walletError(call.method, cause)
  }
}

/** EIP-1193: the user rejected the request. */
const USER_REJECTED = 4001

function walletError(method: string, cause: unknown): GatewayError {
  const { code, message }: { code?: unknown; message?: unknown } = Object(cause)
  if (code === USER_REJECTED)
    return new GatewayError({ code: 'USER_REJECTED', message: `The user declined ${method}.`, cause })
  const revert = revertOf(cause)
  const reason = revert
    ? `${revert.message} ${explainRevert(revert.errorName)}`.trim()
    : String(message ?? cause)
  return new GatewayError({ code: 'WALLET_FAILED', message: `${method} failed: ${reason}`, revert, cause })
}

/**
 * Asks the wallet to move to the chain, unless it is there.
 *
 * @throws GatewayError `WRONG_CHAIN` if it is on another one afterwards, `USER_REJECTED`
 */
export async function switchChain(provider: Eip1193Provider, chainId: number): Promise<void> {
  if ((await chainOf(provider)) === chainId) return
  const params = [{ chainId: `0x${chainId.toString(16)}` }]
  const refusal = await callWallet(provider, { method: 'wallet_switchEthereumChain', params }).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (refusal instanceof GatewayError && refusal.code === 'USER_REJECTED') throw refusal
  const current = await chainOf(provider)
  if (current === chainId) return
  const message = `Chain ${chainId} is required, but the wallet is on chain ${current}.`
  throw new GatewayError({ code: 'WRONG_CHAIN', message, cause: refusal })
}

async function chainOf(provider: Eip1193Provider): Promise<number> {
  return toChainId(await callWallet(provider, { method: 'eth_chainId' }))
}

/** The connected account, without a prompt; undefined when there is none. */
export async function connectedWallet(provider: Eip1193Provider): Promise<ConnectedWallet | undefined> {
  const [accounts, chainId] = await Promise.all([
    callWallet(provider, { method: 'eth_accounts' }),
    callWallet(provider, { method: 'eth_chainId' }),
  ])
  const address = firstAddress(accounts)
  return address && { address, chainId: toChainId(chainId) }
}

/**
 * Prompts the user to connect. @throws GatewayError `NO_WALLET` when no account is connected afterwards,
 * `USER_REJECTED`
 */
export async function connectWallet(provider: Eip1193Provider): Promise<ConnectedWallet> {
  await callWallet(provider, { method: 'eth_requestAccounts' })
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
      code: 'WALLET_FAILED',
      message: `The wallet returned ${String(answer)}; expected a hex string.`,
    })
  }
  return `0x${answer.slice(2)}`
}
