import { validationFailed } from '../errors.ts'
import { defineMiddleware } from '../http/define-middleware.ts'

/** A browser sends some 150 characters. */
const ACCEPT_LENGTH_MAX = 1000
/** A tag of ours has 66 characters. */
export const IF_NONE_MATCH_LENGTH_MAX = 1024

/**
 * Refuses a long `Accept` or `If-None-Match` with `VALIDATION_FAILED`.
 *
 * @example
 * startChain().use(headerLimits())
 */
export const headerLimits = () =>
  defineMiddleware(async (c, next) => {
    requireLength('Accept', c.req.header('Accept'), ACCEPT_LENGTH_MAX)
    requireLength('If-None-Match', c.req.header('If-None-Match'), IF_NONE_MATCH_LENGTH_MAX)
    await next()
  })

function requireLength(name: string, value: string | undefined, maximum: number): void {
  const length = value?.length ?? 0
  if (length <= maximum) return
  throw validationFailed([{ path: name, message: `has ${length} characters; the maximum is ${maximum}` }])
}
