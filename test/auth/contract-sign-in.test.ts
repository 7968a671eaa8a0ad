/**
 * Asking a wallet contract costs the nodes: how often a nonce and a client may have one asked, and what the contract
 * may use.
 */
import { type Address, type Hex, hexToBigInt } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CALL_GAS_MAX, SIGN_IN_GAS_MAX } from '../../api/chain/call-limits.ts'
import { startAnvil } from '../support/anvil.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { type Answer, type RpcRequest, startNodeProxy } from '../support/node-proxy.ts'
import { startProxy } from '../support/proxy.ts'
import { getNonce, postVerify, type Requestable, readJson, signInMessage } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const wallet = privateKeyToAccount(generatePrivateKey())
const other = privateKeyToAccount(generatePrivateKey())
const ZERO: Address = '0x0000000000000000000000000000000000000000'

let anvil: Awaited<ReturnType<typeof startAnvil>>
let store: TestStore
/** Calls that reached the node through `node`. */
const calls: RpcRequest[] = []
let answer: (request: RpcRequest) => Answer = () => undefined
let node: Awaited<ReturnType<typeof startNodeProxy>>
let app: Requestable

beforeAll(async () => {
  ;[anvil, store] = await Promise.all([startAnvil(), createTestStore()])
  node = await startNodeProxy((request) => {
    calls.push(request)
    return answer(request)
  }, anvil.rpcUrl)
  app = createGateway(store, { rpcUrl: node.url })
})
afterAll(() => Promise.all([node.stop(), anvil.stop(), store.stop()]))

/** A body that the key of the named wallet did not sign, so that its contract is asked. */
async function foreignBody(nonce?: string): Promise<{ message: string; signature: Hex }> {
  const message = await signInMessage(app, wallet.address, nonce === undefined ? {} : { nonce })
  return { message, signature: await other.signMessage({ message }) }
}

async function codeOf(response: Response | Promise<Response>): Promise<unknown> {
  return (await readJson(await response)).code
}

describe('a nonce', () => {
  it('has a contract asked once, on any number of replicas', async () => {
    const replicas = [app, createGateway(store, { rpcUrl: node.url })]
    const body = await foreignBody()
    calls.length = 0
    const attempts = replicas.flatMap((replica) => [0, 1, 2].map(() => codeOf(postVerify(replica, body))))
    const codes = await Promise.all(attempts)
    expect(codes.filter((code) => code === 'SIWE_SIGNATURE_INVALID')).toHaveLength(1)
    expect(codes.filter((code) => code === 'NONCE_USED')).toHaveLength(5)
    const asked = calls.length
    expect(await codeOf(postVerify(app, body))).toBe('NONCE_USED')
    expect(calls).toHaveLength(asked)
  })

  it('of a refused contract signature is spent for a key too', async () => {
    const nonce = await getNonce(app)
    expect(await codeOf(postVerify(app, await foreignBody(nonce)))).toBe('SIWE_SIGNATURE_INVALID')
    const message = await signInMessage(app, wallet.address, { nonce })
    const signature = await wallet.signMessage({ message })
    expect(await codeOf(postVerify(app, { message, signature }))).toBe('NONCE_USED')
  })

  it('is not spent by a chain that does not answer', async () => {
    const nonce = await getNonce(app)
    const body = await foreignBody(nonce)
    answer = () => ({ status: 502 })
    expect(await codeOf(postVerify(app, body))).toBe('CHAIN_UNAVAILABLE')
    expect(await codeOf(postVerify(app, body))).toBe('CHAIN_UNAVAILABLE')
    answer = () => undefined
    const message = await signInMessage(app, wallet.address, { nonce })
    const signature = await wallet.signMessage({ message })
    expect((await postVerify(app, { message, signature })).status).toBe(200)
  })

  it.each([
    [-32_000, 'out of gas'],
    [-32_603, 'EVM error OutOfGas'],
    [-32_603, 'invalid opcode: INVALID'],
    [-32_603, 'OutOfGas'],
    [3, 'reverted'],
    [-32_000, 'execution reverted'],
    [-32_000, 'execution reverted: not the owner'],
    [-32_000, 'gas required exceeds allowance (5000000)'],
  ])('is spent by a contract that fails, whatever the node calls that: %i %s', async (code, message) => {
    const body = await foreignBody()
    answer = ({ method }) => (method === 'eth_call' ? { error: { code, message } } : undefined)
    calls.length = 0
    expect(await codeOf(postVerify(app, body))).toBe('SIWE_SIGNATURE_INVALID')
    expect(calls.filter(({ method }) => method === 'eth_call')).toHaveLength(1)
    answer = () => undefined
    expect(await codeOf(postVerify(app, body))).toBe('NONCE_USED')
  })

  it('is not spent by a node that could not ask the contract', async () => {
    const body = await foreignBody()
    answer = ({ method }) =>
      method === 'eth_call' ? { error: { code: -32_000, message: 'header not found' } } : undefined
    expect(await codeOf(postVerify(app, body))).toBe('CHAIN_UNAVAILABLE')
    answer = () => undefined
    expect(await codeOf(postVerify(app, body))).toBe('SIWE_SIGNATURE_INVALID')
  })
})

