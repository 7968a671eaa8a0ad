/** Bounds the bytes of answers that clients have not read: they stay in the memory of this process. */
import type { HttpBindings } from '@hono/node-server'
import type { Config } from '../config/config.ts'
import { CodedError } from '../errors.ts'
import { defineMiddleware } from '../http/define-middleware.ts'
import type { RouteVariables } from '../http/route-rules.ts'
import { clientNetworks } from './client-address.ts'

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
   * To be called before work whose answer may be large, and before an answer that took no such work is written.
   *
   * @param bytes of the answer, which count from now on: answers of one turn are written together. Default: 0
   * @throws CodedError `ANSWERS_UNREAD`
   */
  requireRead: (bytes?: number) => void
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
  /** The open answers of each address, with the bytes of those that are not written yet. */
  const answers = new Map<string, Map<Answer, number>>()
  let readers = { count: 0, at: -COUNT_VALID_MS }

  const bytesOf = (address: string): number => {
    let bytes = 0
    for (const [{ headersSent, writableLength }, own] of answers.get(address) ?? [])
      bytes += headersSent ? writableLength : own
    return bytes
  }
  /** Addresses with unread bytes. */
  const countReaders = (): number => {
    const now = performance.now()
    if (now - readers.at < COUNT_VALID_MS) return readers.count
    readers = { count: [...answers.keys()].filter((address) => bytesOf(address) > 0).length, at: now }
    return readers.count
  }
  const maximumOf = () => Math.min(limits.perAddress, Math.floor(limits.max / Math.max(1, countReaders())))
  const watch = (address: string, answer: Answer): void => {
    // It does not close again.
    if (answer.destroyed) return
    const open = answers.get(address) ?? new Map<Answer, number>()
    answers.set(address, open.set(answer, 0))
    answer.once('close', () => {
      open.delete(answer)
      if (open.size === 0) answers.delete(address)
    })
  }

  return defineMiddleware<UnreadVariables, RouteVariables>(async (c, next) => {
    const answer = c.env?.outgoing
    if (!answer || c.get('rules').limit === 'none') return next({ requireRead: () => {} })
    // The widest network: each narrower one may have an answer, however large.
    const address = clientNetworks(c, trustedProxies).at(-1)?.name ?? ''
    const requireRead = (bytes = 0) => {
      const unread = bytesOf(address)
      const maximum = unread > 0 ? maximumOf() : limits.perAddress
      if (unread > 0 && unread + bytes > maximum) throw answersUnread(maximum)
      const open = answers.get(address)
      if (bytes > 0 && open?.has(answer)) open.set(answer, bytes)
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
