/**
 * Sign-in of GraphiQL on a development system: a button for each demo wallet. The page has the local chain sign, whose
 * accounts are public and unlocked, so neither the page nor the gateway has a key.
 */
import { html } from 'hono/html'
import { getAddress } from 'viem'
import type { DemoWallets } from '../../config/config.ts'
import { createAsset } from '../../http/assets.ts'

/** Text of the headers editor of an example, in whose place the token is sent. */
export const TOKEN_PLACEHOLDER = 'Bearer TOKEN'

/** The attributes of the page's body that the script reads. A message of EIP-4361 has the checksum of the address. */
export function demoAttributes({ signer, wallets }: DemoWallets) {
  return html`data-signer="${signer}" data-wallets="${wallets.map((wallet) => getAddress(wallet)).join()}"`
}

export const DEMO_STYLE = `
body[data-signer] { display: flex; flex-direction: column; height: 100vh; margin: 0 }
body[data-signer] #root { flex: 1; min-height: 0 }
body[data-signer] .graphiql-container { height: 100% }
.demo-wallets { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 8px 16px; background: Canvas; color: CanvasText; font: 14px system-ui, sans-serif }
`

/** Runs before the bundle, which takes `fetch` as it finds it. */
export const demoScript = createAsset(
  'demo-wallets',
  'js',
  `let token
const send = fetch
window.fetch = (input, init) => {
  const { origin, pathname } = new URL(input.url ?? input, location.href)
  if (!token || origin !== location.origin || pathname !== location.pathname) return send(input, init)
  const headers = new Headers(init?.headers)
  const given = headers.get('Authorization') ?? ${JSON.stringify(TOKEN_PLACEHOLDER)}
  if (given === ${JSON.stringify(TOKEN_PLACEHOLDER)}) headers.set('Authorization', 'Bearer ' + token)
  return send(input, { ...init, headers })
}
const post = async (url, body) => {
  const headers = { 'Content-Type': 'application/json' }
  const response = await send(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = await response.json()
  const fault = answer.error?.message ?? (response.ok ? undefined : answer.detail)
  if (fault) throw new Error(fault)
  return answer
}
const signIn = async (signer, wallet) => {
  const rpc = async (method, params) => (await post(signer, { jsonrpc: '2.0', id: 1, method, params })).result
  const { nonce } = await (await send('/api/v1/auth/nonce')).json()
  const message = [
    location.host + ' wants you to sign in with your Ethereum account:',
    wallet,
    '',
    '',
    'URI: ' + location.origin,
    'Version: 1',
    'Chain ID: ' + Number(await rpc('eth_chainId', [])),
    'Nonce: ' + nonce,
    'Issued At: ' + new Date().toISOString(),
  ].join('\\n')
  const hex = [...new TextEncoder().encode(message)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const signature = await rpc('personal_sign', ['0x' + hex, wallet])
  return (await post('/api/v1/auth/verify', { message, signature })).token
}
addEventListener('DOMContentLoaded', () => {
  const { signer, wallets } = document.body.dataset
  const state = document.createElement('output')
  state.textContent = 'All tabs then send its token.'
  const buttons = wallets.split(',').map((wallet, i) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Sign in as demo wallet ' + (i + 1)
    button.title = wallet
    button.onclick = async () => {
      try {
        token = await signIn(signer, wallet)
        state.textContent = 'Signed in as ' + wallet + '. All tabs send its token, for an hour.'
      } catch (fault) {
        state.textContent = 'Not signed in: ' + fault.message
      }
    }
    return button
  })
  const bar = document.createElement('div')
  bar.className = 'demo-wallets'
  bar.append(...buttons, state)
  document.body.prepend(bar)
})
`,
)
