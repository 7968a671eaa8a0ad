'use client'
/** The gateway of a React tree, and the session of its wallet. */
import { focusManager } from '@tanstack/react-query'
import type { Gateway, Session } from 'claim-financing-client'
import { createContext, createElement, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'

/** `session` is null where there is none, and undefined until it is known. */
type Connection = { gateway: Gateway; session: Session | null | undefined }

const ConnectionContext = createContext<Connection | undefined>(undefined)

/**
 * Give it one gateway per wallet: `useMemo(() => createGateway({ url, deployment, wallet }), [wallet])`. It must be
 * within a `QueryClientProvider`.
 */
export function GatewayProvider({ gateway, children }: { gateway: Gateway; children?: ReactNode }) {
  const session = useSessionOf(gateway)
  const value = useMemo(() => ({ gateway, session }), [gateway, session])
  return createElement(ConnectionContext.Provider, { value }, children)
}

/** @throws Error outside of a `GatewayProvider` */
export function useConnection(): Connection {
  const connection = useContext(ConnectionContext)
  if (!connection) throw new Error('There is no <GatewayProvider> around this component.')
  return connection
}

/** @throws Error outside of a `GatewayProvider` */
export function useGateway(): Gateway {
  return useConnection().gateway
}

/** It is no query: a session belongs to one gateway object, and a key of the cache cannot name that. */
function useSessionOf(gateway: Gateway): Connection['session'] {
  const [known, setKnown] = useState<Connection>()
  useEffect(() => {
    let isOver = false
    const show = (session: Session | undefined) => {
      if (!isOver) setKnown({ gateway, session: session ?? null })
    }
    // A wallet that does not answer has not switched accounts either.
    const keep = () => {
      if (!isOver) setKnown((former) => (former?.gateway === gateway ? former : { gateway, session: null }))
    }
    const check = () => {
      gateway.session().then(show, keep)
    }
    check()
    // A wallet that sends no events may have switched accounts while the page was in the background.
    const ends = [gateway.onSession(show), focusManager.subscribe(check)]
    return () => {
      isOver = true
      for (const end of ends) end()
    }
  }, [gateway])
  return known?.gateway === gateway ? known.session : undefined
}
