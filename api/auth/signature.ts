import { type Address, BaseError, ExecutionRevertedError, type Hex, recoverMessageAddress } from 'viem'
import { call, verifyMessage } from 'viem/actions'
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

async function isSignedByContract(
  chain: Chain,
  { wallet, message, signature }: SignedMessage,
): Promise<boolean> {
  try {
    return await verifyMessage(tellingFaultsApart(chain), { address: wallet, message, signature })
  } catch (error) {
    const outage = error instanceof BaseError && error.walk((cause) => cause instanceof NoAnswer)
    if (!outage) return false
    throw chainUnavailable('The chain does not answer for the wallet contract. Try again shortly.', error)
  }
}

/** viem takes every failed call for a refusal; a node that did not answer has refused nothing. */
class NoAnswer extends BaseError {
  constructor(cause: Error) {
    super('The node did not run the call.', { cause, name: 'NoAnswer' })
  }
}

function tellingFaultsApart(chain: Chain): Chain {
  return {
    ...chain,
    call: async (parameters) => {
      try {
        return await call(chain, parameters)
      } catch (error) {
        if (!(error instanceof BaseError) || isRevert(error)) throw error
        throw new NoAnswer(error)
      }
    },
  }
}

function isRevert(error: BaseError): boolean {
  return Boolean(error.walk((cause) => cause instanceof ExecutionRevertedError))
}
