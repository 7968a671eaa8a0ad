/**
 * Every example of the API reference is sent as it stands, without a token and with that of the wallet that it is
 * about.
 */
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyExamples } from '../../api/pages/reference-examples.ts'
import { withExamples } from '../../api/pages/with-examples.ts'
import { type ReadGateway, startReadGateway } from '../rest/gateway.ts'
import { createGateway } from '../support/gateway.ts'
import { bearer, signIn } from '../support/sign-in.ts'
import { createTestStore } from '../support/store.ts'
import { sharedWorld } from '../support/world.ts'

type Operation = {
  operationId: string
  security: object[]
  parameters?: { name: string; in: string; required?: boolean; example?: string }[]
  requestBody?: { content: Record<string, { example?: object }> }
  responses: Record<string, { description: string }>
}

/** A signature of a person over a fresh nonce: no example can have one. */
const SIGNED = ['verifySignIn']

let gateway: ReadGateway
let described: { path: string; method: string; operation: Operation }[]
beforeAll(async () => {
  gateway = await startReadGateway()
  const { paths } = await (await gateway.app.request('/docs/openapi.json')).json()
  described = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
})
afterAll(() => gateway.stop())

/** Sends the request of the first click in the reference: required parameters and the body, no optional parameter. */
function send({ path, method, operation }: (typeof described)[number], headers: HeadersInit = {}) {
  const required = (operation.parameters ?? []).filter((parameter) => parameter.required)
  const query = required.filter((parameter) => parameter.in === 'query')
  const search = new URLSearchParams(query.map(({ name, example }) => [name, `${example}`]))
  const filled = required.reduce((url, { name, example }) => url.replace(`{${name}}`, `${example}`), path)
  const target = search.size > 0 ? `${filled}?${search}` : filled
  const body = operation.requestBody?.content['application/json']?.example
  return gateway.app.request(target, {
    method: method.toUpperCase(),
    headers: { ...Object.fromEntries(new Headers(headers)), 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
}

const sendable = () => described.filter(({ operation }) => !SIGNED.includes(operation.operationId))

/** A session of the wallet that owns the claim of the examples. */
async function ownerToken(): Promise<string> {
  const example = described.find(({ operation }) => operation.operationId === 'getAccount')
  const owner = example?.operation.parameters?.find(({ name }) => name === 'wallet')?.example
  const account = sharedWorld().accounts.find(({ address }) => address.toLowerCase() === owner)
  if (!account) throw new Error(`the world has no key of ${owner}`)
  return signIn(gateway.app, privateKeyToAccount(account.privateKey))
}

describe('the examples of the API reference', () => {
  it('are answered without a token: those of public routes with success, the others with 401', async () => {
    for (const one of sendable()) {
      const response = await send(one)
      const expected = one.operation.security.length > 0 ? 401 : 200
      expect([one.operation.operationId, response.status]).toEqual([one.operation.operationId, expected])
      await response.body?.cancel()
    }
  })

  it('succeed with a token of their wallet, or are refused as described, never as invalid', async () => {
    const headers = bearer(await ownerToken()).headers
    const statuses: Record<string, number> = {}
    // The session is needed to the end.
    const inOrder = sendable().toSorted(
      (a, b) => Number(isLogout(a.operation)) - Number(isLogout(b.operation)),
    )
    for (const one of inOrder) {
      const { operationId, responses } = one.operation
      const response = await send(one, headers)
      const text = await response.text()
      statuses[operationId] = response.status
      expect([operationId, response.status, text]).not.toEqual([operationId, 400, text])
      const description = responses[response.status]?.description ?? `${response.status} is not described`
      if (response.status >= 400) expect(description).toContain(`\`${JSON.parse(text).code}\``)
      else expect([operationId, response.status in responses]).toEqual([operationId, true])
    }
    for (const operationId of SUCCEED)
      expect([operationId, statuses[operationId]]).toEqual([operationId, 200])
  })

  it('have no body of a sign-in, which a wallet signs', () => {
    const signed = described.filter(({ operation }) => SIGNED.includes(operation.operationId))
    expect(
      signed.map(({ operation }) => operation.requestBody?.content['application/json']?.example),
    ).toEqual([undefined])
  })

  it('tick no optional parameter: none of them has an example', () => {
    const ticked = described.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter(({ required, example }) => !required && example !== undefined),
    )
    expect(ticked).toEqual([])
  })

  it('are left out while no row can be read', async () => {
    const store = await createTestStore()
    const app = createGateway(store)
    const response = await app.request('/docs/openapi.json')
    expect(await response.json()).toEqual(await (await app.request('/api/v1/openapi.json')).json())
    await store.stop()
  })
})

const hash = `0x${'01'.repeat(32)}` as const
const address = `0x${'02'.repeat(20)}` as const
const financeable = {
  claimId: hash,
  issuer: address,
  beneficiary: address,
  token: address,
  claimType: 1,
  faceValue: 1_000n,
  financedFaceValue: 100n,
  vault: address,
}
const others = { execution: undefined, payable: undefined }

it('the example of a financing is at most what is left and what the vault takes and has, and due dates are future', () => {
  const amountOf = (limits: { maxFace: bigint; idleAssets: bigint; maxClaimFace?: bigint }) => {
    const vault = { maxClaimFace: 5_000n, ...limits }
    return bodyExamples({ now: 0n, financeable, vault, ...others }).prepareExecution
  }
  expect(amountOf({ maxFace: 5_000n, idleAssets: 5_000n })).toMatchObject({ faceAmount: '900' })
  expect(amountOf({ maxFace: 800n, idleAssets: 5_000n })).toMatchObject({ faceAmount: '800' })
  expect(amountOf({ maxFace: 800n, idleAssets: 700n })).toMatchObject({ faceAmount: '700' })
  const held = amountOf({ maxFace: 800n, idleAssets: 5_000n, maxClaimFace: 600n })
  expect(held).toMatchObject({ faceAmount: '500' })
  const vault = { maxFace: 5_000n, maxClaimFace: 5_000n, idleAssets: 5_000n }
  const { prepareAttestation, prepareRegistration } = bodyExamples({ now: 0n, financeable, vault, ...others })
  expect(prepareAttestation).toMatchObject({ dueDate: '1970-01-31T00:00:00Z' })
  expect(prepareRegistration).toMatchObject({ attestation: { dueDate: '2592000', validUntil: '86400' } })
})

it('the examples of one request are those of its own rows, and none of a request before it', () => {
  const read = { operationId: 'getClaim', parameters: [{ name: 'claimId', in: 'path', required: true }] }
  const write = { operationId: 'prepareExecution', requestBody: { content: { 'application/json': {} } } }
  const document = { info: { title: 'API' }, paths: { '/claims/{claimId}': { get: read, post: write } } }
  const withoutExamples = structuredClone(document)
  const vault = { maxFace: 5_000n, maxClaimFace: 5_000n, idleAssets: 5_000n }
  const found = withExamples(document, { now: 0n, financeable, vault, ...others })
  expect(found.paths['/claims/{claimId}']).toMatchObject({
    get: { parameters: [{ example: hash }] },
    post: { requestBody: { content: { 'application/json': { example: { claimId: hash } } } } },
  })
  expect(document).toEqual(withoutExamples)
  const none = { now: 0n, financeable: undefined, vault: undefined, ...others }
  expect(withExamples(document, none).paths['/claims/{claimId}']).toEqual({
    get: read,
    post: { ...write, requestBody: { content: { 'application/json': { example: {} } } } },
  })
})

const isLogout = ({ operationId }: Operation) => operationId === 'logOut'

/** Operations whose example is not only well-formed, but does what the operation is for. */
const SUCCEED = [
  'getClaim',
  'getAccount',
  'getExecution',
  'previewQuotes',
  'prepareExecution',
  'optimizeRoute',
  'prepareSettlement',
]
