/** Sign-In with Ethereum (EIP-4361): the wallet proves itself once, and the gateway gives a token for an hour. */
import { type Address, type Hex, stringToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { callWallet, connectWallet, type Eip1193Provider, switchChain, toHex } from './eip1193.ts'
import { GatewayError } from './errors.ts'
import type { Rest } from './rest.ts'
import type { Session } from './session.ts'

export type SignInOptions = {
  /** Origin of the site that the gateway signs wallets in for, like `https://app.example`. */
  site: string
  /** Chain of the gateway, which the wallet is asked to switch to. Default: the chain that the wallet is on. */
  chainId?: number | undefined
  /** Statement that the wallet shows first. */
  statement?: string
  /** Whether the session is a cookie. */
  inCookie: boolean
  now: () => number
}

/**
 * @param bare requests without a token
 * @throws GatewayError of the gateway's refusals, `NO_WALLET`, `WRONG_CHAIN`, `USER_REJECTED`
 */
export async function signIn(
  bare: Rest,
  provider: Eip1193Provider,
  { chainId: required, ...options }: SignInOptions,
): Promise<Session> {
  const { address, chainId: current } = await connectWallet(provider)
  const chainId = required ?? current
  await switchChain(provider, chainId)
  const { nonce } = await bare.get('/api/v1/auth/nonce')
  const { inCookie, ...rest } = options
  const message = createMessage({ address, chainId, nonce, ...rest })
  const params = [stringToHex(message), address]
  const signature = toHex(await callWallet(provider, { method: 'personal_sign', params }))
  return verify(bare, { message, signature, inCookie, now: options.now })
}

/** The text to sign (EIP-4361). */
export function createMessage({
  site,
  statement,
  now,
  ...facts
}: Omit<SignInOptions, 'chainId' | 'inCookie'> & {
  address: Address
  chainId: number
  nonce: string
}): string {
  return createSiweMessage({
    ...facts,
    domain: new URL(site).host,
    issuedAt: new Date(now()),
    uri: site,
    version: '1',
    ...(statement !== undefined && { statement }),
  })
}

/**
 * The session of a message that the wallet signed, also one that another library made.
 *
 * @throws GatewayError of the gateway's refusals
 */
export async function verify(
  bare: Rest,
  { message, signature, inCookie, now }: Signed & Pick<SignInOptions, 'inCookie' | 'now'>,
): Promise<Session> {
  const since = now()
  const body = { message, signature, ...(inCookie && { cookie: true }) }
  const answer = await bare.post('/api/v1/auth/verify', { body })
  const { wallet, chainId, issuedAt, expiresAt } = answer
  const token = 'token' in answer ? answer.token : answer.csrfToken
  if ('token' in answer === inCookie) throw new GatewayError({ code: 'UNREACHABLE', message: OTHER_SESSION })
  return { token, wallet, chainId, expiresAt: since + lifetimeOf(issuedAt, expiresAt) }
}

type Signed = { message: string; signature: Hex }

const OTHER_SESSION = 'The gateway answered the sign-in with another kind of session.'

/**
 * The session in the cookie of the page; undefined where there is none. It ends at `expiresAt` or before, which the
 * gateway then answers.
 *
 * @param bare requests with the cookie
 */
export async function restore(bare: Rest, now: () => number): Promise<Session | undefined> {
  const since = now()
  const answer = await bare.get('/api/v1/auth/me').catch((error: unknown) => {
    if (error instanceof GatewayError && error.status === 401) return undefined
    throw error
  })
  if (answer?.csrfToken === undefined) return undefined
  const { csrfToken: token, wallet, chainId, issuedAt, expiresAt } = answer
  return { token, wallet, chainId, expiresAt: since + lifetimeOf(issuedAt, expiresAt) }
}

/**
 * Ends a session at the gateway, or finds it ended.
 *
 * @param bare requests without a session
 * @param headers those of the session
 */
export async function logOut(bare: Rest, headers: Record<string, string>): Promise<void> {
  await bare.post('/api/v1/auth/logout', { headers }).catch((error: unknown) => {
    if (!(error instanceof GatewayError && error.status === 401)) throw error
  })
}

/** Milliseconds: a difference of two times by the gateway's clock, so this machine's clock does not matter. */
function lifetimeOf(issuedAt: string, expiresAt: string): number {
  return Date.parse(expiresAt) - Date.parse(issuedAt)
}
