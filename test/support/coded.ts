import { CodedError, type ErrorCode } from '../../api/errors.ts'

/** The code of the error that the call throws; anything that is not a coded error fails the test as it is. */
export function code(call: () => unknown): ErrorCode {
  return coded(call).code
}

/** The error that the call throws; anything that is not a coded error fails the test as it is. */
export function coded(call: () => unknown): CodedError {
  try {
    call()
  } catch (error) {
    if (error instanceof CodedError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** The code of the error with which a promise is rejected. */
export async function rejection(promise: Promise<unknown>): Promise<ErrorCode> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (!outcome) throw new Error('nothing was thrown')
  return codeOf(outcome.error)
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof CodedError) return error.code
  throw error
}
