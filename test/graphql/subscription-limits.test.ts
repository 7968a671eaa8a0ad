/** Subscriptions that many clients have open at the same time. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { GRAPHQL_PATH } from '../../api/graphql/serve/endpoint.ts'
import { startReadGateway } from '../rest/gateway.ts'
import { signIn } from '../support/sign-in.ts'

const BODY = JSON.stringify({ query: 'subscription { finalizedBlock { blockNumber } }' })

async function start(env: Record<string, string>) {
  const gateway = await startReadGateway(env)
  const open: Response[] = []
  onTestFinished(async () => {
    await Promise.all(open.map((response) => response.body?.cancel()))
    await gateway.stop()
  })
  /** @returns the status, and the code of a refusal with the seconds to wait */
  const subscribe = async (remoteAddress: string, token?: string, signal?: AbortSignal) => {
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
      ...(token && { Authorization: `Bearer ${token}` }),
    }
    const connection = { incoming: { socket: { remoteAddress } } }
    const response = await gateway.app.request(
      GRAPHQL_PATH,
      { method: 'POST', headers, body: BODY, ...(signal && { signal }) },
      connection,
    )
    if (response.status === 200) {
      open.push(response)
      return '200'
    }
    const code = /"code":"(\w+)"/.exec(await response.text())?.[1]
    return `${response.status} ${code} ${response.headers.get('Retry-After')}`
  }
  return { gateway, subscribe }
}

describe('subscriptions', () => {
  it('without a token or with one that is refused are at most half of all, and callers with a token get the others', async () => {
    const { gateway, subscribe } = await start({ SUBSCRIPTIONS_MAX: '4' })
    const token = await signIn(gateway.app, privateKeyToAccount(generatePrivateKey()))
    const found = []
    for (const [index, refused] of [undefined, `${token}x`, undefined, `${token}x`].entries())
      found.push(await subscribe(`192.0.2.${index}`, refused))
    const exhausted = '503 SUBSCRIPTIONS_EXHAUSTED 10'
    expect(found).toEqual(['200', '200', exhausted, exhausted])
    const withToken = []
    for (let i = 1; i <= 3; i += 1) withToken.push(await subscribe(`192.0.2.${i}`, token))
    expect(withToken).toEqual(['200', '200', '503 SUBSCRIPTIONS_EXHAUSTED 10'])
  })

  it('of a /56 network are those of two addresses, and of a /48 network those of four', async () => {
    const { subscribe } = await start({ SUBSCRIPTIONS_PER_CLIENT: '1' })
    const found = []
    // An address has one without a token and two with wallets; wider networks have multiples of two.
    for (const group of ['1', '2', '3', '4', '5', '101', '102', '103', '104', '201'])
      found.push(await subscribe(`2001:db8:0:${group}::1`))
    const refused = '429 TOO_MANY_SUBSCRIPTIONS 10'
    expect(found).toEqual([...Array(4).fill('200'), refused, ...Array(4).fill('200'), refused])
  })

  it('of a wallet are counted across its addresses, and those of an address across its wallets', async () => {
    const { gateway, subscribe } = await start({ SUBSCRIPTIONS_PER_CLIENT: '1' })
    const tokenOf = () => signIn(gateway.app, privateKeyToAccount(generatePrivateKey()))
    const [one, other, third] = [await tokenOf(), await tokenOf(), await tokenOf()]
    const refused = '429 TOO_MANY_SUBSCRIPTIONS 10'
    expect(await subscribe('192.0.2.1', one)).toBe('200')
    expect(await subscribe('192.0.2.2', one)).toBe(refused)
    expect(await subscribe('192.0.2.1', other)).toBe('200')
    expect(await subscribe('192.0.2.1', third)).toBe(refused)
    expect(await subscribe('192.0.2.2', third)).toBe('200')
  })

  it('of clients that left before they were answered are not open', async () => {
    const { subscribe } = await start({ SUBSCRIPTIONS_PER_CLIENT: '1' })
    for (let i = 0; i < 3; i += 1) await subscribe('192.0.2.1', undefined, AbortSignal.abort())
    expect(await subscribe('192.0.2.1')).toBe('200')
  })
})