describe('a wallet contract', () => {
  it('that is asked gets a bounded amount of gas', async () => {
    calls.length = 0
    await postVerify(app, await foreignBody())
    const gas = calls.filter(({ method }) => method === 'eth_call').map(({ params }) => gasOf(params))
    expect(gas).toEqual([SIGN_IN_GAS_MAX])
    expect(SIGN_IN_GAS_MAX).toBeLessThan(CALL_GAS_MAX)
  })

  it.each(['0x5b600056', '0xfe', '0x5b6001600056', '0x50'] as const)(
    'with code %s has not signed, and the nonce is spent',
    async (bytecode) => {
      await anvil.client.setCode({ address: wallet.address, bytecode })
      const body = await foreignBody()
      expect(await codeOf(postVerify(app, body))).toBe('SIWE_SIGNATURE_INVALID')
      expect(await codeOf(postVerify(app, body))).toBe('NONCE_USED')
      await anvil.client.setCode({ address: wallet.address, bytecode: '0x' })
    },
  )
})

describe('contracts that are asked at the same time', () => {
  const from = (client: string, body: unknown, gateway: Requestable) =>
    Promise.resolve(
      gateway.request('/api/v1/auth/verify', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client },
        body: JSON.stringify(body),
      }),
    )

  /**
   * Sends one request more than are admitted while the node does not answer. @returns the one refused, and all the rest
   */
  async function oneTooMany(clients: readonly string[]) {
    const line = await startProxy(new URL(anvil.rpcUrl))
    const env = { TRUSTED_PROXIES: '1', RPC_TIMEOUT_MS: '600000' }
    const gateway = createGateway(store, { rpcUrl: line.url, env })
    const bodies = await Promise.all(clients.map(() => foreignBody()))
    line.hold()
    const attempts = clients.map((client, index) => from(client, bodies[index], gateway))
    const refused = await Promise.race(attempts)
    line.release()
    const all = await Promise.all(attempts)
    const bodyAt = bodies[all.indexOf(refused)]
    const again = await from('9.9.9.9', bodyAt, gateway)
    line.stop()
    return { refused, all, again }
  }

  it('are 4 of one client: the fifth is a 429 that costs no nonce', async () => {
    const { refused, all, again } = await oneTooMany(Array.from({ length: 5 }, () => '1.2.3.4'))
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe('1')
    expect(await codeOf(refused)).toBe('TOO_MANY_SIGN_INS')
    expect(all.filter(({ status }) => status === 401)).toHaveLength(4)
    expect(await codeOf(again)).toBe('SIWE_SIGNATURE_INVALID')
  })

  it('are 16 of a process: the next is a 503 that costs no nonce', async () => {
    const clients = Array.from({ length: 17 }, (_, index) => `1.2.3.${index}`)
    const { refused, all, again } = await oneTooMany(clients)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('Retry-After')).toBe('1')
    expect(await codeOf(refused)).toBe('SIGN_INS_BUSY')
    expect(all.filter(({ status }) => status === 401)).toHaveLength(16)
    expect(await codeOf(again)).toBe('SIWE_SIGNATURE_INVALID')
  })
})

describe('the zero address', () => {
  it('gets no token for a signature of zero bytes, nor does a precompile', async () => {
    for (const address of [ZERO, '0x0000000000000000000000000000000000000001'] as const) {
      const message = await signInMessage(app, address)
      for (const size of [64, 65, 96]) {
        const response = await postVerify(app, { message, signature: `0x${'00'.repeat(size)}` })
        expect(await codeOf(response)).toBe('SIWE_MESSAGE_INVALID')
      }
    }
  })
})

function gasOf(params: readonly unknown[]): bigint {
  const [{ gas }] = z
    .tuple([z.object({ gas: z.string().startsWith('0x') })])
    .rest(z.unknown())
    .parse(params)
  return hexToBigInt(`0x${gas.slice(2)}`)
}
