/** Every way to be refused at `POST /auth/verify`, through the app. */
import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAnvil } from '../support/anvil.ts'
import { createGateway, type TestStore } from '../support/gateway.ts'
import { assertProperty } from '../support/property.ts'
import {
  getNonce,
  type MessageFields,
  postVerify,
  type Requestable,
  readJson,
  signIn,
  signInMessage,
} from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'

const wallet = privateKeyToAccount(generatePrivateKey())
const other = privateKeyToAccount(generatePrivateKey())

let anvil: Awaited<ReturnType<typeof startAnvil>>
let store: TestStore
let app: Requestable
let now = Date.now()

beforeAll(async () => {
  ;[anvil, store] = await Promise.all([startAnvil(), createTestStore()])
  app = createGateway(store, { rpcUrl: anvil.rpcUrl, clock: () => now })
})
afterAll(() => Promise.all([anvil.stop(), store.stop()]))

async function attempt(fields: MessageFields, signer = wallet): Promise<Response> {
  const message = await signInMessage(app, wallet.address, { issuedAt: new Date(now), ...fields })
  return postVerify(app, { message, signature: await signer.signMessage({ message }) })
}

async function expectRefusal(response: Response, code: string): Promise<void> {
  expect(response.status).toBe(401)
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(await readJson(response)).toMatchObject({ code, status: 401 })
}

const at = (seconds: number) => new Date(now + seconds * 1000)

describe('a sign-in is refused', () => {
  it("for another site's domain", async () =>
    expectRefusal(await attempt({ domain: 'evil.example' }), 'SIWE_DOMAIN_MISMATCH'))

  it('for another URI', async () =>
    expectRefusal(await attempt({ uri: 'https://evil.example' }), 'SIWE_URI_MISMATCH'))

  it('for another chain', async () => expectRefusal(await attempt({ chainId: 1 }), 'SIWE_CHAIN_MISMATCH'))

  it('when the message has expired', async () =>
    expectRefusal(await attempt({ expirationTime: at(-121) }), 'SIWE_MESSAGE_EXPIRED'))

  it('when the message is not valid yet', async () => {
    await expectRefusal(await attempt({ notBefore: at(121) }), 'SIWE_MESSAGE_NOT_YET_VALID')
    await expectRefusal(await attempt({ issuedAt: at(121) }), 'SIWE_MESSAGE_NOT_YET_VALID')
  })

  it('when the nonce was used before', async () => {
    const message = await signInMessage(app, wallet.address, { issuedAt: new Date(now) })
    const body = { message, signature: await wallet.signMessage({ message }) }
    expect((await postVerify(app, body)).status).toBe(200)
    await expectRefusal(await postVerify(app, body), 'NONCE_USED')
  })

  it('when the nonce was used by another wallet', async () => {
    const nonce = await getNonce(app)
    const message = await signInMessage(app, other.address, { nonce, issuedAt: new Date(now) })
    await postVerify(app, { message, signature: await other.signMessage({ message }) })
    await expectRefusal(await attempt({ nonce }), 'NONCE_USED')
  })

  it('when the MAC of the nonce is forged', async () => {
    const nonce = await getNonce(app)
    const forged = nonce.slice(0, -1) + (nonce.endsWith('0') ? '1' : '0')
    await expectRefusal(await attempt({ nonce: forged }), 'NONCE_INVALID')
    await expectRefusal(await attempt({ nonce: 'abcdefgh' }), 'NONCE_INVALID')
  })

  it('when the nonce is 5 minutes old', async () => {
    const nonce = await getNonce(app)
    now += 300_000
    await expectRefusal(await attempt({ nonce }), 'NONCE_EXPIRED')
  })

  it('when another wallet signed', async () =>
    expectRefusal(await attempt({}, other), 'SIWE_SIGNATURE_INVALID'))

  it('when another message was signed', async () => {
    const message = await signInMessage(app, wallet.address, { issuedAt: new Date(now) })
    const signature = await wallet.signMessage({ message: `${message} ` })
    await expectRefusal(await postVerify(app, { message, signature }), 'SIWE_SIGNATURE_INVALID')
  })

  it('when the message is none', async () => {
    const signature = await wallet.signMessage({ message: 'hello' })
    await expectRefusal(await postVerify(app, { message: 'hello', signature }), 'SIWE_MESSAGE_INVALID')
  })

  it('before its signature is checked, and the nonce stays good for the next attempt', async () => {
    const nonce = await getNonce(app)
    await expectRefusal(await attempt({ nonce, chainId: 1 }), 'SIWE_CHAIN_MISMATCH')
    expect((await attempt({ nonce })).status).toBe(200)
  })
})

