import type { Hex } from 'viem'
import type { Chain } from '../chain/client.ts'
import type { Clock, Random } from '../deps.ts'
import { CodedError } from '../errors.ts'
import type { Store } from '../store/database.ts'
import { checkNonce } from './nonce.ts'
import { isSignedBy } from './signature.ts'
import { readSignInMessage } from './siwe.ts'
import { issueToken, type Session, type TokenSettings } from './token.ts'
import { spendNonce } from './used-nonces.ts'

export type SignInSettings = TokenSettings & {
  /** Origin of the site that wallets sign in at. */
  siteOrigin: string
}

type Outside = { store: Store; chain: Chain; clock: Clock; random: Random }

/**
 * A token for the wallet that signed the message (interface specification, section 5). The nonce is spent last, when all
 * else is good: a refused attempt, or one that a lost chain cut short, can be repeated.
 *
 * @throws the refusals of the message, the nonce, the signature and of a second use; `CHAIN_UNAVAILABLE`
 */
export async function signIn(
  { store, chain, clock, random }: Outside,
  settings: SignInSettings,
  { message, signature }: { message: string; signature: Hex },
): Promise<{ token: string; session: Session }> {
  const now = Math.floor(clock() / 1000)
  const { siteOrigin: origin, chainId, secrets } = settings
  const { wallet, nonce } = readSignInMessage(message, { origin, chainId }, now)
  const expiresAt = checkNonce(secrets, nonce, now)
  if (!(await isSignedBy(chain, { wallet, message, signature }))) throw signatureInvalid()
  await spendNonce(store, nonce, expiresAt)
  return issueToken(settings, wallet, random, now)
}

function signatureInvalid(): CodedError {
  return new CodedError(
    'SIWE_SIGNATURE_INVALID',
    "The signature is not the wallet's for this message. Sign the message as it was sent, with the address it names.",
  )
}
