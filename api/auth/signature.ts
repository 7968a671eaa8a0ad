/** Whether a wallet signed a message (EIP-191), by its key or by its contract. */
import { type Address, BaseError, ExecutionRevertedError, type Hex, recoverMessageAddress } from 'viem'
import { SIGN_IN_GAS_MAX } from '../chain/call-limits.ts'
import { type Chain, createBoundedChain } from '../chain/client.ts'
import { lowercaseAddress } from '../domain/address.ts'
import { chainUnavailable } from '../errors.ts'

export type SignedMessage = { wallet: Address; message: string; signature: Hex }

/**
 * Verifies the signature of a key without the chain, so a key signs in while no node answers. Accepts every encoding of
 * the signature: `v` as 0 or 1, which some hardware wallets write for 27 or 28, and `s` in the upper half. One message
 * can have several valid signatures, because the nonce is used once and not the signature.
 */
export async function isSignedByKey({ wallet, message, signature }: SignedMessage): Promise<boolean> {
  try {
    return lowercaseAddress(await recoverMessageAddress({ message, signature })) === wallet
  } catch {
    return false
  }
}

/**
 * Calls the wallet's contract (ERC-1271), also before its deployment (ERC-6492) or delegation (ERC-8010). The call is
 * at the latest block: a signature of an owner that was just removed is invalid. It runs code of the caller's choice,
 * with at most SIGN_IN_GAS_MAX gas.
 *
 * viem reports every failed call as a refusal, but a node that did not answer has refused nothing.
 *
 * @throws `CHAIN_UNAVAILABLE` when no node answers
 */
export async function isSignedByContract(
  chain: Chain,
  { wallet, message, signature }: SignedMessage,
): Promise<boolean> {
  const outages: unknown[] = []
  const onFailure = (error: unknown) => {
    if (!isRevert(error)) outages.push(error)
  }
  const client = createBoundedChain(chain, { gas: SIGN_IN_GAS_MAX, onFailure })
  const signed = await client.verifyMessage({ address: wallet, message, signature }).catch(() => false)
  if (!signed && outages.length > 0) {
    const detail = 'The chain does not answer for the wallet contract. Try again shortly.'
    throw chainUnavailable(detail, withoutRequest(outages[0]))
  }
  return signed
}

/** Errors of viem quote the request with its signature, by which a reader of the log could sign in elsewhere. */
function withoutRequest(error: unknown): Error {
  return new Error(error instanceof BaseError ? `${error.name}: ${error.shortMessage}` : 'the request failed')
}

function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const reverted = error.walk(
    (cause) => cause instanceof Error && 'code' in cause && cause.code === ExecutionRevertedError.code,
  )
  return reverted !== null || ExecutionRevertedError.nodeMessage.test(error.details)
}
