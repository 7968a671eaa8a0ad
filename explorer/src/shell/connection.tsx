/** The gateway of the page, for the chosen wallet or for a visitor. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createGateway } from 'claim-financing-client'
import { GatewayProvider } from 'claim-financing-react'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { deployment, gatewayUrl } from '../config.ts'
import { useWallets, type WalletChoice } from './wallets.ts'

type Wallets = {
  all: readonly WalletChoice[]
  chosen: WalletChoice | undefined
  choose: (id: string) => void
}

const WalletsContext = createContext<Wallets | undefined>(undefined)

/** The tab keeps its choice, as it keeps its session. */
const CHOICE = 'claim-financing-wallet'

const queries = new QueryClient()

export function Connection({ children }: { children: ReactNode }) {
  const all = useWallets()
  const [id, setId] = useState(() => sessionStorage.getItem(CHOICE) ?? undefined)
  const chosen = all.find((wallet) => wallet.id === id)
  const provider = chosen?.provider
  const gateway = useMemo(() => createGateway({ url: gatewayUrl, deployment, wallet: provider }), [provider])
  useEffect(() => () => gateway.close(), [gateway])
  const choose = (next: string) => {
    setId(next)
    sessionStorage.setItem(CHOICE, next)
  }
  return (
    <QueryClientProvider client={queries}>
      <WalletsContext value={{ all, chosen, choose }}>
        <GatewayProvider gateway={gateway}>{children}</GatewayProvider>
      </WalletsContext>
    </QueryClientProvider>
  )
}

/** @throws Error outside of a `Connection` */
export function useConnectedWallets(): Wallets {
  const wallets = useContext(WalletsContext)
  if (!wallets) throw new Error('There is no <Connection> around this component.')
  return wallets
}
