/**
 * The session rule (interface specification, section 5.9): a token is kept for the browser session only, belongs to the
 * connected wallet and chain, and is dropped when it expires or the wallet is switched.
 */
import type { Address } from 'viem'
import { connectedWallet, type Eip1193Provider, firstAddress, toChainId } from './eip1193.ts'
import { type Change, connectTabs, noTabs } from './tabs.ts'

export type Session = {
  /** The token of its requests; of a session in a cookie, the CSRF token. */
  token: string
  /** Lowercase. */
  wallet: Address
  chainId: number
  /** In milliseconds, by this machine's clock. */
  expiresAt: number
}

/** `sessionStorage`, or anything like it. */
export type SessionStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export type Sessions = {
  /** The session, if there is one and it is still that of the connected wallet. */
  current: () => Promise<Session | undefined>
  /** The session as it is stored, whatever wallet is connected. */
  stored: () => Session | undefined
  keep: (session: Session) => void
  /** Drops the session, or only the one of `token`: a newer one stays. */
  drop: (token?: string) => void
  /** Drops the session, and does not restore it from a cookie. */
  leave: () => void
  /** Drops the session of `token`, which has ended at the gateway. */
  end: (token: string | undefined) => void
  /**
   * Calls `listener` with the new session, or undefined when it was dropped. @returns a function that removes the
   * listener
   */
  onChange: (listener: (session: Session | undefined) => void) => () => void
  /** Stops listening to the wallet and to other tabs. The session stays as it is. */
  close: () => void
}

type Options = {
  /** Without one, the session may be that of any wallet. */
  provider: Eip1193Provider | undefined
  storage: SessionStorage
  key: string
  now: () => number
  /** Whether other tabs have the same session. */
  isShared: boolean
  /** Finds a session that the storage does not have. */
  restore?: () => Promise<Session | undefined>
  /** Ends a session while another wallet is connected. */
  end?: (session: Session) => void
}

export function createSessions({ provider, storage, key, now, isShared, restore, end }: Options): Sessions {
  const listeners = new Set<(session: Session | undefined) => void>()
  let known = readSession(storage.getItem(key))?.token
  const notify = (session: Session | undefined) => {
    known = session?.token
    for (const listener of listeners) listener(session)
  }
  const stored = () => {
    const session = readSession(storage.getItem(key))
    return session && session.expiresAt > now() ? session : undefined
  }
  let restored: Promise<void> | undefined
  const drop = (token?: string) => {
    const text = storage.getItem(key)
    if (text === null || (token !== undefined && readSession(text)?.token !== token)) return
    storage.removeItem(key)
    // The gateway refused this token: the cookie may hold a newer session, that of another tab.
    if (token !== undefined) restored = undefined
    notify(undefined)
  }
  /** Drops a session that has expired, or that is not `mine`. */
  const keepIf = (mine: (session: Session) => boolean) => {
    const session = stored()
    if (session && mine(session)) return session
    drop()
    return undefined
  }
  /** Drops a session of another account or chain. Without an account, the wallet is locked, and no other is there. */
  const keepOf = (account: Address | undefined, chainId?: number) =>
    keepIf((session) => {
      const isMine = session.wallet === account && session.chainId === (chainId ?? session.chainId)
      if (!isMine && account) end?.(session)
      return isMine
    })
  let expiry: ReturnType<typeof setTimeout> | undefined
  const dropOnExpiry = () => {
    clearTimeout(expiry)
    const session = keepIf(() => true)
    // The server of a site makes a gateway for each request, and a timer would keep it.
    if (!session || !provider) return
    expiry = setTimeout(dropOnExpiry, session.expiresAt - now())
    keepNoProcess(expiry)
  }
  dropOnExpiry()
  const store = (session: Session) => {
    storage.setItem(key, JSON.stringify(session))
    dropOnExpiry()
  }
  let unannounced: string | undefined
  const restoreOnce = async () => {
    const session = await restore?.()
    // A sign-in in the meantime is newer.
    if (!session || storage.getItem(key) !== null) return
    unannounced = session.token
    store(session)
  }
  const checked = (session: Session | undefined) => {
    if (session?.token !== unannounced) return session
    unannounced = undefined
    notify(session)
    return session
  }
  async function current(): Promise<Session | undefined> {
    restored ??= restoreOnce()
    const restoring = restored
    await restoring.catch(() => {
      if (restored === restoring) restored = undefined
    })
    const session = keepIf(() => true)
    if (!session || !provider) return session
    // Detects a wallet that switched while this page was closed, or that sends no events.
    const connected = await connectedWallet(provider)
    // A session that began in the meantime belongs to the wallet that is connected now.
    if (keepIf(() => true)?.token !== session.token) return current()
    return checked(keepOf(connected?.address, connected?.chainId))
  }
  /** Finds the session after another tab began or ended one. A page that signed out stays so until one begins. */
  const readAgain = async (change: Change) => {
    if (change === 'ended' && known === undefined) return
    if (restore) {
      restored = undefined
      storage.removeItem(key)
    }
    const session = await current()
    if (session?.token !== known) notify(session)
  }
  // A wallet that does not answer has not switched accounts either.
  const tabs = isShared ? connectTabs(key, (change) => readAgain(change).catch(() => {})) : noTabs
  const stopListening = listen(provider, {
    accountsChanged: (accounts) => keepOf(firstAddress(accounts)),
    chainChanged: (chainId) => keepIf((session) => session.chainId === toChainId(chainId)),
    disconnect: () => drop(),
  })
  return {
    current,
    stored,
    keep(session) {
      store(session)
      notify(session)
      tabs.announce('begun')
    },
    drop,
    leave() {
      restored = Promise.resolve()
      drop()
      tabs.announce('ended')
    },
    end(token) {
      if (token !== undefined) drop(token)
      tabs.announce('ended')
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      clearTimeout(expiry)
      stopListening()
      tabs.close()
    },
  }
}

function listen(
  provider: Eip1193Provider | undefined,
  events: Record<string, (argument: unknown) => void>,
): () => void {
  for (const [event, listener] of Object.entries(events)) provider?.on?.(event, listener)
  return () => {
    for (const [event, listener] of Object.entries(events)) provider?.removeListener?.(event, listener)
  }
}

/** In Node, a timer keeps the process alive unless it is unreferenced; in a browser, it is a number. */
function keepNoProcess(timer: unknown): void {
  if (typeof timer !== 'object' || timer === null || !('unref' in timer)) return
  if (typeof timer.unref === 'function') timer.unref()
}

function readSession(text: string | null): Session | undefined {
  try {
    const session: unknown = JSON.parse(text ?? 'null')
    return isSession(session) ? session : undefined
  } catch {
    return undefined
  }
}

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false
  const { token, wallet, chainId, expiresAt }: Partial<Session> = value
  return (
    [typeof token, typeof wallet, typeof chainId, typeof expiresAt].join() === 'string,string,number,number'
  )
}

/** `sessionStorage`; where there is none (Node, a page without storage), the memory of this program. */
export function defaultStorage(): SessionStorage {
  try {
    if (globalThis.sessionStorage) return globalThis.sessionStorage
  } catch {
    // In a page that may store nothing, even reading the property throws.
  }
  return memoryStorage()
}

/** The memory of this program. */
export function memoryStorage(): SessionStorage {
  const entries = new Map<string, string>()
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
}
