import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError } from 'viem'
import { chainUnavailable } from '../errors.ts'

/**
 * Runs a chain read. When no node answers (down, too slow, behind, out of history) it throws `CHAIN_UNAVAILABLE`; a
 * contract that answered with a revert is a fault of ours and passes as it is.
 */
export async function readChain<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof BaseError) || isRevert(error)) throw error
    throw chainUnavailable(`The chain does not answer for ${what}. Try again shortly.`, error)
  }
}

/** Whether a contract was called, and reverted or returned nothing. */
export function isRevert(error: BaseError): boolean {
  return Boolean(
    error.walk(
      (cause) =>
        cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError,
    ),
  )
}