describe('the chain', () => {
  it('that cannot be asked about a wallet makes a 503, not a refusal, and costs no nonce', async () => {
    const cutOff = createGateway(store, { clock: () => now })
    const nonce = await getNonce(app)
    const message = await signInMessage(app, wallet.address, { nonce, issuedAt: new Date(now) })
    const signature = await other.signMessage({ message })
    const response = await postVerify(cutOff, { message, signature })
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await readJson(response)).toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    expect((await attempt({ nonce })).status).toBe(200)
  })
})

describe('a nonce', () => {
  it('shown by fifty at once, on two replicas, gives exactly one token', async () => {
    const replicas = [app, createGateway(store, { rpcUrl: anvil.rpcUrl, clock: () => now })]
    const message = await signInMessage(app, wallet.address, { issuedAt: new Date(now) })
    const body = { message, signature: await wallet.signMessage({ message }) }
    const attempts = Array.from({ length: 25 }, () => replicas.map((replica) => postVerify(replica, body)))
    const answers = await Promise.all(attempts.flat())
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status === 401)
    expect(refused).toHaveLength(49)
    for (const answer of refused) expect(await readJson(answer)).toMatchObject({ code: 'NONCE_USED' })
  })

  it('is written nowhere until it is used', async () => {
    const count = async () =>
      (await store.pool.query('select count(*) from gateway.used_nonce')).rows[0].count
    const before = await count()
    for (let index = 0; index < 20; index++) await getNonce(app)
    expect(await count()).toBe(before)
    await signIn(app, wallet, { issuedAt: new Date(now) })
    expect(await count()).toBe(before + 1n)
  })
})

describe('a body', () => {
  it('that is not as documented is a 400 that names the field', async () => {
    const signature = `0x${'00'.repeat(65)}`
    for (const [body, path] of [
      [{ signature }, 'message'],
      [{ message: 1, signature }, 'message'],
      [{ message: '', signature }, 'message'],
      [{ message: 'x'.repeat(4097), signature }, 'message'],
      [{ message: 'hello' }, 'signature'],
      [{ message: 'hello', signature: 'zz' }, 'signature'],
      [{ message: 'hello', signature: '0x123' }, 'signature'],
      [{ message: 'hello', signature, wallet: wallet.address }, 'wallet'],
    ] as const) {
      const response = await postVerify(app, body)
      expect(response.status).toBe(400)
      expect(await readJson(response)).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path }] })
    }
  })

  it('of any kind gets an answer, and never a 5xx (2500 of them)', async () => {
    const message = await signInMessage(app, wallet.address, { issuedAt: new Date(now) })
    const signature = fc.oneof(
      fc.string(),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    )
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      fc.record({ message: fc.anything(), signature: fc.anything() }).map((value) => JSON.stringify(value)),
      fc.record({ message: mangled(message), signature }).map((value) => JSON.stringify(value)),
    )
    const media = fc.constantFrom(
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      '',
      'a/b/c',
    )
    await assertProperty(
      fc.asyncProperty(body, media, async (text, type) => {
        const response = await app.request('/api/v1/auth/verify', {
          method: 'POST',
          headers: type ? { 'Content-Type': type } : {},
          body: text,
        })
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(response.status).toBeLessThan(500)
        expect(response.headers.get('Content-Type')).toBe('application/problem+json')
      }),
      { numRuns: 2_500 },
    )
  })
})

/** The message with some of its characters replaced. */
function mangled(message: string): fc.Arbitrary<string> {
  const place = fc.nat({ max: message.length - 1 })
  return fc
    .array(fc.tuple(place, fc.oneof(fc.string({ maxLength: 3 }), fc.constant('\n'))), { maxLength: 4 })
    .map((changes) =>
      changes.reduce((text, [index, put]) => text.slice(0, index) + put + text.slice(index + 1), message),
    )
}
