/** Wallets that a page can connect: those that extensions announce (EIP-6963), and those of a development system. */
import { type Eip1193Provider, injectedWallet } from 'claim-financing-client'
import { useEffect, useState } from 'react'

/** `id` is stable over visits. */
export type WalletChoice = { id: string; name: string; provider: Eip1193Provider }

type Announcement = { info?: { rdns?: unknown; name?: unknown }; provider?: unknown }

/** The wallets of this browser, as they are announced. A wallet has one provider for as long as the page is open. */
export function useWallets(): readonly WalletChoice[] {
  const [announced, setAnnounced] = useState<readonly WalletChoice[]>([])
  useEffect(() => {
    const add = (event: Event) => {
      const announcement: unknown = event instanceof CustomEvent ? event.detail : undefined
      const choice = choiceOf(Object(announcement))
      if (choice) setAnnounced((known) => [...known.filter(({ id }) => id !== choice.id), choice])
    }
    addEventListener('eip6963:announceProvider', add)
    dispatchEvent(new Event('eip6963:requestProvider'))
    return () => removeEventListener('eip6963:announceProvider', add)
  }, [])
  const [demo] = useState(demoWallets)
  return [...(announced.length > 0 ? announced : injected()), ...demo]
}

function choiceOf({ info, provider }: Announcement): WalletChoice | undefined {
  if (typeof info?.rdns !== 'string' || typeof info.name !== 'string' || !isProvider(provider))
    return undefined
  return { id: info.rdns, name: info.name, provider }
}

function isProvider(value: unknown): value is Eip1193Provider {
  return typeof value === 'object' && value !== null && 'request' in value
}

/** A wallet that does not announce itself. */
function injected(): WalletChoice[] {
  const provider = injectedWallet()
  return provider ? [{ id: 'injected', name: 'Browser wallet', provider }] : []
}

/** The gateway of a development system names its wallets in the page. Their node signs: no key is here. */
function demoWallets(): WalletChoice[] {
  const { signer, wallets } = document.body.dataset
  if (!signer || !wallets) return []
  return wallets.split(',').map((address, index) => ({
    id: `demo:${address}`,
    name: `Demo wallet ${index + 1}`,
    provider: nodeWallet(signer, address),
  }))
}

function nodeWallet(node: string, address: string): Eip1193Provider {
  return {
    async request({ method, params = [] }) {
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [address]
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const response = await fetch(node, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      })
      const answer: { result?: unknown; error?: { code: number; message: string } } = await response.json()
      if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error)
      return answer.result
    },
  }
}
