/** The gateway of a React tree. */
import type { Gateway } from 'claim-financing-client'
import { createContext, createElement, type ReactNode, useContext } from 'react'

const GatewayContext = createContext<Gateway | undefined>(undefined)

/**
 * Give it one gateway per wallet: `useMemo(() => createGateway({ url, deployment, wallet }), [wallet])`. It must be
 * within a `QueryClientProvider`.
 */
export function GatewayProvider({ gateway, children }: { gateway: Gateway; children?: ReactNode }) {
  return createElement(GatewayContext.Provider, { value: gateway }, children)
}

/** @throws Error outside of a `GatewayProvider` */
export function useGateway(): Gateway {
  const gateway = useContext(GatewayContext)
  if (!gateway) throw new Error('There is no <GatewayProvider> around this component.')
  return gateway
}
