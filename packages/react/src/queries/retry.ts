/** When a failed read is tried again: only if it can succeed, and not before the gateway's `Retry-After`. */
import { GatewayError } from 'claim-financing-client'

const ATTEMPTS = 4
const FIRST_DELAY_MS = 1000

export const retrying = {
  retry: (failures: number, error: Error) =>
    error instanceof GatewayError && error.retryable && failures < ATTEMPTS,
  retryDelay: (failures: number, error: Error) => {
    const stated = error instanceof GatewayError ? error.retryAfter : undefined
    return stated === undefined ? FIRST_DELAY_MS * 2 ** failures : stated * 1000
  },
}
