/** The log of a sign-in holds nothing that one could sign in with. */
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway, TEST_SECRET, type TestStore } from '../support/gateway.ts'
import { until } from '../support/indexer.ts'
import { serveHttp } from '../support/serve.ts'
import { bearer, getNonce, postVerify, readJson, signIn, signInMessage } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const wallet = privateKeyToAccount(generatePrivateKey())
const other = privateKeyToAccount(generatePrivateKey())

let store: TestStore

beforeAll(async () => {
  store = await createTestStore()
})
afterAll(() => store.stop())

/** Every line that a gateway writes at its most talkative, over a chain that is away. */
function talkative() {
  const lines: string[] = []
  const app = createGateway(store, { log: { write: (line) => void lines.push(line) } })
  return { app, lines }
}

function expectNone(lines: readonly string[], secrets: readonly string[]): void {
  const log = lines.join('')
  expect(log).toContain('/api/v1/auth/verify')
  for (const secret of secrets) {
    expect(log.includes(secret)).toBe(false)
    expect(log.includes(secret.replace(/^0x/, ''))).toBe(false)
  }
}

describe('the log', () => {
  it('of a full sign-in holds neither nonce, message, signature, token nor secret', async () => {
    const { app, lines } = talkative()
    const nonce = await getNonce(app)
    const message = await signInMessage(app, wallet.address, { nonce })
    const signature = await wallet.signMessage({ message })
    const { token } = await readJson(await postVerify(app, { message, signature }))
    await app.request('/api/v1/auth/me', bearer(String(token)))
    expect(lines.length).toBeGreaterThanOrEqual(3)
    const parts = String(token).split('.')
    expectNone(lines, [
      nonce,
      message,
      'wants you to sign in',
      signature,
      String(token),
      ...parts,
      TEST_SECRET,
    ])
  })

  it('of a sign-in that the lost chain cut short does not hold what would finish it elsewhere', async () => {
    const { app, lines } = talkative()
    const nonce = await getNonce(app)
    const message = await signInMessage(app, wallet.address, { nonce })
    const signature = await other.signMessage({ message })
    expect((await postVerify(app, { message, signature })).status).toBe(503)
    expectNone(lines, [nonce, message, signature, signature.slice(2, 66)])
  })

  it('blots out the secret itself, should anything ever write it', async () => {
    const { app, lines } = talkative()
    app.get('/leak', (c) => {
      c.var.log().info({ secret: TEST_SECRET }, `it is ${TEST_SECRET}`)
      return c.text('done')
    })
    const token = await signIn(app, wallet)
    await app.request('/leak', bearer(token))
    expect(lines.join('')).toContain('it is [secret]')
    expectNone(lines, [TEST_SECRET, token])
  })

  it('of a request with a bad token or body does not repeat them', async () => {
    const { app, lines } = talkative()
    await app.request('/api/v1/auth/me', bearer('eyJhbGciOiJIUzI1NiJ9.stolen.token'))
    await postVerify(app, { message: 'garbage-message', signature: '0xdeadbeef' })
    await postVerify(app, { message: 'garbage-message', signature: 'garbage-signature' })
    await app.request('/api/v1/auth/verify?token=in-the-query', { method: 'POST' })
    expectNone(lines, [
      'eyJhbGciOiJIUzI1NiJ9',
      'garbage-message',
      'deadbeef',
      'garbage-signature',
      'in-the-query',
    ])
  })

  it.each([
    ['of a known size', 'Content-Length: 2000'],
    ['in chunks', 'Transfer-Encoding: chunked'],
  ])(
    'of an upload %s that the client breaks off says that the client left, and blames nobody',
    async (_, size) => {
      const { app, lines } = talkative()
      const arrivals = new EventEmitter()
      const server = await serveHttp((request, env) => {
        arrivals.emit('request')
        return app.fetch(request, env)
      })
      const { hostname, port } = new URL(server.url)
      for (const path of ['/api/v1/auth/verify', '/api/v1/graphql']) {
        const client = connect(Number(port), hostname)
        await once(client, 'connect')
        const head = `POST ${path} HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n${size}\r\n\r\n`
        const arrived = once(arrivals, 'request')
        client.write(`${head}${size.includes('chunked') ? '4\r\n' : ''}{"me`)
        await arrived
        client.destroy()
        await until(async () => lines.some((line) => line.includes(path)))
      }
      await server.close()
      const written = lines.map((line): object => JSON.parse(line))
      expect(written).toMatchObject([
        { level: 30, status: 499, path: '/api/v1/auth/verify' },
        { level: 30, status: 499, path: '/api/v1/graphql' },
      ])
    },
  )
})
