import type { Session } from '../auth/token.ts'
import type { CodedError } from '../errors.ts'

/**
 * The session of the caller, or the reason why there is none. A request without a token has no reason: most reads need
 * none.
 */
export type Authentication =
  | {
      session: Session
      /** Whether a cookie carried the token: a browser sends it by itself. */
      isByCookie?: true
    }
  | { refusal: CodedError }
  | { isAnonymous: true }

export type AuthenticationVariables = { authentication: Authentication }
