/**
 * Sign-in by the dialogs of RainbowKit and Reown AppKit. The types of their arguments are declared here, so that
 * neither is a dependency; `npm run test:packages` compiles and runs the adapters with both.
 */
import type { Address, Gateway } from 'claim-financing-client'

type Facts = { nonce: string; address: string; chainId: number; statement?: string }
type Signed = { message: string; signature: string }

/** `createAuthenticationAdapter(rainbowKitAdapter(gateway))` of `@rainbow-me/rainbowkit`. */
export function rainbowKitAdapter(gateway: Gateway) {
  return {
    getNonce: () => nonceOf(gateway),
    createMessage: (facts: Facts) => messageOf(gateway, facts),
    verify: (signed: Signed) => verified(gateway, signed),
    signOut: () => gateway.logout(),
  }
}

/**
 * `createSIWEConfig({ ...appKitConfig(gateway, chains), ... })` of `@reown/appkit-siwe`. @param chains ids of the
 * chains of the gateway
 */
export function appKitConfig(gateway: Gateway, chains: readonly number[]) {
  const { host: domain, origin: uri } = new URL(gateway.site)
  return {
    getMessageParams: async () => ({ domain, uri, chains: [...chains] }),
    getNonce: () => nonceOf(gateway),
    // The address is that of CAIP-10, after chain and namespace.
    createMessage: ({ address, ...facts }: Facts) =>
      messageOf(gateway, { ...facts, address: address.split(':').at(-1) ?? address }),
    getSession: async () => {
      const session = await gateway.session()
      return session ? { address: session.wallet, chainId: session.chainId } : null
    },
    verifyMessage: (signed: Signed) => verified(gateway, signed),
    signOut: () => gateway.logout().then(() => true),
  }
}

async function nonceOf(gateway: Gateway): Promise<string> {
  return (await gateway.get('/api/v1/auth/nonce')).nonce
}

/** Both give further facts, which the gateway's message does not have. */
function messageOf(gateway: Gateway, { address, chainId, nonce, statement }: Facts): string {
  const facts = { address: hexOf(address), chainId, nonce }
  return gateway.signInMessage(statement === undefined ? facts : { ...facts, statement })
}

/** Both expect false of a refusal. */
function verified(gateway: Gateway, { message, signature }: Signed): Promise<boolean> {
  const signed = { message, signature: hexOf(signature) }
  return gateway.verify(signed).then(
    () => true,
    () => false,
  )
}

function hexOf(text: string): Address {
  return `0x${text.replace(/^0x/, '')}`
}
