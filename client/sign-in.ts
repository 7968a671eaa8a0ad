/** Sign-In with Ethereum (EIP-4361): the wallet proves itself once, and the gateway gives a token for an hour. */
import { stringToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { connectWallet, type Eip1193Provider, toHex } from './eip1193.ts'
import { GatewayError } from './errors.ts'
import type { Rest } from './rest.ts'
import type { Session } from './session.ts'

export type SignInOptions = {
  /** Origin of the site that the gateway signs wallets in for, like `https://app.example`. */
  site: string
  /** Statement that the wallet shows first. */
  statement?: string
  now: () => number
}

/**
 * @param bare requests without a token
 * @throws GatewayError of the gateway's refusals, or `NO_WALLET`; what the wallet throws when its user declines
 */
export async function signIn(
  bare: Rest,
  provider: Eip1193Provider,
  { site, statement, now }: SignInOptions,
): Promise<Session> {
  const { address, chainId } = await connectWallet(provider)
  const { nonce } = await bare.get('/api/v1/auth/nonce')
  const message = createSiweMessage({
    address,
    chainId,
    domain: new URL(site).host,
    issuedAt: new Date(now()),
    nonce,
    uri: site,
    version: '1',
    ...(statement !== undefined && { statement }),
  })
  const params = [stringToHex(message), address]
  const signature = toHex(await provider.request({ method: 'personal_sign', params }))
  const since = now()
  const { token } = await bare.post('/api/v1/auth/verify', { body: { message, signature } })
  const lifetime = await lifetimeOf(bare, token)
  return { token, wallet: address, chainId, expiresAt: since + lifetime }
}

/**
 * Ends a session at the gateway, or finds it ended.
 *
 * @param bare requests without a token
 */
export async function logOut(bare: Rest, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` }
  await bare.post('/api/v1/auth/logout', { headers }).catch((error: unknown) => {
    if (!(error instanceof GatewayError && error.status === 401)) throw error
  })
}

/** Milliseconds: a difference of two times by the gateway's clock, so this machine's clock does not matter. */
async function lifetimeOf(bare: Rest, token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` }
  const { issuedAt, expiresAt } = await bare.get('/api/v1/auth/me', { headers })
  return Date.parse(expiresAt) - Date.parse(issuedAt)
}
