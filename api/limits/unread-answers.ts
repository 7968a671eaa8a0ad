/** Bounds the bytes of answers that clients have not read: they stay in the memory of this process. */
import type { HttpBindings } from '@hono/node-server'
import type { Config } from '../config/config.ts'
import { CodedError } from '../errors.ts'
import { defineMiddleware } from '../http/define-middleware.ts'
import type { RouteVariables } from '../http/route-rules.ts'
import { clientAddress } from './client-address.ts'

/** Unread bytes of one client address, and of all together, beyond which requests are refused. */
export type UnreadBytes = { readonly perAddress: number; readonly max: number }

/** The largest answers that the limit on cost allows have some 3 MB. */
export const UNREAD_BYTES: UnreadBytes = { perAddress: 8 << 20, max: 64 << 20 }
const RETRY_AFTER_SECONDS = 2
/** Milliseconds for which the sum over all clients is used: to add it up takes longer than the sum of one client. */
const SUM_VALID_MS = 50

export type UnreadVariables = {
  /**
   * To be called before work whose answer may be large.
   *
   * @throws CodedError `ANSWERS_UNREAD`
   */
  requireRead: () => void
}

/**
 * Refuses requests of a client address, and of all, while too many bytes of answers are unread. Probes are exempt.
 *
 * @example
 * startChain().use(routeRules(rules)).use(unreadAnswers({ trustedProxies: 0 }))
 */
export function unreadAnswers(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  limits: UnreadBytes = UNREAD_BYTES,
) {
  const answers = new Map<string, Set<HttpBindings['outgoing']>>()
  let sum = { bytes: 0, at: -SUM_VALID_MS }

  const bytesOf = (address: string): number => {
    const open = answers.get(address) ?? new Set()
    let bytes = 0
    for (const answer of open) {
      if (answer.writableFinished || answer.destroyed) open.delete(answer)
      else bytes += answer.writableLength
    }
    if (open.size === 0) answers.delete(address)
    return bytes
  }
  const bytesOfAll = (): number => {
    const now = performance.now()
    if (now - sum.at < SUM_VALID_MS) return sum.bytes
    const bytes = [...answers.keys()].reduce((total, address) => total + bytesOf(address), 0)
    sum = { bytes, at: now }
    return bytes
  }
  const watch = (address: string, answer: HttpBindings['outgoing']): void => {
    const open = answers.get(address)
    if (open) open.add(answer)
    else answers.set(address, new Set([answer]))
  }

  return defineMiddleware<UnreadVariables, RouteVariables>(async (c, next) => {
    const answer = c.env?.outgoing
    if (!answer || c.get('rules').limit === 'none') return next({ requireRead: () => {} })
    const address = clientAddress(c, trustedProxies)
    const requireRead = () => {
      if (bytesOf(address) > limits.perAddress) throw answersUnread('this client', limits.perAddress)
      if (bytesOfAll() > limits.max) throw answersUnread('all clients', limits.max)
    }
    requireRead()
    watch(address, answer)
    await next({ requireRead })
  })
}

function answersUnread(whose: string, maximum: number): CodedError {
  return new CodedError(
    'ANSWERS_UNREAD',
    `Answers to earlier requests of ${whose} have more than ${maximum} unread bytes. Read all answers, then try again.`,
    { facts: { maximum }, retryAfter: RETRY_AFTER_SECONDS },
  )
}
