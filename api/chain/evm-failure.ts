/**
 * Calls that a node executed and that failed without a readable revert: out of gas, an invalid instruction, a megabyte
 * of data.
 */
import { BaseError, type EIP1193RequestFn, ExecutionRevertedError, RpcRequestError } from 'viem'
import { isTooLarge } from '../../nodes/errors.ts'

/**
 * As go-ethereum, Erigon, Reth, Nethermind, Besu and anvil word it. "EVM error" of anvil is followed by the kind in one
 * word.
 */
const MESSAGE =
  /\bEVM error (?!Fatal)\w|\bout ?of ?gas\b|\b(?:invalid|bad) ?(?:opcode|instruction|jump)|\bstack ?(?:under|over)flow\b|\bstack limit reached\b|\bmax (?:init)?code size exceeded\b|\bwrite protection\b|\breturn data out of bounds\b|\bgas uint64 overflow\b|\bVM execution error\b/i

/**
 * Converts each such failure to a revert without data, which is an answer. Otherwise viem would repeat the call at the
 * next nodes as if the node had not answered.
 */
export function failuresAsReverts(request: EIP1193RequestFn): EIP1193RequestFn {
  return async (asked, options) => {
    try {
      return await request(asked, options)
    } catch (error) {
      throw isEvmFailure(error) || isOversizedCall(asked.method, error)
        ? revertedWithoutData(asked.method)
        : error
    }
  }
}

function isEvmFailure(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const answered = error.walk((cause) => cause instanceof RpcRequestError)
  return answered instanceof RpcRequestError && !isRevert(answered) && MESSAGE.test(answered.details)
}

/** A contract returned more data than is read. */
function isOversizedCall(method: string, error: unknown): boolean {
  return method === 'eth_call' && isTooLarge(error)
}

function isRevert({ code, details }: RpcRequestError): boolean {
  return code === ExecutionRevertedError.code || ExecutionRevertedError.nodeMessage.test(details)
}

function revertedWithoutData(method: string): RpcRequestError {
  const error = { code: ExecutionRevertedError.code, message: 'execution reverted' }
  return new RpcRequestError({ body: { method }, error, url: '' })
}
