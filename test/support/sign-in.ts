/** How a wallet signs in, as a client would do it: by requests to the API alone. */
import type { Address, Hex } from 'viem'
import { createSiweMessage } from 'viem/siwe'

/** Whatever answers requests: the app itself, or a client of one that listens. */
export type Requestable = { request: (path: string, init?: RequestInit) => Response | Promise<Response> }

export type Signer = { address: Address; signMessage: (parameters: { message: string }) => Promise<Hex> }

export type MessageFields = Partial<Parameters<typeof createSiweMessage>[0]>

/** The default site of gateways under test. */
export const TEST_SITE = 'https://app.example'

export async function getNonce(app: Requestable): Promise<string> {
  const response = await app.request('/api/v1/auth/nonce')
  const { nonce } = await readJson(response)
  return String(nonce)
}

/** A message that the gateway accepts, but for what `fields` change. */
export async function signInMessage(
  app: Requestable,
  address: Address,
  fields: MessageFields = {},
): Promise<string> {
  return createSiweMessage({
    address,
    domain: new URL(TEST_SITE).host,
    uri: TEST_SITE,
    chainId: 31_337,
    version: '1',
    nonce: fields.nonce ?? (await getNonce(app)),
    ...fields,
  })
}

export function postVerify(app: Requestable, body: unknown): Promise<Response> {
  return Promise.resolve(
    app.request('/api/v1/auth/verify', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
}

/** The token of a wallet that has just signed in. */
export async function signIn(app: Requestable, signer: Signer, fields?: MessageFields): Promise<string> {
  const message = await signInMessage(app, signer.address, fields)
  const response = await postVerify(app, { message, signature: await signer.signMessage({ message }) })
  const { token, code } = await readJson(response)
  if (typeof token !== 'string') throw new Error(`signing in was answered ${response.status} ${String(code)}`)
  return token
}

export function bearer(token: string): { headers: { Authorization: string } } {
  return { headers: { Authorization: `Bearer ${token}` } }
}

export async function readJson(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json()
  if (typeof body !== 'object' || body === null) throw new Error('the answer is not a JSON object')
  return { ...body }
}
