import {
  type Address,
  BaseError,
  createClient,
  custom,
  ExecutionRevertedError,
  type Hex,
  recoverMessageAddress,
} from 'viem'
import { verifyMessage } from 'viem/actions'
import type { Chain } from '../chain/client.ts'
import { lowercaseAddress } from '../domain/address.ts'
import { chainUnavailable } from '../errors.ts'

type SignedMessage = { wallet: Address; message: string; signature: Hex }

/**
 * Whether the wallet signed the message (EIP-191): with its key, or, as a smart account, by its contract (ERC-1271), also
 * one that is not deployed yet (ERC-6492). Contracts are asked at the latest block: an owner removed a moment ago signs no more.
 *
 * @throws `CHAIN_UNAVAILABLE` when a contract would have to be asked and no node answers
 */
export async function isSignedBy(chain: Chain, signed: SignedMessage): Promise<boolean> {
  return (await isSignedByKey(signed)) || (await isSignedByContract(chain, signed))
}

/** Needs no chain: a key signs in while the nodes are away. */
async function isSignedByKey({ wallet, message, signature }: SignedMessage): Promise<boolean> {
  try {
    return lowercaseAddress(await recoverMessageAddress({ message, signature })) === wallet
  } catch {
    return false
  }
}

/** viem takes every call that failed for a refusal; but a node that did not answer has refused nothing. */
async function isSignedByContract(
  chain: Chain,
  { wallet, message, signature }: SignedMessage,
): Promise<boolean> {
  const outages: unknown[] = []
  const client = observingOutages(chain, (error) => outages.push(error))
  const signed = await verifyMessage(client, { address: wallet, message, signature }).catch(() => false)
  if (!signed && outages.length > 0) {
    const detail = 'The chain does not answer for the wallet contract. Try again shortly.'
    throw chainUnavailable(detail, withoutRequest(outages[0]))
  }
  return signed
}

function observingOutages(chain: Chain, onOutage: (error: unknown) => void) {
  const request = async (asked: Parameters<Chain['request']>[0]) => {
    try {
      return await chain.request(asked)
    } catch (error) {
      if (!isRevert(error)) onOutage(error)
      throw error
    }
  }
  return createClient({ transport: custom({ request }, { retryCount: 0 }) })
}

/** viem quotes the request, and with it the signature: whoever read it in the log could sign in elsewhere. */
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
