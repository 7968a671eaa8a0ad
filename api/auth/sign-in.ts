import type { Hex } from 'viem'
import type { Chain } from '../chain/client.ts'
import type { Clock, Random } from '../deps.ts'
import type { Origins } from '../domain/origin.ts'
import type { SignedBy } from '../domain/signed-by.ts'
import { CodedError } from '../errors.ts'
import type { Store } from '../store/database.ts'
import { releaseNonce, spendNonce } from '../store/used-nonces.ts'
import { checkNonce } from './nonce.ts'
import { isSignedByContract, isSignedByKey, type SignedMessage } from './signature.ts'
import { readSignInMessage } from './siwe.ts'
import { issueToken, type Session, type TokenSettings } from './token.ts'

export type SignInSettings = TokenSettings & {
  /** Sites at which wallets sign in. */
  siteOrigins: Origins
}

type Outside = {
  store: Store
  chain: Chain
  clock: Clock
  random: Random
  /** Admits one more call of a wallet contract and returns its release. @throws CodedError when too many run */
  admit: () => () => void
}

/**
 * Creates a token for the wallet that signed the message (interface specification, section 5).
 *
 * @throws the refusals of the message, the nonce, the signature and of a second use; what `admit` throws;
 * `CHAIN_UNAVAILABLE`
 */
export async function signIn(
  outside: Outside,
  settings: SignInSettings,
  { message, signature }: { message: string; signature: Hex },
): Promise<{ token: string; session: Session }> {
  const now = Math.floor(outside.clock() / 1000)
  const { wallet, nonce } = readSignInMessage(message, settings, now)
  const used = { nonce, expiresAt: checkNonce(settings.secrets, nonce, now) }
  const signedBy = await prove(outside, { wallet, message, signature }, used)
  return issueToken(settings, { wallet, signedBy }, outside.random, now)
}

type UsedNonce = { nonce: string; expiresAt: number }

/**
 * This process verifies the signature of a key, and then uses the nonce. The nodes verify the signature of a contract,
 * so the nonce is used before the call. One nonce thus allows one answer, over all replicas. A nonce without an answer
 * is released.
 */
async function prove(
  { store, chain, admit }: Outside,
  signed: SignedMessage,
  { nonce, expiresAt }: UsedNonce,
): Promise<SignedBy> {
  if (await isSignedByKey(signed)) {
    await spendNonce(store, nonce, expiresAt)
    return 'KEY'
  }
  const end = admit()
  try {
    await spendNonce(store, nonce, expiresAt)
    if (await askContract(store, chain, signed, nonce)) return 'CONTRACT'
    throw signatureInvalid()
  } finally {
    end()
  }
}

async function askContract(
  store: Store,
  chain: Chain,
  signed: SignedMessage,
  nonce: string,
): Promise<boolean> {
  try {
    return await isSignedByContract(chain, signed)
  } catch (error) {
    await releaseNonce(store, nonce)
    throw error
  }
}

function signatureInvalid(): CodedError {
  return new CodedError(
    'SIWE_SIGNATURE_INVALID',
    'The signature of the wallet does not match this message. Get a new nonce, and sign the exact message with the address that it names.',
  )
}
