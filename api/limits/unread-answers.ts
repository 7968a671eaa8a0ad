/** Bounds the bytes of answers that clients have not read: they stay in the memory of this process. */
import type { HttpBindings } from '@hono/node-server'
import type { Config } from '../config/config.ts'
import { CodedError } from '../errors.ts'
import { defineMiddleware } from '../http/define-middleware.ts'
import type { RouteVariables } from '../http/route-rules.ts'
import { clientAddress } from './client-address.ts'

/** Unread bytes beyond which requests are refused. */
export type UnreadBytes = {
  /** Maximum for one client address. */
  readonly perAddress: number
  /** Maximum for all, in equal shares of the addresses that have unread bytes. */
  readonly max: number
}

/** The largest answers that the limit on cost allows have some 3 MB. */
export const UNREAD_BYTES: UnreadBytes = { perAddress: 8 << 20, max: 64 << 20 }
const RETRY_AFTER_SECONDS = 2
/** Milliseconds for which the number of addresses with unread bytes is used. */
const COUNT_VALID_MS = 50

type Answer = HttpBindings['outgoing']

export type UnreadVariables = {
  /**
   * To be called before work whose answer may be large.
   *
   * @throws CodedError `ANSWERS_UNREAD`
   */
  requireRead: () => void
}

/**
 * Refuses requests of a client address while too many bytes of its answers are unread. Clients without unread bytes are
 * never refused, so that none can take the memory of the others. Probes are exempt.
 *
 * @example
 * startChain().use(routeRules(rules)).use(unreadAnswers({ trustedProxies: 0 }))
 */
export function unreadAnswers(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  limits: UnreadBytes = UNREAD_BYTES,
) {
  const answers = new Map<string, Set<Answer>>()
  let readers = { count: 0, at: -COUNT_VALID_MS }

  const bytesOf = (address: string): number => {
    let bytes = 0
    for (const { writableLength } of answers.get(address) ?? []) bytes += writableLength
    return bytes
  }
  /** Addresses with unread bytes. */
  const countReaders = (): number => {
    const now = performance.now()
    if (now - readers.at < COUNT_VALID_MS) return readers.count
    readers = { count: [...answers.keys()].filter((address) => bytesOf(address) > 0).length, at: now }
    return readers.count
  }
  const watch = (address: string, answer: Answer): void => {
    // It does not close again.
    if (answer.destroyed) return
    const open = answers.get(address) ?? new Set()
    answers.set(address, open.add(answer))
    answer.once('close', () => {
      open.delete(answer)
      if (open.size === 0) answers.delete(address)
    })
  }

  return defineMiddleware<UnreadVariables, RouteVariables>(async (c, next) => {
    const answer = c.env?.outgoing
    if (!answer || c.get('rules').limit === 'none') return next({ requireRead: () => {} })
    const address = clientAddress(c, trustedProxies)
    const requireRead = () => {
      const unread = bytesOf(address)
      if (unread === 0) return
      const maximum = Math.min(limits.perAddress, Math.floor(limits.max / countReaders()))
      if (unread > maximum) throw answersUnread(maximum)
    }
    requireRead()
    watch(address, answer)
    await next({ requireRead })
  })
}

function answersUnread(maximum: number): CodedError {
  return new CodedError(
    'ANSWERS_UNREAD',
    `Answers to earlier requests of this client have more than ${maximum} unread bytes. Read the answers, then try again.`,
    { facts: { maximum }, retryAfter: RETRY_AFTER_SECONDS },
  )
}
